// An organization's events go to twenty receivers, many of them misbehaving, while the worker and the Temporal server
// are killed; the account follows once nothing is waiting.
import { setInterval } from 'node:timers/promises';
import { newId } from '../../db/ids.ts';
import { Rows } from '../faults/bind.ts';
import { type OwnTemporal, ownTemporal } from '../faults/own-temporal.ts';
import { type Platform, startPlatform } from '../faults/platform.ts';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { allPages, bodyOf } from '../support/house.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { endsOf, findingsAt, type Logged, type LogLine } from './account.ts';
import { WorkerMemory } from './memory.ts';
import { type OddReceiver, startReceivers } from './receivers.ts';

const EVENTS_OF_A_COMMIT = 100;
/** To one receiver at a time: that many may be in progress when their sender dies. */
const AT_ONCE = 10;
/** How far a warm worker may grow. The answers of the flooding receivers would take two gigabytes if held in memory. */
const GROWTH_MIB = 256;
const LOOK_EVERY_MS = 1_000;
const LONGEST_MS = 3_600_000;
const CLAIM = {
  claimId: 'clm_01jz8k3v5ne0rbx4q2mw7t6yha',
  claimNumber: 'CLM-2026-000001',
  policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha',
  status: 'reported',
};

export interface DeliveriesOptions {
  events: number;
  /** How often the worker and the Temporal server are killed. */
  kills: number;
  report: (line: string) => void;
}

export interface DeliveriesReport {
  /** To all receivers together. */
  deliveries: number;
  unknown: number;
  /** From the first commit to the last outcome. */
  seconds: number;
  /** The most that a worker's memory has grown. */
  grownMiB: number;
  findings: string[];
}

interface Scene {
  platform: Platform;
  temporal: OwnTemporal;
  rows: Rows;
  client: TestClient;
  orgId: string;
  receivers: (OddReceiver & { webhookId: string })[];
}

/** Runs it on the database server that the environment names; stops whatever it started. */
export async function runDeliveries(options: DeliveriesOptions): Promise<DeliveriesReport> {
  const temporal = await ownTemporal();
  const receivers = await startReceivers();
  let platform: Platform | null = null;
  try {
    const [database] = await Promise.all([createTestDatabase({ title: 'deliveries' }), temporal.start()]);
    const addresses = { temporalAddress: temporal.address, taskQueuePrefix: 'deliveries' };
    platform = await startPlatform({ database, ...addresses });
    const rows = new Rows(database.ownerUrl);
    const parts = { platform, temporal, rows };
    return await deliver({ ...parts, ...(await subscribe(platform, receivers)) }, options);
  } finally {
    await platform?.stop();
    await temporal.remove();
    for (const receiver of receivers) receiver.close();
  }
}

async function subscribe(platform: Platform, receivers: readonly OddReceiver[]) {
  const { id: orgId } = bodyOf(await platform.machine.post('/v1/organizations', { name: 'Deliveries' }), 201);
  const client = await platform.as({ role: 'org_admin', org: orgId });
  const subscribed: Scene['receivers'] = [];
  for (const receiver of receivers) {
    const webhook = bodyOf(await client.post('/v1/webhooks', { url: receiver.url, events: ['*'] }), 201);
    subscribed.push({ ...receiver, webhookId: webhook.id });
  }
  return { orgId, client, receivers: subscribed };
}

async function deliver(scene: Scene, { events, kills, report }: DeliveriesOptions): Promise<DeliveriesReport> {
  const ids = Array.from({ length: events }, () => newId('event'));
  // The first event warms the worker up.
  await writeEvents(scene, ids.slice(0, 1));
  await untilEnded(scene, 1, async () => {});
  const memory = await WorkerMemory.of(scene.platform);
  const startedAt = performance.now();
  await Promise.all([
    writeEvents(scene, ids.slice(1)),
    killOften(scene, { kills, events, report }),
    untilEnded(scene, events, progress(memory, report)),
  ]);
  const seconds = (performance.now() - startedAt) / 1_000;
  const logged = await logsOf(scene);
  for (const each of logged) report(endsOf(each));
  const known = new Set(ids);
  const findings = logged.flatMap((each) => findingsAt(each, known, kills * AT_ONCE));
  findings.push(...(await missingFromEvents(scene, known)));
  if (memory.grownMiB > GROWTH_MIB) findings.push(`a worker has grown by ${memory.grownMiB} MiB`);
  const lines = logged.flatMap(({ log }) => log);
  const unknown = lines.filter(({ status }) => status === 'unknown').length;
  return { deliveries: lines.length, unknown, seconds, grownMiB: memory.grownMiB, findings };
}

async function writeEvents({ rows, orgId }: Scene, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += EVENTS_OF_A_COMMIT) {
    await rows.query(
      `insert into events (id, org_id, type, data, occurred_at)
         select id, $1, 'claim.filed', $2, now() from unnest($3::text[]) id`,
      [orgId, CLAIM, ids.slice(from, from + EVENTS_OF_A_COMMIT)],
    );
  }
}

/** Kills the worker and Temporal together each time another share of all events has reached the quick receivers. */
async function killOften(
  { platform: { worker }, temporal, receivers }: Scene,
  { kills, events, report }: DeliveriesOptions,
): Promise<void> {
  const quick = receivers.filter(({ kind }) => kind === 'quick');
  const arrived = () => quick.reduce((sum, { arrivals }) => sum + arrivals.length, 0);
  for (let kill = 1; kill <= kills; kill += 1) {
    const part = (quick.length * events * kill) / (kills + 1);
    await eventually(() => arrived() >= part, { what: 'deliveries', withinMs: LONGEST_MS });
    await Promise.all([worker.kill(), temporal.kill()]);
    report('the worker and Temporal are killed');
    await temporal.start();
    await worker.start();
  }
}

/** Waits until every delivery of that many events is in the log, and none is waiting or in progress. */
async function untilEnded(
  { rows, orgId, receivers }: Scene,
  events: number,
  look: (percent: number) => Promise<void>,
): Promise<void> {
  const deliveries = events * receivers.length;
  for await (const _ of setInterval(LOOK_EVERY_MS, null, { signal: AbortSignal.timeout(LONGEST_MS) })) {
    const [row] = await rows.query<{ ended: number }>(
      `select count(*)::int as ended from webhook_deliveries
         where org_id = $1 and status not in ('pending', 'sending')`,
      [orgId],
    );
    const { ended = 0 } = row ?? {};
    await look(Math.floor((ended * 100) / deliveries));
    if (ended === deliveries) return;
  }
}

/** Follows the memory, and reports progress now and then. */
function progress(memory: WorkerMemory, report: (line: string) => void): (percent: number) => Promise<void> {
  let said = 0;
  return async (percent) => {
    await memory.look();
    if (percent < said + 5) return;
    said = percent;
    report(`${percent} % have ended, the worker has grown by ${memory.grownMiB} MiB`);
  };
}

async function logsOf({ rows, receivers }: Scene): Promise<Logged[]> {
  const lines = await rows.query<LogLine & { webhookId: string }>(
    'select webhook_id as "webhookId", event_id as "eventId", status, error from webhook_deliveries',
  );
  const logs = Map.groupBy(lines, ({ webhookId }) => webhookId);
  return receivers.map((receiver) => ({ ...receiver, log: logs.get(receiver.webhookId) ?? [] }));
}

async function missingFromEvents({ client }: Scene, ids: ReadonlySet<string>): Promise<string[]> {
  const listed = new Set((await allPages(client, '/v1/events', { limit: 100 })).map(({ id }) => id));
  const missing = [...ids].filter((id) => !listed.has(id)).length;
  return missing === 0 ? [] : [`${missing} events are missing from /events`];
}
