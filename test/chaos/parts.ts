// The parts of an installation as separate processes, kept running by what keeps them running under `npm start`:
// PostgreSQL, Temporal, two APIs, two workers and the authentication service, each of which can be killed or frozen.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiConfig, loadApiConfig, type ProcessName, type Variables, variablesOf } from '../../config.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { environmentOf, systemEnvironment } from '../../scripts/start/environment.ts';
import { keepAlive } from '../../scripts/start/keep-alive.ts';
import { startPostgres } from '../../scripts/start/postgres.ts';
import { keepRunning } from '../../scripts/start/service.ts';
import { startTemporal } from '../../scripts/start/temporal/server.ts';
import { steadyDayFlags } from '../faults/platform.ts';
import { testVariables } from '../support/config.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { freePort } from '../support/servers/free-port.ts';
import { CARD_PROCESSOR_VARIABLES, startProviders, type TestProviders } from '../support/servers/providers.ts';
import { findTestTemporal, POSTGRES_VARIABLE } from '../support/servers/servers.ts';
import { accepts, answers, familyOf } from './processes.ts';

const ROOT = join(import.meta.dirname, '../..');
const STOP_GRACE_MS = 20_000;
const READY_LINE = /"msg":"[^"]*ready"/;
export const TASK_QUEUE_PREFIX = 'chaos';

export interface Part {
  name: string;
  /** Its processes: several for a server that runs one per connection. */
  processIds(): number[];
  /** Whether it does its work; a program that was just killed may still seem to. */
  isReady(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface Parts {
  all: Part[];
  /** Addresses of both APIs, without /v1. */
  apiUrls: string[];
  database: TestDatabase;
  config: ApiConfig;
  providers: TestProviders;
  /** Where receipts are kept. */
  dataDir: string;
  stop(): Promise<void>;
}

/** Starts all parts and waits until each is ready. `report` receives what they say about ends and starts. */
export async function startParts(report: (line: string) => void): Promise<Parts> {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-chaos-'));
  // The database server's user must be able to enter.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const providers = await startProviders();
  const [postgres, temporal] = await Promise.all([postgresPart(folder, report), temporalPart(folder, report)]);
  process.env[POSTGRES_VARIABLE] = postgres.url;
  const database = await createTestDatabase({ title: 'chaos' });
  const variables = testVariables({
    database,
    temporalAddress: temporal.address,
    taskQueuePrefix: TASK_QUEUE_PREFIX,
    variables: {
      ...CARD_PROCESSOR_VARIABLES,
      // A trial may run past midnight, and no life in it expects a date change.
      NODE_OPTIONS: steadyDayFlags().join(' '),
      ...{ ENVIRONMENT: 'local', LOG_LEVEL: process.env.BINDERY_TEST_LOG ?? 'info', DATA_DIR: dataDir },
      CARD_PROCESSOR_BASE_URL: providers.processor.url,
      // As in service: a claim on an event outlives a killed API by little more than its deadline.
      ...{ COMMAND_DEADLINE_MS: '15000', WEBHOOK_DEADLINE_MS: '8000' },
    },
  });
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const of = { folder, variables, report };
  const services = await Promise.all([
    servicePart({ ...of, name: 'api-1', process: 'api', entry: 'api/server.ts', port: ports[0] }),
    servicePart({ ...of, name: 'api-2', process: 'api', entry: 'api/server.ts', port: ports[1] }),
    servicePart({ ...of, name: 'worker-1', process: 'worker', entry: 'workers/main.ts', port: null }),
    servicePart({ ...of, name: 'worker-2', process: 'worker', entry: 'workers/main.ts', port: null }),
    servicePart({ ...of, name: 'auth', process: 'auth', entry: 'auth/server.ts', port: ports[2] }),
  ]);
  const apiUrls = [ports[0], ports[1]].map((port) => `http://127.0.0.1:${port}`);
  providers.processor.deliverTo(`${apiUrls[0]}/v1/webhooks/stripe`);
  const all = [postgres.part, temporal.part, ...services];
  await Promise.all(all.map((part) => eventually(part.isReady, { what: `the first start of ${part.name}` })));
  return {
    ...{ all, apiUrls, database, providers, dataDir },
    config: loadApiConfig(variablesOf('api', variables)),
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
      await providers.close();
      await temporal.part.stop();
      await postgres.part.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function postgresPart(folder: string, report: (line: string) => void): Promise<{ part: Part; url: string }> {
  const port = await freePort();
  const options = { folder: join(folder, 'postgres'), port, superuser: 'postgres', password: null };
  const settings = { max_connections: '300' };
  const first = await startPostgres({ ...options, settings });
  const kept = keepAlive({
    first: first.child,
    again: async (stopping) => (await startPostgres({ ...options, settings, stopping })).child,
    report: (line) => report(`postgres ${line}`),
  });
  const part: Part = {
    name: 'postgres',
    processIds: () => familyOf(kept.child().pid),
    isReady: () => accepts(port),
    stop: () => kept.stop(STOP_GRACE_MS),
  };
  return { part, url: first.url };
}

async function temporalPart(folder: string, report: (line: string) => void): Promise<{ part: Part; address: string }> {
  const port = await freePort();
  const options = {
    binary: await findTestTemporal(process.env),
    ...{ port, uiPort: null, namespace: 'default', databaseFile: join(folder, 'temporal.db') },
    searchAttributes: Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name),
  };
  const kept = keepAlive({
    first: await startTemporal(options),
    again: (stopping) => startTemporal({ ...options, stopping }),
    report: (line) => report(`temporal ${line}`),
  });
  const part: Part = {
    name: 'temporal',
    processIds: () => [kept.child().pid],
    isReady: () => accepts(port),
    stop: () => kept.stop(STOP_GRACE_MS),
  };
  return { part, address: `127.0.0.1:${port}` };
}

interface ServiceOptions {
  name: string;
  process: ProcessName;
  entry: string;
  /** Null for a part whose log says that it is ready. */
  port: number | null;
  folder: string;
  variables: Variables;
  report: (line: string) => void;
}

async function servicePart({
  name,
  process: of,
  entry,
  port,
  folder,
  variables,
  report,
}: ServiceOptions): Promise<Part> {
  const pidFile = join(folder, `${name}.pid`);
  let readyLines = 0;
  const isReady = async () => (port === null ? readyLines > 0 : answers(`http://127.0.0.1:${port}/healthz`));
  const portVariable = of === 'auth' ? 'AUTH_PORT' : 'PORT';
  const given = { ...variables, ...(port === null ? {} : { [portVariable]: String(port) }) };
  const service = await keepRunning({
    name,
    entry: join(ROOT, entry),
    env: environmentOf(of, { ...systemEnvironment(process.env), ...given }),
    ...{ pidFile, isReady },
    onLine: (line) => {
      if (READY_LINE.test(line)) readyLines += 1;
      if (process.env.BINDERY_TEST_LOG) process.stderr.write(`${name}: ${line}\n`);
    },
    report: (line) => {
      readyLines = 0;
      report(`${name} ${line}`);
    },
  });
  service.ready.catch(() => {});
  return {
    name,
    processIds: () => [Number(readFileSync(pidFile, 'utf8'))],
    isReady,
    stop: () => service.stop(STOP_GRACE_MS),
  };
}
