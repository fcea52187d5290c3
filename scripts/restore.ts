// npm run restore -- [--to <instant>] [--timeline <n>]: restores the data folder to a point in time from BACKUP_DIR;
// without --to, to the last known change. Run it while Bindery is stopped. What was there before is kept beside it.
// Exits with 1 on failure, leaving everything as it was. docs/backup.md.
import './help/show-help.ts';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSupervisorConfig, type SupervisorConfig } from '../config.ts';
import { documentsCopiedAt, restoreDocuments } from './backup/documents.ts';
import { type BackupPlace, preparePlace } from './backup/place.ts';
import { recover } from './backup/recovery.ts';
import { requireBackupFolder } from './backup/whose.ts';
import { environmentWithFile } from './env-file.ts';
import { clusterFolder } from './start/cluster/folder.ts';
import { postgresUser } from './start/cluster/user.ts';
import { OWNER, SETTINGS } from './start/database.ts';
import { claimDataFolder, makeDataFolder } from './start/lock.ts';
import { stopServerOfBefore } from './start/postgres.ts';
import { readSecrets } from './start/secrets.ts';
import { clearTheWay } from './start/services.ts';

const OPTIONS = { to: { type: 'string' }, timeline: { type: 'string' } } as const;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/;

interface Wish {
  to: string | null;
  timeline: string | null;
}

try {
  const { values } = parseArgs({ options: OPTIONS });
  await restore(loadSupervisorConfig(environmentWithFile()), {
    to: instantFrom(values.to),
    timeline: timelineFrom(values.timeline),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function instantFrom(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (INSTANT.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  throw new Error(`--to is a moment with its zone, as in --to 2026-11-23T16:30:00Z; "${text}" is none.`);
}

function timelineFrom(text: string | undefined): string | null {
  if (text === undefined || /^[1-9]\d{0,8}$/.test(text)) return text ?? null;
  throw new Error(`--timeline is a number, as in --timeline 1; "${text}" is none.`);
}

async function restore(config: SupervisorConfig, wish: Wish): Promise<void> {
  const user = postgresUser();
  const place = preparePlace(requireBackupFolder(config), user);
  const dataDir = resolve(import.meta.dirname, '..', config.dataDir);
  const run = join(dataDir, 'run');
  makeDataFolder(dataDir);
  const release = claimDataFolder(run);
  try {
    await clearTheWay(config, run);
    const present = clusterFolder(dataDir, user);
    await stopServerOfBefore(present);
    restoreSecrets(place, dataDir);
    const password = readSecrets(dataDir).databaseOwnerPassword ?? '';
    const server = { port: config.postgresPort, superuser: OWNER, password, settings: SETTINGS };
    mkdirSync(dirname(present), { recursive: true });
    const folder = `${present}.recovering`;
    const lastChangeAt = await recover({ ...wish, place, folder, present, owner: user, server });
    const kept = [...setAside(present), ...setAside(join(dataDir, 'temporal'))];
    renameSync(folder, present);
    await restoreStorage(config, place, dataDir);
    console.log(restored(wish, lastChangeAt, kept));
  } finally {
    release();
  }
}

/** Secrets that still exist are the ones the services last ran with, so they are kept. */
function restoreSecrets(place: BackupPlace, dataDir: string): void {
  const path = join(dataDir, 'secrets.json');
  if (!existsSync(path) && existsSync(place.secrets)) copyFileSync(place.secrets, path);
}

/** Workflows know of later events and must not meet the restored rows: healing restarts them from the rows. */
function setAside(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const aside = `${folder}.before-${new Date().toISOString().replaceAll(':', '-')}`;
  renameSync(folder, aside);
  return [aside];
}

async function restoreStorage({ bucket }: SupervisorConfig, place: BackupPlace, dataDir: string): Promise<void> {
  if (bucket !== null) return;
  const copiedAt = documentsCopiedAt(place) ?? 'never';
  const count = await restoreDocuments(place, join(dataDir, 'storage'));
  console.log(`Documents brought back: ${count}. They were last copied at ${copiedAt}.`);
}

function restored({ to }: Wish, lastChangeAt: Date | null, kept: readonly string[]): string {
  const moment = to === null ? 'The database has all that was archived' : `The database is as it was at ${to}`;
  const change = lastChangeAt === null ? '' : `; its last change is of ${lastChangeAt.toISOString()}`;
  return [
    `${moment}${change}.`,
    ...kept.map((folder) => `What was there before is kept: ${folder}`),
    '',
    'Now, in this order:',
    '  npm start',
    '  npm run ops -- heal       starts the workflows that the rows call for',
    '  npm run audit:verify',
    '  npm run backup            a new base, of the time that begins here',
  ].join('\n');
}
