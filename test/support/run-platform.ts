// A whole platform in this process: its own database and task queues, a worker, and the API on a free port.
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { connectTemporal, type TemporalLink } from '../../api/engine/temporal.ts';
import type { AppDeps } from '../../api/spine/deps.ts';
import { startApi } from '../../api/start-api.ts';
import type { ApiConfig } from '../../config.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import type { Mail, MailPort } from '../../providers/mail-port.ts';
import type { PdfEngine } from '../../providers/ports.ts';
import { type TestClient, testClient } from './client.ts';
import { testConfig, testWorkerConfig } from './config.ts';
import { checkEvents } from './event-check.ts';
import { silentLogger } from './logger.ts';
import { PATIENCE_MS } from './patience.ts';
import { runWorker } from './run-worker.ts';
import { createTestDatabase, type TestDatabase } from './servers/database.ts';
import { createTestOrganization, type TestOrganization } from './servers/organization.ts';
import {
  CARD_PROCESSOR_VARIABLES,
  INBOUND_VARIABLES,
  keptMail,
  startProviders,
  type TestProviders,
} from './servers/providers.ts';
import { TEMPORAL_VARIABLE } from './servers/servers.ts';
import { signToken, type TokenClaims } from './tokens.ts';

export interface PlatformOptions extends Pick<TestOrganization, 'monthlyReports'> {
  /** Variables as in `.env.example`. */
  variables?: Record<string, string>;
  /** A database to share; by default one of its own. */
  database?: TestDatabase;
  /** host:port of a Temporal server other than the run's. */
  temporalAddress?: string;
  /** False leaves the worker out: writes then wait for one. */
  worker?: boolean;
  /** Real time in milliseconds, for the API and the activities. */
  now?: () => number;
  logger?: Logger;
  /** Sees every answer of the API before it goes out. */
  observe?: AppDeps['observe'];
  /** Prints documents. Without it the API answers 503 for documents, and none is printed automatically. */
  pdf?: PdfEngine;
  /** Sends the worker's e-mail. By default `providers.mails` keeps it. */
  mail?: TestProviders['mail'];
  /** Sends the API's e-mail. By default `mails` keeps it. */
  apiMail?: MailPort;
  /** Has documents signed. By default `providers.signingRoom` does. */
  signing?: TestProviders['signing'];
}

/** The caller: a role, a role with other claims, or `{credential}` for a ready-made bearer credential. */
export type Caller = string | (Partial<TokenClaims> & { role: string }) | { credential: string } | { apiKey: string };

export interface Platform {
  /** Root of the API without a trailing slash; resources live under `/v1`. */
  url: string;
  config: ApiConfig;
  database: Database;
  testDatabase: TestDatabase;
  temporal: TemporalLink;
  lifecycle: AppDeps['lifecycle'];
  /** The storage, and the card processor, which delivers its events to this platform. */
  providers: TestProviders;
  /** The organization in which `as(role)` calls. */
  orgId: string;
  /** The e-mails that the API has sent. */
  mails: Mail[];
  /** Creates another organization that can quote immediately, and returns its id. */
  createOrg(name?: string): Promise<string>;
  token(claims: Partial<TokenClaims> & { role: string }): Promise<string>;
  /** A client with a token for the role in the platform's organization; `as('machine')` uses the machine secret. */
  as(caller: Caller): TestClient;
  /** A client without a credential. */
  anonymous: TestClient;
  close(): Promise<void>;
}

/** Starts a platform; the caller closes it. */
export async function runPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const testDatabase = options.database ?? (await createTestDatabase());
  const own = await startProviders();
  const { mail = own.mail, signing = own.signing } = options;
  const providers = { ...own, mail, signing };
  const input = {
    database: testDatabase,
    temporalAddress: options.temporalAddress ?? process.env[TEMPORAL_VARIABLE] ?? '127.0.0.1:7233',
    taskQueuePrefix: `test-${randomBytes(5).toString('hex')}`,
    variables: {
      ...CARD_PROCESSOR_VARIABLES,
      ...INBOUND_VARIABLES,
      CARD_PROCESSOR_BASE_URL: providers.processor.url,
      DATA_DIR: dirname(providers.folder),
      ...options.variables,
    },
  };
  const config = testConfig(input);
  const logger = options.logger ?? silentLogger;
  const { databaseAppUrl: appUrl, databaseOpsUrl: opsUrl } = config;
  const database = await connectDatabase({ appUrl, opsUrl, poolSize: config.poolSize, logger });
  const { monthlyReports = false } = options;
  const createOrg = (name = 'Test organization') =>
    createTestOrganization(database, { name, tier: 'enterprise', isDemo: false, monthlyReports });
  const clock = { now: options.now ?? Date.now, logger };
  const [orgId, temporal, worker] = await Promise.all([
    createOrg(),
    connectTemporal(config),
    options.worker === false
      ? null
      : runWorker({ ...clock, config: testWorkerConfig(input), database, providers, pdf: options.pdf ?? null }),
  ]);
  const mails: Mail[] = [];
  const { card, storage, identityVerifier } = providers;
  const api = await startApi({
    ...{ ...clock, config, database, temporal, card, storage, identityVerifier, port: 0, host: '127.0.0.1' },
    mail: options.apiMail ?? { ...keptMail(mails), close: async () => {} },
    ...(options.observe === undefined ? {} : { observe: options.observe }),
  });
  const { lifecycle } = api;
  const url = `http://127.0.0.1:${api.port}`;
  providers.processor.deliverTo(`${url}/v1/webhooks/stripe`);
  providers.signingRoom.deliverTo(`${url}/v1/esign/webhook`);
  providers.verifier.deliverTo(`${url}/v1/webhooks/persona`);
  const token = (claims: Partial<TokenClaims> & { role: string }) => signToken(config, { org: orgId, ...claims });
  const signIn = onceEach(token);
  return {
    ...{ url, mails, config, database, testDatabase, temporal, lifecycle, providers, orgId, createOrg, token },
    as: (caller) => testClient(url, () => credentialHeaders(caller, { config, orgId, signIn })),
    anonymous: testClient(url, async () => ({})),
    close: async () => {
      // Lets the card processor's pending deliveries finish first: a call to Temporal that is cut off would come back
      // to a closed connection.
      await api.stop(PATIENCE_MS);
      await providers.close();
      const stopped = Promise.resolve(worker?.stop()).then(() => checkEvents(database));
      await stopped.finally(() => Promise.all([temporal.close(), database.close()]));
    },
  };
}

/** As real callers do, a client keeps its token: signing one costs as much as the smallest of calls. */
function onceEach<Claims extends object>(sign: (claims: Claims) => Promise<string>): typeof sign {
  const signed = new Map<string, Promise<string>>();
  return (claims) => {
    const key = inspect(claims, { depth: null });
    const known = signed.get(key) ?? sign(claims);
    signed.set(key, known);
    return known;
  };
}

interface Credentials extends Pick<Platform, 'config' | 'orgId'> {
  signIn: Platform['token'];
}

async function credentialHeaders(
  caller: Caller,
  { config, orgId, signIn }: Credentials,
): Promise<Record<string, string>> {
  if (caller === 'machine') return { authorization: `Bearer ${config.apiSecret}`, 'x-org-id': orgId };
  if (typeof caller === 'object' && 'apiKey' in caller) return { 'x-api-key': caller.apiKey };
  if (typeof caller === 'object' && 'credential' in caller) return { authorization: `Bearer ${caller.credential}` };
  const claims = typeof caller === 'string' ? { role: caller } : caller;
  return { authorization: `Bearer ${await signIn(claims)}` };
}
