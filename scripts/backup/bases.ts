// Base backups: full copies of a running cluster, each of which the archive can roll forward to any later time.
// PostgreSQL's own backup programs do not come with the package, so this uses its low-level API: pg_backup_start, a
// copy of the folder, pg_backup_stop.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type pg from 'pg';
import type { SystemUser } from '../start/cluster/user.ts';
import { copyTree } from './copy-tree.ts';
import type { BackupPlace } from './place.ts';

const FACTS = 'base.json';
const UNFINISHED = 'unfinished';
/** What PostgreSQL recreates itself: folders that are copied empty, and files that only belong to the current run. */
const EMPTY_FOLDERS = [
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
];
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map|pgsql_tmp.*|pg_internal\.init)$/;
const START_SEGMENT = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m;
/** The timeline, then the position in it. */
const SEGMENT = /^[0-9A-F]{8}([0-9A-F]{16})/;

export interface Base {
  folder: string;
  /** ISO instants. It can be recovered to any time after its end. */
  startedAt: string;
  endedAt: string;
  /** The first segment it needs from the archive. */
  startSegment: string;
  bytes: number;
}

/** Copies the connection's cluster while it runs. */
export async function takeBase(client: pg.Client, clusterFolder: string, place: BackupPlace): Promise<Base> {
  const unfinished = join(place.bases, UNFINISHED);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const startedAt = await serverTime(client);
  await client.query(`select pg_backup_start('bindery', true)`);
  const data = join(unfinished, 'data');
  const bytes = await copyTree(clusterFolder, data, { isLeftOut });
  // This waits until the archive has everything that the copy needs.
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)');
  const label = rows[0]?.labelfile ?? '';
  writeFileSync(join(data, 'backup_label'), label, { mode: 0o600 });
  const startSegment = START_SEGMENT.exec(label)?.[1] ?? '';
  const facts = { startedAt, endedAt: await serverTime(client), startSegment, bytes };
  writeFileSync(join(unfinished, FACTS), `${JSON.stringify(facts, null, 2)}\n`);
  const folder = join(place.bases, startedAt.replaceAll(':', '-'));
  renameSync(unfinished, folder);
  return { folder, ...facts };
}

/** Copies a base backup to a folder where PostgreSQL can recover. */
export async function unpackBase(base: Base, folder: string, owner: SystemUser | null): Promise<void> {
  await copyTree(join(base.folder, 'data'), folder, { owner });
}

/** The complete base backups, oldest first. */
export function basesIn(place: BackupPlace): Base[] {
  if (!existsSync(place.bases)) return [];
  const folders = readdirSync(place.bases).map((name) => join(place.bases, name));
  return folders
    .filter((folder) => basename(folder) !== UNFINISHED && existsSync(join(folder, FACTS)))
    .map((folder) => ({ folder, ...(JSON.parse(readFileSync(join(folder, FACTS), 'utf8')) as Omit<Base, 'folder'>) }))
    .sort((one, other) => one.endedAt.localeCompare(other.endedAt));
}

/**
 * Removes what no recovery to a time after `since` needs: base backups before the last one that had ended by then,
 * and the segments before the first base kept.
 */
export function forgetBefore(since: string, place: BackupPlace): { bases: number; segments: number } {
  const bases = basesIn(place);
  const [first] = bases.filter(({ endedAt }) => endedAt <= since).slice(-1);
  if (first === undefined) return { bases: 0, segments: 0 };
  const old = bases.slice(0, bases.indexOf(first));
  for (const { folder } of old) rmSync(folder, { recursive: true });
  const from = positionOf(first.startSegment) ?? '';
  const segments = readdirSync(place.wal).filter((name) => (positionOf(name) ?? from) < from);
  for (const name of segments) rmSync(join(place.wal, name));
  return { bases: old.length, segments: segments.length };
}

function positionOf(segment: string): string | null {
  return SEGMENT.exec(segment)?.[1] ?? null;
}

function isLeftOut(path: string): boolean {
  return EMPTY_FOLDERS.includes(dirname(path)) || LEFT_OUT.test(basename(path));
}

async function serverTime(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  return (rows[0]?.now ?? new Date()).toISOString();
}
