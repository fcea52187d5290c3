// Brings the platform up part by part, keeps each part running, and shuts everything down in order. It leaves
// externally provided parts alone.
import { join, relative, resolve } from 'node:path';
import {
  loadApiConfig,
  loadAuthConfig,
  loadSupervisorConfig,
  loadWorkerConfig,
  payloadKeysIn,
  SECRET_NAMES,
  type SupervisorConfig,
  type Variables,
  variablesOf,
} from '../../config.ts';
import { demoDate } from '../demo/demo-date.ts';
import { banner } from './banner.ts';
import type { CodecServer } from './codec-server.ts';
import { type DatabaseUrls, provideDatabase } from './database.ts';
import { provideTemporal } from './engine.ts';
import { environmentOf } from './environment.ts';
import type { KeptProgram } from './keep-alive.ts';
import { claimDataFolder, makeDataFolder } from './lock.ts';
import { migrate } from './migration.ts';
import { partLog } from './part-log.ts';
import { requireDistinctPorts } from './ports.ts';
import { report, step } from './progress.ts';
import { keepPorts } from './running-ports.ts';
import { EVENT_SECRET_NAMES, keepSecrets, type Secrets } from './secrets.ts';
import type { Service } from './service.ts';
import { clearTheWay, localCardProcessorUrl, startServices, stopServices } from './services.ts';
import { type Watch, watchSources } from './watch.ts';
import { bundledIn, folderOfBundles } from './workflows.ts';

const ROOT = join(import.meta.dirname, '../..');
const DAY_MS = 86_400_000;
const EXAMPLE_STARTS_IN_DAYS = 14;
const SERVER_STOP_GRACE_MS = 15_000;

interface ReadyDatabase {
  urls: DatabaseUrls;
  /** Null without a demo organization. */
  demoOrgId: string | null;
}

interface Folders {
  data: string;
  run: string;
  logs: string;
}

/** Everything that one `npm start` runs; it can be stopped at any point while starting. */
export class Supervisor {
  readonly #startedAt = Date.now();
  #postgres: KeptProgram | null = null;
  #temporal: KeptProgram | null = null;
  #codec: CodecServer | null = null;
  #services: Service[] = [];
  #watch: Watch | null = null;
  #releaseDataFolder: () => void = () => {};
  #stopped: Promise<void> | null = null;

  /**
   * Starts everything and shows the banner.
   * @param isWatching whether source changes restart the processes that run it
   * @throws StartError or ConfigError telling the person what to do
   */
  async start(variables: Variables, isWatching: boolean): Promise<void> {
    const config = loadSupervisorConfig(variables);
    requireDistinctPorts(config);
    const folders = foldersOf(config);
    makeDataFolder(folders.data);
    this.#releaseDataFolder = claimDataFolder(folders.run);
    const secrets = keepSecrets(folders.data, config.environment);
    await clearTheWay(config, folders.run);
    keepPorts(folders.run, config);
    const [database, temporalAddress, workflows] = await Promise.all([
      this.#startDatabase(variables, config, secrets, folders),
      this.#startTemporal(config, folders, secrets),
      // A worker restarted after a source change bundles the workflows itself.
      isWatching ? undefined : bundledWorkflows(variables, folders),
    ]);
    const complete: Variables = {
      ...completeVariables(variables, config, secrets, { database, temporalAddress }),
      WORKFLOW_BUNDLE: workflows,
    };
    loadApiConfig(variablesOf('api', complete));
    loadWorkerConfig(variablesOf('worker', complete));
    loadAuthConfig(variablesOf('auth', complete));
    await this.#startServices(config, folders, complete);
    if (isWatching && !this.#stopped) this.#watch = watchSources(ROOT, this.#services);
    const demoApiKey = config.demo ? (config.demoApiKey ?? secrets.demoApiKey) : null;
    const today = await demoDate(`http://localhost:${config.port}`, complete.API_SECRET ?? null);
    if (!this.#stopped) process.stdout.write(this.#banner(config, folders, demoApiKey, today));
  }

  /** Stops what was started, one after another: api, workers, auth, card processor, Temporal, PostgreSQL. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopInOrder();
    return this.#stopped;
  }

  async #startDatabase(
    variables: Variables,
    config: SupervisorConfig,
    secrets: Secrets,
    folders: Folders,
  ): Promise<ReadyDatabase> {
    const log = partLog(folders.logs, 'postgres', () => null);
    const text = config.databaseUrl ? 'using the server of DATABASE_URL' : `starting on port ${config.postgresPort}`;
    const { urls, server } = await step('postgres', text, () => provideDatabase(config, secrets, folders.data, log));
    this.#postgres = server;
    const migrationLog = partLog(folders.logs, 'migration', () => null);
    const environment = migrationVariables(variables, config, secrets, urls);
    const demoOrgId = await step('postgres', 'migrating', () =>
      migrate(environmentOf('migration', environment), migrationLog),
    );
    return { urls, demoOrgId };
  }

  async #startTemporal(config: SupervisorConfig, folders: Folders, secrets: Secrets): Promise<string> {
    const log = partLog(folders.logs, 'temporal', () => null);
    const { payloadKeys } = config;
    const keys = payloadKeys.length > 0 ? payloadKeys : payloadKeysIn(secrets.PAYLOAD_KEYS);
    const { address, server, codec } = await provideTemporal(config, folders.data, keys, log);
    this.#temporal = server;
    this.#codec = codec;
    return address;
  }

  async #startServices(config: SupervisorConfig, folders: Folders, variables: Variables): Promise<void> {
    if (this.#stopped) return;
    this.#services = await startServices(config, folders, variables);
    const names = this.#services.map(({ name }) => name).join(', ');
    await step('services', `starting ${names}`, () => Promise.all(this.#services.map((service) => service.ready)));
  }

  #banner(config: SupervisorConfig, folders: Folders, demoApiKey: string | null, today: string): string {
    return banner({
      apiUrl: `http://localhost:${config.port}`,
      authUrl: `http://localhost:${config.authPort}`,
      temporalUiUrl: this.#temporal ? `http://localhost:${config.temporalUiPort}` : null,
      cardProcessorUrl: localCardProcessorUrl(config),
      logFolder: folders.logs.startsWith(ROOT) ? relative(process.cwd(), folders.logs) : folders.logs,
      demoApiKey,
      effectiveDate: new Date(Date.parse(today) + EXAMPLE_STARTS_IN_DAYS * DAY_MS).toISOString().slice(0, 10),
      secondsToStart: ((Date.now() - this.#startedAt) / 1000).toFixed(1),
    });
  }

  async #stopInOrder(): Promise<void> {
    const isRunning = this.#services.length > 0 || this.#temporal !== null || this.#postgres !== null;
    if (isRunning) report('bindery', 'stopping');
    this.#watch?.stop();
    await stopServices(this.#services);
    await this.#temporal?.stop(SERVER_STOP_GRACE_MS);
    await this.#codec?.stop();
    await this.#postgres?.stop(SERVER_STOP_GRACE_MS);
    this.#releaseDataFolder();
    if (isRunning) report('bindery', 'stopped');
  }
}

function foldersOf(config: SupervisorConfig): Folders {
  const data = resolve(ROOT, config.dataDir);
  return { data, run: join(data, 'run'), logs: join(data, 'logs') };
}

/** The workflow bundle: the one named by a variable, or one of our own. */
function bundledWorkflows(variables: Variables, { data, logs }: Folders): Promise<string> | string {
  return variables.WORKFLOW_BUNDLE || bundledIn(folderOfBundles(variables, data), partLog(logs, 'workflows'));
}

function migrationVariables(
  variables: Variables,
  config: SupervisorConfig,
  secrets: Secrets,
  urls: DatabaseUrls,
): Variables {
  return {
    ...variables,
    DATABASE_URL: urls.owner,
    DATABASE_APP_URL: urls.app,
    DATABASE_OPS_URL: urls.ops,
    DATABASE_AUTH_URL: urls.auth,
    DEMO_API_KEY: config.demoApiKey ?? secrets.demoApiKey,
  };
}

/** The given configuration, completed with generated values; each service gets its part. */
function completeVariables(
  variables: Variables,
  config: SupervisorConfig,
  secrets: Secrets,
  { database, temporalAddress }: { database: ReadyDatabase; temporalAddress: string },
): Variables {
  const generated = Object.fromEntries(SECRET_NAMES.map((name) => [name, variables[name] || secrets[name]]));
  return {
    ...variables,
    ...generated,
    ...eventVariables(variables, secrets),
    ...cardVariables(variables, config, secrets),
    DATABASE_APP_URL: database.urls.app,
    DATABASE_OPS_URL: database.urls.ops,
    DATABASE_AUTH_URL: database.urls.auth,
    TEMPORAL_ADDRESS: temporalAddress,
    PAYLOAD_KEYS: variables.PAYLOAD_KEYS || secrets.PAYLOAD_KEYS,
    DEFAULT_ORG_ID: config.defaultOrgId ?? database.demoOrgId ?? undefined,
  };
}

/** The secrets that event senders sign with. The card processor's is only added if it is the local one. */
function eventVariables(variables: Variables, secrets: Secrets): Variables {
  const names = EVENT_SECRET_NAMES.filter((name) => name !== 'CARD_PROCESSOR_WEBHOOK_SECRET');
  return Object.fromEntries(names.map((name) => [name, variables[name] || secrets[name]]));
}

/** How the services and the local card processor reach and trust each other; empty if another processor is used. */
function cardVariables(variables: Variables, config: SupervisorConfig, secrets: Secrets): Variables {
  const baseUrl = localCardProcessorUrl(config);
  if (baseUrl === null) return {};
  return {
    CARD_PROCESSOR_SECRET_KEY: secrets.cardProcessorKey,
    CARD_PROCESSOR_WEBHOOK_SECRET: variables.CARD_PROCESSOR_WEBHOOK_SECRET || secrets.CARD_PROCESSOR_WEBHOOK_SECRET,
    CARD_PROCESSOR_BASE_URL: baseUrl,
    CARD_PROCESSOR_PORT: String(config.localCardProcessorPort),
  };
}
