// The stored documents of an installation without a bucket: files that never change once complete.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BackupPlace } from './place.ts';

const COPIED_AT = '.copied-at';

/** Adds the files missing from the copy. @returns how many */
export async function copyDocuments(storage: string, { files }: BackupPlace): Promise<number> {
  const startedAt = new Date().toISOString();
  const copied = await addMissing(storage, files);
  writeFileSync(join(files, COPIED_AT), `${startedAt}\n`);
  return copied;
}

/** Adds the files missing from the storage; extra files in it belong to no row and stay. @returns how many */
export async function restoreDocuments({ files }: BackupPlace, storage: string): Promise<number> {
  return addMissing(files, storage);
}

/** ISO instant up to which the copy is complete; null before the first copy. */
export function documentsCopiedAt({ files }: BackupPlace): string | null {
  const path = join(files, COPIED_AT);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

async function addMissing(from: string, to: string): Promise<number> {
  if (!existsSync(from)) return 0;
  let added = 0;
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === COPIED_AT) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, source.slice(from.length));
    if (await isSame(source, target)) continue;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(source, `${target}.part`);
    await rename(`${target}.part`, target);
    added += 1;
  }
  return added;
}

async function isSame(source: string, target: string): Promise<boolean> {
  if (!existsSync(target)) return false;
  return (await stat(source)).size === (await stat(target)).size;
}
