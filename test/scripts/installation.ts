// An installation of `npm start` for a test: its own data folder and ports, and the supervisor as a real process.
import { type ChildProcess, spawn } from 'node:child_process';
import type { ExecutionContext } from 'ava';
import { findTemporal } from '../../scripts/start/temporal/binary.ts';
import { freePort } from '../support/servers/free-port.ts';
import { BUNDLE_VARIABLE } from '../support/servers/servers.ts';
import { bareEnvironment, collect, type Ended, emptyFolder, ROOT } from './run-script.ts';

const PORTS = [
  ...['PORT', 'AUTH_PORT', 'WORKER_PORT', 'BACKGROUND_WORKER_PORT', 'CARD_PROCESSOR_PORT'],
  ...['POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'],
];

/**
 * The end of the output of a platform that stopped cleanly. A part may warn about what it breaks off, which the next
 * start carries out; none restarts, and none meets an unexpected error.
 */
export const STOPPED_IN_ORDER =
  /bindery +stopping\n((?!.*(starts again|runs again|stop failed|unexpected error))[\w-]+ +.*\n)*bindery +stopped\n$/;

export interface Installation {
  dataDir: string;
  env: NodeJS.ProcessEnv;
}

export interface Running {
  process: ChildProcess;
  /** Everything up to the end of the banner. */
  output: string;
  startedInMs: number;
  ended: Promise<Ended>;
}

/**
 * A place for an installation; nothing runs there yet.
 * @param bundlesWorkflows whether its start bundles the workflows as a new user's does, or uses those that the run
 * prepared
 */
export async function installation({ bundlesWorkflows = false } = {}): Promise<Installation> {
  const dataDir = emptyFolder();
  const ports: Record<string, string> = {};
  for (const name of PORTS) ports[name] = String(await freePort());
  const { [BUNDLE_VARIABLE]: prepared } = process.env;
  const bundle = bundlesWorkflows ? await emptyCache() : { WORKFLOW_BUNDLE: prepared };
  return { dataDir, env: bareEnvironment({ ...ports, ...bundle, DATA_DIR: dataDir }) };
}

/** A user's cache without bundles; the Temporal server, which takes minutes to build, comes from the real one. */
async function emptyCache(): Promise<NodeJS.ProcessEnv> {
  const search = { explicitPath: null, environment: process.env, progress: () => {} };
  return { XDG_CACHE_HOME: emptyFolder(), TEMPORAL_CLI_PATH: await findTemporal(search) };
}

/** Starts the platform and waits for the end of its banner. */
export async function start(t: ExecutionContext, { env }: Installation, ...args: string[]): Promise<Running> {
  const startedAt = Date.now();
  const process = spawn(globalThis.process.execPath, ['scripts/start.ts', ...args], { cwd: ROOT, env });
  t.teardown(() => process.kill('SIGKILL'));
  const ended = collect(process);
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    process.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Stop with Ctrl-C.')) resolve();
    });
    void ended.then(({ stderr }) => reject(new Error(`It ended before it was ready:\n${output}\n${stderr}`)));
  });
  await ready;
  return { process, output, startedInMs: Date.now() - startedAt, ended };
}
