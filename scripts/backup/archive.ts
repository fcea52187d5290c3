// Checks that PostgreSQL archives, and brings the archive up to date.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { archiveSettings, type BackupPlace } from './place.ts';

const WAIT_MS = 60_000;
const POLL_MS = 50;

/** @throws Error if the running server does not archive to this place */
export async function requireArchiving(client: pg.Client, place: BackupPlace): Promise<void> {
  // A copy waits for the archive, but not forever.
  await client.query(`set statement_timeout = '1h'`);
  const { rows } = await client.query<{ archive_command: string }>('show archive_command');
  if (rows[0]?.archive_command === archiveSettings(place).archive_command) return;
  throw new Error(
    'PostgreSQL does not archive to BACKUP_DIR yet: stop Bindery and start it again with this BACKUP_DIR.',
  );
}

/** Gets everything committed so far into the archive. @throws Error if that does not happen in time */
export async function archiveSoFar(client: pg.Client, place: BackupPlace): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
  const name = rows[0]?.name ?? '';
  const giveUpAt = Date.now() + WAIT_MS;
  while (!existsSync(join(place.wal, name))) {
    if (Date.now() > giveUpAt) throw new Error(`${name} did not come into ${place.wal}: the log of postgres says why.`);
    await delay(POLL_MS);
  }
  console.log(`Everything that was committed before ${new Date().toISOString()} is in the archive.`);
}
