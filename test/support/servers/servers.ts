// The servers of a test run: one PostgreSQL and one Temporal development server. Addresses that the environment
// already names are used as they are, so that one file can be run against servers that stay up.
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEARCH_ATTRIBUTES } from '../../../contracts/machinery/search-attributes.ts';
import { startPostgres } from '../../../scripts/start/postgres.ts';
import { startTemporal } from '../../../scripts/start/temporal.ts';
import { findTemporal } from '../../../scripts/start/temporal-binary.ts';
import { freePort } from './free-port.ts';

export const POSTGRES_VARIABLE = 'BINDERY_TEST_POSTGRES';
export const TEMPORAL_VARIABLE = 'BINDERY_TEST_TEMPORAL';

const MEMORY_FOLDER = '/dev/shm';
const NEEDED_MEMORY_BYTES = 2 * 1024 ** 3;
const STOP_GRACE_MS = 5_000;

/** A cluster that is thrown away needs none of what protects data. */
const FAST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
};

export interface TestServer {
  address: string;
  stop: () => Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Address of the PostgreSQL superuser: the one that the environment names, or a new cluster. */
export async function testPostgres(environment: Environment): Promise<TestServer> {
  const given = environment[POSTGRES_VARIABLE];
  if (given) return { address: given, stop: async () => {} };
  const parent = mkdtempSync(join(fastFolder(), 'bindery-test-'));
  chmodSync(parent, 0o755);
  const cluster = await startPostgres({
    folder: join(parent, 'postgres'),
    port: await freePort(),
    superuser: 'postgres',
    password: null,
    settings: FAST_SETTINGS,
  });
  const stop = async () => {
    await cluster.child.stop(STOP_GRACE_MS);
    rmSync(parent, { recursive: true, force: true });
  };
  return { address: cluster.url, stop };
}

/** Address of a Temporal server: the one that the environment names, or a new one. */
export async function testTemporal(environment: Environment): Promise<TestServer> {
  const given = environment[TEMPORAL_VARIABLE];
  return given ? { address: given, stop: async () => {} } : newTemporal(environment);
}

/** Starts a Temporal server whose data is thrown away; `settings` are its own, each `key=value`. */
export async function newTemporal(environment: Environment, settings: readonly string[] = []): Promise<TestServer> {
  const folder = mkdtempSync(join(fastFolder(), 'bindery-temporal-'));
  const port = await freePort();
  const server = await startTemporal({
    binary: await findTestTemporal(environment),
    port,
    uiPort: null,
    namespace: 'default',
    databaseFile: join(folder, 'temporal.db'),
    settings,
    searchAttributes: Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name),
  });
  const stop = async () => {
    await server.stop(STOP_GRACE_MS);
    rmSync(folder, { recursive: true, force: true });
  };
  return { address: `127.0.0.1:${port}`, stop };
}

/** The `temporal` program, for tests that run and kill a server of their own. */
export function findTestTemporal(environment: Environment): Promise<string> {
  return findTemporal({
    explicitPath: environment.TEMPORAL_CLI_PATH ?? null,
    environment,
    progress: (line) => process.stderr.write(`temporal: ${line}\n`),
  });
}

function fastFolder(): string {
  if (!existsSync(MEMORY_FOLDER)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= NEEDED_MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
}
