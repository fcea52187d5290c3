// Recovers a cluster to a point in time: a base backup with the archive replayed on it. It is built beside the
// present one, which stays untouched until this is finished.
import { chownSync, copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { SystemUser } from '../start/cluster/user.ts';
import { startPostgres } from '../start/postgres.ts';
import { type Base, basesIn, unpackBase } from './bases.ts';
import { archiveSettings, type BackupPlace, restoreCommand } from './place.ts';

/** Replaying the archive of a busy month takes a while. */
const RECOVERY_TIMEOUT_MS = 24 * 3_600_000;
const STOP_GRACE_MS = 60_000;

export interface Recovery {
  place: BackupPlace;
  /** Where it is built; anything there is removed first. */
  folder: string;
  /** The present cluster, which may have segments not yet archived. */
  present: string;
  /** ISO instant; null: up to the last known change. */
  to: string | null;
  /** The number of a timeline; null: the newest one. */
  timeline: string | null;
  owner: SystemUser | null;
  server: { port: number; superuser: string; password: string; settings: Readonly<Record<string, string>> };
}

/**
 * Recovers the cluster.
 * @returns the time of its last change, null if there is none since the base backup
 * @throws StartError with PostgreSQL's reason, for example if the archive ends before the requested time
 */
export async function recover(recovery: Recovery): Promise<Date | null> {
  const { place, folder, owner, server } = recovery;
  rmSync(folder, { recursive: true, force: true });
  await unpackBase(baseFor(recovery), folder, owner);
  addUnarchived(recovery);
  const signal = join(folder, 'recovery.signal');
  writeFileSync(signal, '');
  if (owner) chownSync(signal, owner.uid, owner.gid);
  const settings = {
    ...server.settings,
    ...archiveSettings(place),
    restore_command: restoreCommand(place),
    // During startup PostgreSQL does not know `Z` as a time zone.
    recovery_target_time: recovery.to?.replace('Z', '+00') ?? '',
    recovery_target_timeline: recovery.timeline ?? 'latest',
    recovery_target_action: 'promote',
    hot_standby: 'off',
  };
  const cluster = await startPostgres({ ...server, folder, settings, readyTimeoutMs: RECOVERY_TIMEOUT_MS });
  try {
    return await lastChange(cluster.url);
  } finally {
    await cluster.child.stop(STOP_GRACE_MS);
  }
}

/** @throws Error if none had ended by that time */
function baseFor({ place, to }: Recovery): Base {
  const bases = basesIn(place);
  const base = bases.findLast(({ endedAt }) => to === null || endedAt <= to);
  if (base) return base;
  const [first] = bases;
  if (!first) throw new Error(`There is no base backup in ${place.bases}: "npm run backup" makes one.`);
  throw new Error(`The first base backup was complete at ${first.endedAt}: there is no way to a moment before that.`);
}

function addUnarchived({ place, present, folder, owner }: Recovery): void {
  const from = join(present, 'pg_wal');
  if (!existsSync(from)) return;
  const archived = new Set(readdirSync(place.wal));
  for (const name of readdirSync(from).filter((name) => /^[0-9A-F]{24}$/.test(name) && !archived.has(name))) {
    const target = join(folder, 'pg_wal', name);
    copyFileSync(join(from, name), target);
    if (owner) chownSync(target, owner.uid, owner.gid);
  }
}

async function lastChange(url: string): Promise<Date | null> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ at: Date | null }>('select pg_last_xact_replay_timestamp() as at');
    return rows[0]?.at ?? null;
  } finally {
    await client.end();
  }
}
