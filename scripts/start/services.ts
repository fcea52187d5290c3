// Our own processes, as `npm start` runs them, and the local card processor if there is no other.
import { join } from 'node:path';
import type { ProcessName, SupervisorConfig, Variables } from '../../config.ts';
import { QUEUES_IN_THE_BACKGROUND, QUEUES_OF_CALLERS } from '../../contracts/machinery/queues.ts';
import { environmentOf } from './environment.ts';
import { stopOrphan } from './orphans.ts';
import { partLog } from './part-log.ts';
import { requireFreePort } from './ports.ts';
import { report } from './progress.ts';
import { keepRunning, type Service } from './service.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORKER = join(ROOT, 'workers/main.ts');
const WORKER_GRACE_MS = 50_000;
const PROBE_TIMEOUT_MS = 2_000;

interface Definition {
  name: string;
  process: ProcessName;
  entry: string;
  args?: readonly string[];
  /** Variables whose values differ for this process. */
  variables?: (config: SupervisorConfig) => Variables;
  /** Whether it yields to the others on a busy machine. */
  isPatient?: boolean;
  stopGraceMs: number;
  /** The URL that answers once it can work. */
  healthUrl: (config: SupervisorConfig) => string;
  /** Default: it always runs. */
  isNeeded?: (config: SupervisorConfig) => boolean;
}

/** In stopping order: first no new requests arrive, then work finishes, then sign-in and the card processor stop. */
const SERVICES: readonly Definition[] = [
  {
    name: 'api',
    process: 'api',
    entry: join(ROOT, 'api/server.ts'),
    stopGraceMs: 20_000,
    healthUrl: ({ port }) => `http://127.0.0.1:${port}/healthz`,
  },
  {
    name: 'worker',
    process: 'worker',
    entry: WORKER,
    args: ['--queues', QUEUES_OF_CALLERS.join(',')],
    stopGraceMs: WORKER_GRACE_MS,
    healthUrl: ({ workerPort }) => `http://127.0.0.1:${workerPort}/readyz`,
  },
  // decisions/0198
  {
    name: 'background',
    process: 'worker',
    entry: WORKER,
    args: ['--queues', QUEUES_IN_THE_BACKGROUND.join(',')],
    variables: ({ backgroundWorkerPort: port }) => ({ WORKER_PORT: String(port) }),
    isPatient: true,
    stopGraceMs: WORKER_GRACE_MS,
    healthUrl: ({ backgroundWorkerPort: port }) => `http://127.0.0.1:${port}/readyz`,
  },
  {
    name: 'auth',
    process: 'auth',
    entry: join(ROOT, 'auth/server.ts'),
    stopGraceMs: 10_000,
    healthUrl: ({ authPort }) => `http://127.0.0.1:${authPort}/healthz`,
  },
  {
    name: 'card-processor',
    process: 'card-processor',
    entry: join(ROOT, 'stand-ins/card-processor/main.ts'),
    stopGraceMs: 5_000,
    healthUrl: (config) => `${localCardProcessorUrl(config)}/healthz`,
    isNeeded: (config) => localCardProcessorUrl(config) !== null,
  },
];

/**
 * Ends services left behind by a killed supervisor and makes sure that the ports are free.
 * @throws StartError naming the port that is taken
 */
export async function clearTheWay(config: SupervisorConfig, runFolder: string): Promise<void> {
  await Promise.all(SERVICES.map(({ name, entry }) => stopOrphan(pidFile(runFolder, name), entry)));
  await requireFreePort('the API', config.port, 'PORT');
  await requireFreePort('the authentication service', config.authPort, 'AUTH_PORT');
  await requireFreePort('the worker', config.workerPort, 'WORKER_PORT');
  await requireFreePort('the background worker', config.backgroundWorkerPort, 'BACKGROUND_WORKER_PORT');
  const { localCardProcessorPort: port } = config;
  if (port !== null) await requireFreePort('the local card processor', port, 'CARD_PROCESSOR_PORT');
}

/** The URL of the local card processor; null if another is configured. */
export function localCardProcessorUrl({ localCardProcessorPort: port }: SupervisorConfig): string | null {
  return port === null ? null : `http://127.0.0.1:${port}`;
}

/** Starts all services in parallel, each with only the variables that it reads; none is ready yet. */
export function startServices(
  config: SupervisorConfig,
  folders: { run: string; logs: string },
  variables: Variables,
): Promise<Service[]> {
  const needed = SERVICES.filter(({ isNeeded }) => isNeeded?.(config) ?? true);
  return Promise.all(needed.map((definition) => startService(definition, config, folders, variables)));
}

function startService(
  { name, process, entry, args = [], variables: own, isPatient = false, healthUrl }: Definition,
  config: SupervisorConfig,
  folders: { run: string; logs: string },
  variables: Variables,
): Promise<Service> {
  return keepRunning({
    name,
    ...{ entry, args },
    env: environmentOf(process, { ...variables, ...own?.(config) }),
    isPatient,
    pidFile: pidFile(folders.run, name),
    isReady: () => answers(healthUrl(config)),
    onLine: partLog(folders.logs, name),
    report: (text) => report(name, text),
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}

/** Stops services in list order, one after another. */
export async function stopServices(services: readonly Service[]): Promise<void> {
  for (const { name, stopGraceMs } of SERVICES) {
    await services.find((service) => service.name === name)?.stop(stopGraceMs);
  }
}

function pidFile(runFolder: string, name: string): string {
  return join(runFolder, `${name}.pid`);
}
