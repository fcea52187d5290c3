// Copies a folder that is still being written to: files that vanish meanwhile are left out.
import { constants } from 'node:fs';
import { chown, copyFile, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemUser } from '../start/cluster/user.ts';

export interface CopyOptions {
  /** Whether to leave out a path, relative to the folder. */
  isLeftOut?: (path: string) => boolean;
  /** The copy's owner; null: the current user. */
  owner?: SystemUser | null;
}

/**
 * Copies files and folders.
 * @returns the number of bytes
 * @throws Error for a symbolic link, which could lead out of the folder
 */
export async function copyTree(from: string, to: string, options: CopyOptions = {}): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  return copyFolder(from, to, '', options);
}

async function copyFolder(from: string, to: string, path: string, options: CopyOptions): Promise<number> {
  await give(join(to, path), options);
  let bytes = 0;
  for (const name of await readdir(join(from, path))) {
    const inner = join(path, name);
    if (!options.isLeftOut?.(inner)) bytes += await unlessVanished(() => copyOne(from, to, inner, options));
  }
  return bytes;
}

async function copyOne(from: string, to: string, path: string, options: CopyOptions): Promise<number> {
  const found = await lstat(join(from, path));
  if (found.isSymbolicLink()) throw new Error(`${join(from, path)} is a link: what it leads to cannot be copied.`);
  if (found.isDirectory()) {
    await mkdir(join(to, path), { recursive: true, mode: 0o700 });
    return copyFolder(from, to, path, options);
  }
  await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
  await give(join(to, path), options);
  return found.size;
}

async function give(path: string, { owner }: CopyOptions): Promise<void> {
  if (owner) await chown(path, owner.uid, owner.gid);
}

async function unlessVanished(copy: () => Promise<number>): Promise<number> {
  try {
    return await copy();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
