// The servers of a test run: one PostgreSQL and one Temporal development server. Addresses already set in the
// environment are used as they are, so that a single file can run against servers that stay up.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SEARCH_ATTRIBUTES } from '../../../contracts/machinery/search-attributes.ts';
import { type Child, reasonOf } from '../../../scripts/start/child.ts';
import { startPostgres } from '../../../scripts/start/postgres.ts';
import { findTemporal } from '../../../scripts/start/temporal/binary.ts';
import { startTemporal } from '../../../scripts/start/temporal/server.ts';
import { newFastFolder } from './fast-folders.ts';
import { freePort } from './free-port.ts';

export const POSTGRES_VARIABLE = 'BINDERY_TEST_POSTGRES';
export const TEMPORAL_VARIABLE = 'BINDERY_TEST_TEMPORAL';
/** Names the workflow bundle file that the run prepared. */
export const BUNDLE_VARIABLE = 'BINDERY_TEST_WORKFLOW_BUNDLE';

const STOP_GRACE_MS = 5_000;

/** A throwaway cluster needs no data protection. */
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
  /** Settles with the reason when the server ends without being stopped. */
  lost: Promise<string>;
  stop: () => Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Address of the PostgreSQL superuser: the one from the environment, or a new cluster. */
export async function testPostgres(environment: Environment): Promise<TestServer> {
  const given = environment[POSTGRES_VARIABLE];
  if (given) return givenServer(given);
  const parent = newFastFolder();
  chmodSync(parent, 0o755);
  const folder = join(parent, 'postgres');
  const { child, url } = await startPostgres({
    folder,
    port: await freePort(),
    superuser: 'postgres',
    password: null,
    settings: { ...FAST_SETTINGS, ...(isSocketFolder(folder) ? { unix_socket_directories: folder } : {}) },
  });
  return ownServer(isSocketFolder(folder) ? overSocket(url, folder) : url, child, parent);
}

/** Longest path that a socket's address allows, without the file name. */
const SOCKET_FOLDER_CHARACTERS = 80;

const isSocketFolder = (folder: string) => process.platform !== 'win32' && folder.length <= SOCKET_FOLDER_CHARACTERS;

/** A statement over the socket costs half the system time of one over TCP. */
function overSocket(url: string, folder: string): string {
  const parts = new URL(url);
  parts.searchParams.set('host', folder);
  return parts.toString();
}

/** The same address over TCP, at another port if given: for a line between a service and its database. */
export function overTcp(url: string, port?: number): string {
  const parts = new URL(url);
  parts.searchParams.delete('host');
  if (port !== undefined) parts.port = String(port);
  return parts.toString();
}

/** Address of a Temporal server: the one from the environment, or a new one. */
export async function testTemporal(environment: Environment): Promise<TestServer> {
  const given = environment[TEMPORAL_VARIABLE];
  return given ? givenServer(given) : newTemporal(environment);
}

/** Starts a Temporal server with throwaway data; `settings` are its own, each `key=value`. */
export async function newTemporal(environment: Environment, settings: readonly string[] = []): Promise<TestServer> {
  const folder = newFastFolder();
  const port = await freePort();
  const child = await startTemporal({
    binary: await findTestTemporal(environment),
    port,
    uiPort: null,
    namespace: 'default',
    databaseFile: join(folder, 'temporal.db'),
    settings,
    searchAttributes: Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name),
  });
  return ownServer(`127.0.0.1:${port}`, child, folder);
}

function givenServer(address: string): TestServer {
  return { address, lost: new Promise(() => {}), stop: async () => {} };
}

function ownServer(address: string, child: Child, folder: string): TestServer {
  const lost = Promise.withResolvers<string>();
  let isStopping = false;
  void child.exited.then(({ code, signal }) => {
    if (!isStopping) lost.resolve(`${child.name} ended by itself (${signal ?? code}): ${reasonOf(child)}`);
  });
  const stop = async () => {
    isStopping = true;
    await child.stop(STOP_GRACE_MS);
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, lost: lost.promise, stop };
}

/** The `temporal` program, for tests that run and kill their own server. */
export function findTestTemporal(environment: Environment): Promise<string> {
  return findTemporal({
    explicitPath: environment.TEMPORAL_CLI_PATH ?? null,
    environment,
    progress: (line) => process.stderr.write(`temporal: ${line}\n`),
  });
}
