// Where backups are kept, and how PostgreSQL archives its WAL there. docs/backup.md.
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, type SystemUser } from '../start/cluster/user.ts';
import { makeFolder } from '../start/lock.ts';
import { StartError } from '../start/start-error.ts';

/** A change reaches the archive within this time, however little is written. */
const ARCHIVE_TIMEOUT = '60s';
const PRIVATE = 0o700;

export interface BackupPlace {
  /** Copies of the whole cluster, one folder each. */
  bases: string;
  /** The archived WAL, segment by segment. */
  wal: string;
  /** The stored documents. */
  files: string;
  /** The secrets of the data folder: without the payload keys and the role passwords, the rest is useless. */
  secrets: string;
}

export function backupPlace(folder: string): BackupPlace {
  const within = (name: string) => join(folder, name);
  return { bases: within('bases'), wal: within('wal'), files: within('files'), secrets: within('secrets.json') };
}

/**
 * Creates the backup folder; its archive belongs to PostgreSQL's user.
 * @throws StartError if it cannot be created, or that user cannot enter it
 */
export function preparePlace(folder: string, user: SystemUser | null): BackupPlace {
  const place = backupPlace(folder);
  try {
    makeFolder(folder, 0o711);
  } catch (error) {
    throw new StartError(
      `BACKUP_DIR is ${folder}, which cannot be made (${(error as Error).message}): name a folder of yours on another disk.`,
    );
  }
  if (user && !canEnter(user, folder)) {
    throw new StartError(
      `The system user "postgres" cannot enter ${folder}: open it and the folders above (chmod o+x), or set BACKUP_DIR.`,
    );
  }
  for (const path of [place.bases, place.files]) mkdirSync(path, { recursive: true, mode: PRIVATE });
  if (!existsSync(place.wal)) {
    mkdirSync(place.wal, { mode: PRIVATE });
    if (user) chownSync(place.wal, user.uid, user.gid);
  }
  return place;
}

/** Settings for a server that archives. A segment only gets its name once complete, and is never replaced. */
export function archiveSettings({ wal }: BackupPlace): Record<string, string> {
  const target = quoted(join(wal, '%f'), wal);
  const part = quoted(join(wal, '%f.part'), wal);
  const copy = `cp "%p" ${part} && sync ${part} && mv ${part} ${target}`;
  return {
    archive_mode: 'on',
    archive_timeout: ARCHIVE_TIMEOUT,
    archive_command: `cmp -s "%p" ${target} || (test ! -e ${target} && ${copy})`,
  };
}

/** The command that restores a segment. */
export function restoreCommand({ wal }: BackupPlace): string {
  return `cp ${quoted(join(wal, '%f'), wal)} "%p"`;
}

/** Quotes a path for PostgreSQL's shell command: only percent signs in the file name are PostgreSQL's placeholders. */
function quoted(path: string, folder: string): string {
  const literal = folder.replaceAll('%', '%%').replaceAll("'", `'\\''`);
  return `'${literal}${path.slice(folder.length)}'`;
}
