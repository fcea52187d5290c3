// Our own processes, as `npm start` runs them, and the local card processor where there is no other.
import { join } from 'node:path';
import type { ProcessName, SupervisorConfig, Variables } from '../../config.ts';
import { environmentOf } from './environment.ts';
import { stopOrphan } from './orphans.ts';
import { partLog } from './part-log.ts';
import { requireFreePort } from './ports.ts';
import { report } from './progress.ts';
import { keepRunning, type Service } from './service.ts';

const ROOT = join(import.meta.dirname, '../..');
const PROBE_TIMEOUT_MS = 2_000;

interface Definition {
  name: ProcessName;
  entry: string;
  stopGraceMs: number;
  /** Where it answers when it can work. */
  healthUrl: (config: SupervisorConfig) => string;
  /** Left out: it always runs. */
  isNeeded?: (config: SupervisorConfig) => boolean;
}

/**
 * In the order in which they stop: first no new requests arrive, then work finishes, then sign-in and the card
 * processor end.
 */
const SERVICES: readonly Definition[] = [
  {
    name: 'api',
    entry: join(ROOT, 'api/server.ts'),
    stopGraceMs: 20_000,
    healthUrl: ({ port }) => `http://127.0.0.1:${port}/healthz`,
  },
  {
    name: 'worker',
    entry: join(ROOT, 'workers/main.ts'),
    stopGraceMs: 50_000,
    healthUrl: ({ workerPort }) => `http://127.0.0.1:${workerPort}/readyz`,
  },
  {
    name: 'auth',
    entry: join(ROOT, 'auth/server.ts'),
    stopGraceMs: 10_000,
    healthUrl: ({ authPort }) => `http://127.0.0.1:${authPort}/healthz`,
  },
  {
    name: 'card-processor',
    entry: join(ROOT, 'stand-ins/card-processor/main.ts'),
    stopGraceMs: 5_000,
    healthUrl: (config) => `${localCardProcessorUrl(config)}/healthz`,
    isNeeded: (config) => localCardProcessorUrl(config) !== null,
  },
];

/**
 * Ends services that a killed supervisor left and makes sure that the ports are free.
 * @throws StartError naming the port that is taken
 */
export async function clearTheWay(config: SupervisorConfig, runFolder: string): Promise<void> {
  await Promise.all(SERVICES.map(({ name, entry }) => stopOrphan(pidFile(runFolder, name), entry)));
  await requireFreePort('the API', config.port, 'PORT');
  await requireFreePort('the authentication service', config.authPort, 'AUTH_PORT');
  await requireFreePort('the worker', config.workerPort, 'WORKER_PORT');
  const { localCardProcessorPort: port } = config;
  if (port !== null) await requireFreePort('the local card processor', port, 'CARD_PROCESSOR_PORT');
}

/** Where the local card processor answers; null where there is another. */
export function localCardProcessorUrl({ localCardProcessorPort: port }: SupervisorConfig): string | null {
  return port === null ? null : `http://127.0.0.1:${port}`;
}

/** Starts all services side by side, each with those of the variables that it reads; none is ready yet. */
export function startServices(
  config: SupervisorConfig,
  folders: { run: string; logs: string },
  variables: Variables,
): Promise<Service[]> {
  const needed = SERVICES.filter(({ isNeeded }) => isNeeded?.(config) ?? true);
  return Promise.all(needed.map((definition) => startService(definition, config, folders, variables)));
}

function startService(
  { name, entry, healthUrl }: Definition,
  config: SupervisorConfig,
  folders: { run: string; logs: string },
  variables: Variables,
): Promise<Service> {
  return keepRunning({
    name,
    entry,
    env: environmentOf(name, variables),
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

/** Stops services in the order of the list, each after the one before. */
export async function stopServices(services: readonly Service[]): Promise<void> {
  for (const { name, stopGraceMs } of SERVICES) {
    await services.find((service) => service.name === name)?.stop(stopGraceMs);
  }
}

function pidFile(runFolder: string, name: string): string {
  return join(runFolder, `${name}.pid`);
}
