// One PostgreSQL cluster, driven through its own programs: create, start, wait, and explain a broken folder.
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Child, launch, reasonOf } from './child.ts';
import { findPostgresBinaries, type PostgresBinaries } from './cluster/binaries.ts';
import { postgresUser, type SystemUser } from './cluster/user.ts';
import { runningProcess, stopOrphan } from './orphans.ts';
import { StartError } from './start-error.ts';

const MAJOR_VERSION = '18';
const READY_TIMEOUT_MS = 180_000;
const READY_LINE = 'database system is ready to accept connections';

export interface ClusterOptions {
  folder: string;
  port: number;
  superuser: string;
  /** Null trusts every local connection: for tests. */
  password: string | null;
  settings?: Readonly<Record<string, string>>;
  /** How long it may take to accept connections; a recovery takes longer than a start. */
  readyTimeoutMs?: number;
  /** Cancels a start in progress. */
  stopping?: AbortSignal;
  onLine?: (line: string) => void;
}

export interface Cluster {
  child: Child;
  /** The superuser's connection URL for the database `postgres`. */
  url: string;
}

/**
 * Starts the cluster in `folder`, creating it if the folder is absent or empty.
 * @throws StartError if the folder holds something else or the server does not come up
 */
export async function startPostgres(options: ClusterOptions): Promise<Cluster> {
  const user = postgresUser();
  const binaries = findPostgresBinaries(user);
  if (isAbsentOrEmpty(options.folder)) createCluster(options, binaries, user);
  requireUsableCluster(options.folder);
  await stopServerOfBefore(options.folder);
  const child = await launchServer(options, binaries, user);
  const password = options.password === null ? '' : `:${encodeURIComponent(options.password)}`;
  return { child, url: `postgres://${options.superuser}${password}@127.0.0.1:${options.port}/postgres` };
}

function isAbsentOrEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

/**
 * The cluster is created beside its final location and moved there, so that a partial one is never taken for
 * complete.
 */
function createCluster(options: ClusterOptions, binaries: PostgresBinaries, user: SystemUser | null): void {
  const unfinished = `${options.folder}.unfinished`;
  const passwordFile = `${options.folder}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(options.folder), { recursive: true });
  mkdirSync(unfinished, { mode: 0o700 });
  if (user) chownSync(unfinished, user.uid, user.gid);
  const access = options.password === null ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  if (options.password !== null) writeOwned(passwordFile, options.password, user);
  try {
    const args = [
      `--pgdata=${unfinished}`,
      `--username=${options.superuser}`,
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    ];
    const result = spawnSync(binaries.initdb, [...args, ...access], {
      cwd: '/',
      encoding: 'utf8',
      uid: user?.uid,
      gid: user?.gid,
    });
    if (result.status !== 0) throw new StartError(initFailure(options.folder, result.stderr));
  } finally {
    rmSync(passwordFile, { force: true });
  }
  rmSync(options.folder, { recursive: true, force: true });
  renameSync(unfinished, options.folder);
}

function initFailure(folder: string, output: string): string {
  const reason = output.trim().split('\n').at(-1) ?? 'no reason given';
  return `PostgreSQL could not create its data in ${folder} (${reason}): check that the disk has room and the folder may be written, or set DATA_DIR.`;
}

function writeOwned(path: string, content: string, user: SystemUser | null): void {
  writeFileSync(path, content, { mode: 0o600 });
  if (user) chownSync(path, user.uid, user.gid);
}

function requireUsableCluster(folder: string): void {
  const versionFile = join(folder, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new StartError(
      `${folder} has files but no PostgreSQL data: move that folder away and start again, or set DATA_DIR.`,
    );
  }
  const version = readFileSync(versionFile, 'utf8').trim();
  if (version === MAJOR_VERSION) return;
  throw new StartError(
    `${folder} was written by PostgreSQL ${version} and this is ${MAJOR_VERSION}: dump it with the old version, or move that folder away and start again.`,
  );
}

/**
 * Stops a server that a killed supervisor left running on the folder. PostgreSQL takes any process with the id in its
 * file for the server, so a stale file is removed.
 */
export async function stopServerOfBefore(folder: string): Promise<void> {
  const pidFile = join(folder, 'postmaster.pid');
  const isAnotherServer = runningProcess(pidFile, folder) === null && runningProcess(pidFile, 'postgres') !== null;
  if (!isAnotherServer) await stopOrphan(pidFile, folder, 'SIGINT');
}

async function launchServer(
  options: ClusterOptions,
  binaries: PostgresBinaries,
  user: SystemUser | null,
): Promise<Child> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    unix_socket_directories: '',
    ...options.settings,
  };
  const ready = Promise.withResolvers<void>();
  const child = await launch({
    name: 'postgres',
    command: binaries.postgres,
    args: ['-D', options.folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    cwd: '/',
    ...(user ? { user } : {}),
    stopSignal: 'SIGINT',
    orphanGraceSeconds: 60,
    onLine: (line) => {
      if (line.includes(READY_LINE)) ready.resolve();
      options.onLine?.(line);
    },
  });
  const giveUp = () => ready.reject(new StartError('PostgreSQL was stopped while it started.'));
  options.stopping?.addEventListener('abort', giveUp);
  const timeout = setTimeout(
    () => ready.reject(new StartError(startFailure(options.folder, child))),
    options.readyTimeoutMs ?? READY_TIMEOUT_MS,
  );
  void child.exited.then(() => ready.reject(new StartError(startFailure(options.folder, child))));
  try {
    await ready.promise;
    return child;
  } catch (error) {
    await child.stop(5_000);
    throw error;
  } finally {
    clearTimeout(timeout);
    options.stopping?.removeEventListener('abort', giveUp);
  }
}

function startFailure(folder: string, child: Child): string {
  const reason = reasonOf(child).replace(/^.*?(FATAL|PANIC):\s*/, '');
  return `PostgreSQL did not start on ${folder} (${reason}): if the data there is damaged, restore it from a backup or move that folder away and start again.`;
}
