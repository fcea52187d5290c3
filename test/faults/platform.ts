// The platform as an installation runs it: the API and a worker as separate processes that can be killed and
// restarted.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ApiConfig, loadApiConfig, type ProcessName, variablesOf } from '../../config.ts';
import {
  QUEUES,
  QUEUES_IN_THE_BACKGROUND,
  QUEUES_OF_CALLERS,
  type QueueName,
} from '../../contracts/machinery/queues.ts';
import { giveWay } from '../../providers/threads/processor-share.ts';
import { type Child, launch } from '../../scripts/start/child.ts';
import { environmentOf, systemEnvironment } from '../../scripts/start/environment.ts';
import { type RequestOptions, type TestClient, testClient } from '../support/client.ts';
import { testVariables } from '../support/config.ts';
import { checkEventsIn } from '../support/event-check.ts';
import { eventually } from '../support/eventually.ts';
import type { TestDatabase } from '../support/servers/database.ts';
import { freePort } from '../support/servers/free-port.ts';
import { signToken, type TokenClaims } from '../support/tokens.ts';

const ROOT = join(import.meta.dirname, '../..');
const API = 'api/server.ts';
const WORKER = 'workers/main.ts';
const STEADY_DAY = 'test/faults/steady-day.ts';
const STOP_GRACE_MS = 10_000;
const DAY_MS = 86_400_000;

export interface PlatformOptions {
  database: Pick<TestDatabase, 'appUrl' | 'opsUrl'>;
  temporalAddress: string;
  taskQueuePrefix: string;
  /** Variables as in `.env.example`. */
  variables?: Record<string, string>;
  /** Whether documents are printed; on by default. Printing takes more of the machine than everything else together. */
  printsDocuments?: boolean;
  /** Whether events and e-mail go out; on by default. A worker without them starts sooner. */
  deliversEvents?: boolean;
  /** Whether a second worker serves background work, as with `npm start`; by default one worker serves everything. */
  hasBackground?: boolean;
  /** Whether something else also writes events, unlike those in the catalogue. */
  hasStrangeEvents?: boolean;
  /** Whether business days begin at the current time of day, so that midnight UTC changes no date. */
  hasSteadyDay?: boolean;
  /** For the Node.js process that runs the API. */
  apiFlags?: readonly string[];
  /** Receives each line of their logs; by default they go to stderr. */
  onLine?: (line: string) => void;
}

/** One process that can come and go. */
export interface Service {
  /** Starts it without waiting until it serves. */
  start(): Promise<void>;
  /** Kills it with SIGKILL: it cannot finish anything. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Its process id. @throws Error when it is not running */
  pid(): number;
}

export interface Platform {
  /** Without /v1. */
  baseUrl: string;
  /** The second API's address. */
  secondUrl: string;
  /** Where the worker's status server listens. */
  workerUrl: string;
  /** Where the background worker's status server listens. */
  backgroundUrl: string;
  config: ApiConfig;
  api: Service;
  /** Not started with the platform. */
  secondApi: Service;
  worker: Service;
  /** Not started with the platform. */
  secondWorker: Service;
  /** A client of the API, or of the one at another address, with a token for these claims. */
  as(claims: TokenClaims, url?: string): Promise<TestClient>;
  /** A client with the machine secret. */
  machine: TestClient;
  /** Waits until the API, or the one at another address, answers requests. */
  ready(url?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an API and a worker and waits until the API answers. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const [port, secondPort, workerPort] = [await freePort(), await freePort(), await freePort()];
  const backgroundPort = options.hasBackground ? await freePort() : workerPort;
  const variables = variablesFor(options, { PORT: String(port), WORKER_PORT: String(workerPort) });
  const config = loadApiConfig(variablesOf('api', variables));
  const [baseUrl, secondUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${secondPort}`];
  const { hasBackground = false, onLine } = options;
  const days = options.hasSteadyDay ? steadyDayFlags() : [];
  const apiFlags = [...days, ...(options.apiFlags ?? [])];
  const unserved = unservedQueues(options);
  const serving = (queues: readonly QueueName[]) => {
    const served = queues.filter((queue) => !unserved.includes(queue));
    return [...days, WORKER, '--queues', served.join(',')];
  };
  const args = serving(hasBackground ? QUEUES_OF_CALLERS : QUEUES);
  const api = service('api', { args: [...apiFlags, API], variables, onLine });
  const secondVariables = { ...variables, PORT: String(secondPort) };
  const secondApi = service('api', { args: [...apiFlags, API], variables: secondVariables, onLine });
  const worker = service('worker', { args, variables, onLine });
  const secondWorker = service('worker', { args, variables: { ...variables, WORKER_PORT: '0' }, onLine });
  const background = service('worker', {
    args: serving(QUEUES_IN_THE_BACKGROUND),
    variables: { ...variables, WORKER_PORT: String(backgroundPort) },
    onLine,
  });
  const platform: Platform = {
    ...{ baseUrl, secondUrl, config, api, secondApi, worker, secondWorker },
    workerUrl: `http://127.0.0.1:${workerPort}`,
    backgroundUrl: `http://127.0.0.1:${backgroundPort}`,
    as: async (claims, url = baseUrl) => bearer(url, await signToken(config, claims)),
    machine: bearer(baseUrl, config.apiSecret),
    ready: (url = baseUrl) => answers(url),
    stop: async () => {
      await Promise.all([api.stop(), secondApi.stop()]);
      await Promise.all([worker.stop(), secondWorker.stop(), background.stop()]);
      if (!options.hasStrangeEvents) await checkEventsIn(options.database);
    },
  };
  await Promise.all([api.start(), worker.start(), ...(hasBackground ? [background.start()] : [])]);
  if (hasBackground) giveWay(background.pid());
  await platform.ready();
  return platform;
}

function unservedQueues({ printsDocuments = true, deliversEvents = true }: PlatformOptions): QueueName[] {
  const deliveries: QueueName[] = deliversEvents ? [] : ['events', 'email'];
  return printsDocuments ? deliveries : [...deliveries, 'documents'];
}

/** Node.js flags for every process of an installation. */
export function steadyDayFlags(nowMs = Date.now()): string[] {
  const url = pathToFileURL(join(ROOT, STEADY_DAY));
  url.searchParams.set('begins', String(nowMs % DAY_MS));
  return ['--import', url.href];
}

function variablesFor(options: PlatformOptions, ports: Record<string, string>): Record<string, string> {
  const { BINDERY_TEST_LOG = 'error' } = process.env;
  const variables = { ENVIRONMENT: 'local', ...ports, LOG_LEVEL: BINDERY_TEST_LOG, ...options.variables };
  return testVariables({ ...options, variables });
}

function bearer(baseUrl: string, credential: string): TestClient {
  return testClient(baseUrl, async () => ({ authorization: `Bearer ${credential}` }));
}

interface Started {
  args: readonly string[];
  variables: Record<string, string>;
  onLine: ((line: string) => void) | undefined;
}

function service(name: ProcessName, { args, variables, onLine: given }: Started): Service {
  const env = environmentOf(name, { ...systemEnvironment(process.env), ...variables });
  let child: Child | null = null;
  const end = async (how: (running: Child) => Promise<unknown>) => {
    const running = child;
    child = null;
    if (running) await how(running);
  };
  return {
    start: async () => {
      if (child) throw new Error(`The ${name} runs already`);
      const onLine = given ?? ((line: string) => process.stderr.write(`${name}: ${line}\n`));
      child = await launch({ name, command: process.execPath, args, cwd: ROOT, env, onLine });
    },
    kill: () => end(killNow),
    stop: () => end((running) => running.stop(STOP_GRACE_MS)),
    pid: () => {
      if (!child) throw new Error(`The ${name} does not run`);
      return child.pid;
    },
  };
}

/** Kills a process with SIGKILL and waits until it is gone. */
export async function killNow(child: Child): Promise<void> {
  process.kill(child.pid, 'SIGKILL');
  await child.exited;
}

async function answers(baseUrl: string): Promise<void> {
  await eventually(
    () =>
      fetch(`${baseUrl}/healthz`)
        .then((response) => response.ok)
        .catch(() => false),
    { what: 'the api to answer' },
  );
}

/** The outcome of a request that may be cut off: an answer, or null when the connection broke. */
export async function attempt(
  client: TestClient,
  path: string,
  body: unknown,
  options: RequestOptions,
): Promise<Awaited<ReturnType<TestClient['post']>> | null> {
  try {
    return await client.post(path, body, options);
  } catch {
    return null;
  }
}
