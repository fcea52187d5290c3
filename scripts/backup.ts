// npm run backup [-- --files] [-- --keep-days <days>]: makes a base backup of the PostgreSQL that `npm start` runs,
// the documents and the secrets, in BACKUP_DIR; with --files, only what was written since. --keep-days then removes
// whatever a restore to those last days does not need. Exits with 1 on failure. docs/backup.md.
import './help/show-help.ts';
import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { loadSupervisorConfig, type SupervisorConfig } from '../config.ts';
import { archiveSoFar, requireArchiving } from './backup/archive.ts';
import { forgetBefore, takeBase } from './backup/bases.ts';
import { copyDocuments } from './backup/documents.ts';
import { type BackupPlace, preparePlace } from './backup/place.ts';
import { requireBackupFolder } from './backup/whose.ts';
import { environmentOfRunning } from './env-file.ts';
import { clusterFolder } from './start/cluster/folder.ts';
import { postgresUser } from './start/cluster/user.ts';
import { ownerUrl } from './start/database.ts';
import { readSecrets } from './start/secrets.ts';

const DAY_MS = 86_400_000;
const MEBIBYTE = 1024 ** 2;
const OPTIONS = { files: { type: 'boolean' }, 'keep-days': { type: 'string' } } as const;

try {
  const { values } = parseArgs({ options: OPTIONS });
  const keepDays = daysFrom(values['keep-days']);
  await backUp(loadSupervisorConfig(environmentOfRunning()), values.files === true, keepDays);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function daysFrom(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new Error(`--keep-days is a number of days, as in "npm run backup -- --keep-days 30"; "${text}" is none.`);
}

async function backUp(config: SupervisorConfig, isForFiles: boolean, keepDays: number | null): Promise<void> {
  const folder = requireBackupFolder(config);
  const dataDir = resolve(import.meta.dirname, '..', config.dataDir);
  const place = preparePlace(folder, postgresUser());
  const client = await connect(config, dataDir);
  try {
    await requireArchiving(client, place);
    if (isForFiles) await archiveSoFar(client, place);
    else await copyCluster(client, clusterFolder(dataDir, postgresUser()), place);
  } finally {
    await client.end();
  }
  copyFileSync(join(dataDir, 'secrets.json'), place.secrets);
  await copyStorage(config, dataDir, place);
  if (keepDays === null) return;
  const { bases, segments } = forgetBefore(new Date(Date.now() - keepDays * DAY_MS).toISOString(), place);
  console.log(`Removed what is older than ${keepDays} days: ${bases} base backups, ${segments} segments.`);
}

async function copyCluster(client: pg.Client, from: string, place: BackupPlace): Promise<void> {
  const { folder, endedAt, bytes } = await takeBase(client, from, place);
  console.log(`Base backup ${folder}: ${(bytes / MEBIBYTE).toFixed(0)} MiB, leads to any moment after ${endedAt}.`);
}

async function copyStorage({ bucket }: SupervisorConfig, dataDir: string, place: BackupPlace): Promise<void> {
  if (bucket !== null) console.log(`The documents are in the bucket ${bucket}, whose versions keep them.`);
  else console.log(`Documents copied: ${await copyDocuments(join(dataDir, 'storage'), place)}.`);
}

async function connect(config: SupervisorConfig, dataDir: string): Promise<pg.Client> {
  const password = readSecrets(dataDir).databaseOwnerPassword ?? '';
  const client = new pg.Client({ connectionString: ownerUrl(config.postgresPort, password) });
  // The statement that needs the connection reports its loss.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new Error(
      `PostgreSQL does not answer at port ${config.postgresPort} (${(error as Error).message}): run "npm start" first.`,
    );
  }
}
