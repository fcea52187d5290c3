// The API's spine over a small route table of its own, a real database and no Temporal: everything that operations
// share is tested here once. Logs are kept, so that a test can check what must not be in them.
import test, { type ExecutionContext } from 'ava';
import pino from 'pino';
import { type AppParts, createApp } from '../../../api/app.ts';
import type { AppDeps } from '../../../api/spine/deps.ts';
import type { ApiConfig } from '../../../config.ts';
import type { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { newId } from '../../../db/ids.ts';
import { connectDatabase, type Database } from '../../../db/orm.ts';
import { listContracts } from '../../../db/queries/authority/authority.ts';
import { createOrganization } from '../../../db/queries/platform/new-organization.ts';
import { type HttpServer, listen } from '../../../http/http-server.ts';
import { type TestClient, testClient } from '../../support/client.ts';
import { testConfig } from '../../support/config.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { signToken, type TokenClaims } from '../../support/tokens.ts';
import { smallTable, Tracker } from './spine-table.ts';

export interface Spine {
  url: string;
  config: ApiConfig;
  database: Database;
  testDatabase: TestDatabase;
  /** Every line logged so far. */
  logs: string[];
  /** What the small table's handlers did. */
  tracker: Tracker;
  as: (role: string, claims?: Partial<TokenClaims>) => TestClient;
  with: (headers: Record<string, string>) => TestClient;
  createOrg: (tier?: 'standard' | 'enterprise') => Promise<string>;
  /** The organization's authority contract, which is the small table's "thing". */
  thingOf: (orgId: string) => Promise<DaContract>;
  orgId: string;
  server: HttpServer;
  close: () => Promise<void>;
}

export interface SpineOptions {
  variables?: Record<string, string>;
  deps?: Partial<AppParts>;
  database?: TestDatabase;
  /** Its port, if that matters. */
  port?: number;
}

const started: Spine[] = [];

test.after.always('the spines of this file are closed', async () => {
  await Promise.all(started.map((spine) => spine.close()));
});

/** Starts the spine with one organization. */
export async function startSpine(t: ExecutionContext | { title?: string }, options: SpineOptions = {}): Promise<Spine> {
  const testDatabase = options.database ?? (await createTestDatabase(t));
  const config = testConfig({
    database: testDatabase,
    temporalAddress: '127.0.0.1:1',
    taskQueuePrefix: 'none',
    variables: options.variables ?? {},
  });
  const logs: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) });
  const database = await connectDatabase({
    appUrl: config.databaseAppUrl,
    opsUrl: config.databaseOpsUrl,
    poolSize: 5,
    logger,
  });
  const tracker = new Tracker();
  const app = createApp({
    config,
    database,
    lifecycle: {} as AppDeps['lifecycle'],
    inbound: {} as AppDeps['inbound'],
    temporalAvailability: { isAvailable: () => true },
    logger,
    now: Date.now,
    routes: smallTable(tracker),
    ...options.deps,
  });
  const server = await listen(app.callback(), { port: options.port ?? 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${server.port}`;
  const createOrg = async (tier: 'standard' | 'enterprise' = 'enterprise') => {
    const id = newId('organization');
    await database.transaction(id, (em) => createOrganization(em, { id, name: 'Test organization', tier }));
    return id;
  };
  const orgId = await createOrg();
  const spine: Spine = {
    ...{ url, config, database, testDatabase, logs, orgId, server, createOrg },
    tracker,
    as: (role, claims = {}) =>
      testClient(url, async () => ({
        authorization: `Bearer ${await signToken(config, { role, org: orgId, ...claims })}`,
      })),
    with: (headers) => testClient(url, async () => headers),
    thingOf: async (id) => {
      const { data } = await database.forOrg(id, (em) => listContracts(em, { limit: 1 }));
      return data[0]!;
    },
    close: async () => {
      await server.stop(1_000);
      await app.close();
      await database.close();
    },
  };
  started.push(spine);
  return spine;
}
