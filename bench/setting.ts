// What the comparisons run on: their own PostgreSQL and tuned Temporal server, the platform as separate processes,
// and organizations with ample authority. Both sides of a comparison use the same servers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { Pool } from 'undici';
import { dataConverter } from '../providers/temporal.ts';
import { type Platform, startPlatform } from '../test/faults/platform.ts';
import { createTestDatabase, type TestDatabase } from '../test/support/servers/database.ts';
import { CARD_PROCESSOR_VARIABLES, startProviders } from '../test/support/servers/providers.ts';
import { POSTGRES_VARIABLE, TEMPORAL_VARIABLE } from '../test/support/servers/servers.ts';
import { startSurroundings } from '../test/support/servers/surroundings.ts';
import { signToken } from '../test/support/tokens.ts';

/** A hundred million dollars: no comparison reaches the authority limit. */
const VOLUME_CENTS = 10_000_000_000;

export interface Organization {
  id: string;
  /** The `authorization` header of an org_admin user. */
  authorization: (user?: number) => Promise<string>;
}

export interface Setting {
  platform: Platform;
  http: Pool;
  /** As superuser, bypassing row-level security. */
  owner: pg.Client;
  database: TestDatabase;
  temporal: Client;
  temporalAddress: string;
  createOrganization: (name: string) => Promise<Organization>;
  stop: () => Promise<void>;
}

/** Starts everything. `TEMPORAL_ADDRESS` names another Temporal server, as to see what a cluster costs. */
export async function createSetting(taskQueuePrefix: string): Promise<Setting> {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-bench-'));
  const { TEMPORAL_ADDRESS: given } = process.env;
  if (given) process.env[TEMPORAL_VARIABLE] = given;
  const surroundings = await startSurroundings(folder);
  Object.assign(process.env, surroundings.variables);
  const temporalAddress = surroundings.variables[TEMPORAL_VARIABLE] ?? '';
  const database = await createTestDatabase({ title: 'bench' });
  await boundTheLog(surroundings.variables[POSTGRES_VARIABLE] ?? '');
  const providers = await startProviders();
  const platform = await startPlatform({
    database,
    temporalAddress,
    taskQueuePrefix,
    hasBackground: true,
    hasStrangeEvents: true,
    variables: {
      ...CARD_PROCESSOR_VARIABLES,
      CARD_PROCESSOR_BASE_URL: providers.processor.url,
      DATA_DIR: folder,
    },
  });
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const connection = await Connection.connect({ address: temporalAddress });
  const http = new Pool(platform.baseUrl, { connections: 32 });
  return {
    platform,
    http,
    owner,
    database,
    temporal: new Client({ connection, dataConverter: dataConverter(platform.config) }),
    temporalAddress,
    createOrganization: (name) => createOrganization(platform, owner, name),
    stop: async () => {
      await http.close();
      await owner.end();
      await connection.close();
      await platform.stop();
      await providers.close();
      await surroundings.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A million rows would otherwise leave gigabytes of write-ahead log in memory. */
async function boundTheLog(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query("alter system set max_wal_size = '512MB'");
  await client.query('select pg_reload_conf()');
  await client.end();
}

async function createOrganization(platform: Platform, owner: pg.Client, name: string): Promise<Organization> {
  const { status, body, text } = await platform.machine.post('/v1/organizations', { name, tier: 'enterprise' });
  if (status !== 201) throw new Error(`The organization could not be created: ${status} ${text}`);
  await owner.query('update da_contracts set max_annual_premium_volume_cents = $2 where org_id = $1', [
    body.id,
    VOLUME_CENTS,
  ]);
  const claims = { role: 'org_admin', org: body.id };
  return {
    id: body.id,
    authorization: async (user = 1) =>
      `Bearer ${await signToken(platform.config, { ...claims, sub: `usr_bench_${user}` })}`,
  };
}

/**
 * Sends one request on a kept-alive connection and returns the parsed body. @throws Error for any status other than
 * `expected`
 */
export async function call(
  http: Pool,
  method: 'GET' | 'POST',
  path: string,
  authorization: string,
  expected: number,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await http.request({
    method,
    path,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.body.text();
  if (response.statusCode !== expected) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
