// How often the API waits for the database in its most frequent calls. Decisions 0025 and 0027.
import test from 'ava';
import type { TestClient } from '../../support/client.ts';
import { bodyOf, risk } from '../../support/house.ts';
import { startPlatform } from '../../support/platform.ts';
import type { Platform } from '../../support/run-platform.ts';
import { createTestDatabase } from '../../support/servers/database.ts';
import { type Proxy as Line, startProxy } from '../../support/servers/proxy.ts';
import { overTcp } from '../../support/servers/servers.ts';

/** An API whose worker is elsewhere, and its line to the database. */
let api: Platform;
let line: Line;
let admin: TestClient;

test.before(async (t) => {
  const database = await createTestDatabase(t);
  const { config } = await startPlatform(t, { database });
  // On a clock that stands still, the facts of the caller's organization stay fresh once they have been read.
  const nowMs = Date.now() + 60_000;
  line = await startProxy(Number(new URL(database.appUrl).port));
  api = await startPlatform(t, {
    ...{ database: { ...database, appUrl: overTcp(database.appUrl, line.port) }, worker: false, now: () => nowMs },
    variables: { TASK_QUEUE_PREFIX: config.taskQueuePrefix },
  });
  admin = api.as('org_admin');
  // The first calls open connections and read those facts.
  await bound();
});

test.after.always(() => line?.close());

test.serial('a bind reads what it needs to admit the call in one round trip, and its answer in another', async (t) => {
  const id = await quoted();
  t.is(await roundTrips(() => bind(id)), 2);
});

test.serial('a policy is read in one round trip, behind that of an audit row where one is kept', async (t) => {
  const { policyId } = await bound();
  const read = (caller: TestClient) => roundTrips(async () => bodyOf(await caller.get(`/v1/policies/${policyId}`)));
  t.is(await read(admin), 1);
  const machine = api.as('machine');
  await read(machine);
  t.is(await read(machine), 2);
});

async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  const before = line.roundTrips();
  await work();
  return line.roundTrips() - before;
}

async function quoted(): Promise<string> {
  const { id } = bodyOf(await admin.post('/v1/submissions', risk()), 201);
  bodyOf(await admin.post(`/v1/submissions/${id}/quote`), 201);
  return id;
}

async function bind(id: string): Promise<{ policyId: string }> {
  return bodyOf(await admin.post(`/v1/submissions/${id}/bind`, { installmentPlan: 'MONTHLY_10' }), 201);
}

const bound = async () => bind(await quoted());
