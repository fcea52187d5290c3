// Senders that hand in and pick up deliveries at the same time: each gets its own, and none gets another's.
import anyTest, { type TestFn } from 'ava';
import { deliverEvents } from '../../../activities/delivery/deliveries.ts';
import { deliveryExchange } from '../../../activities/delivery/exchange.ts';
import { Webhook } from '../../../db/entities/delivery/webhook.ts';
import { WebhookDelivery } from '../../../db/entities/delivery/webhook-delivery.ts';
import { newId } from '../../../db/ids.ts';
import type { Database } from '../../../db/orm.ts';
import { beginRound } from '../../../db/queries/delivery/deliveries.ts';
import { claimDueWebhooks } from '../../../db/queries/delivery/webhooks.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import type { DeliveryResult } from '../../../domain/delivery/delivery.ts';
import { uuidOf } from '../../../domain/ids.ts';
import { createWebhookSender } from '../../../providers/webhooks/sender.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../../db/rows.ts';
import { Rows } from '../../faults/bind.ts';
import { silentLogger } from '../../support/logger.ts';
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts';
import { attempt } from '../steps.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const CLAIM = { claimId: 'clm_1', claimNumber: 'CLM-2026-000001', policyId: 'pol_1', status: 'reported' };
const NONE = { description: null, previousSecrets: [], deliveringUntil: null };
const FIRST = { result: null, wantsNext: true, after: 0 };
const delivered = (id: string): DeliveryResult => ({
  ...{ id, status: 'delivered', latencyMs: 1, statusCode: 204, response: '', error: null },
});

async function withWebhooks(database: Database, count: number) {
  const orgId = await addOrganization(database);
  const ids = Array.from({ length: count }, () => newId('webhookSubscription'));
  await database.transaction(orgId, async (em) => {
    for (const id of ids) {
      const subscription = { url: `https://example.com/${id}`, events: ['*'], eventTypes: ['*'] };
      em.create(Webhook, { id, secret: 'plain:s', status: 'active', ...NONE, ...subscription }, { persist: true });
    }
  });
  return { orgId, ids: ids as [string, ...string[]] };
}

const writeEvents = (database: Database, orgId: string, count: number) =>
  database.transaction(orgId, async (em) =>
    Array.from({ length: count }, () => writeEvent(em, 'claim.filed', CLAIM).id),
  );

const statusOf = (database: Database, orgId: string, id: string) =>
  database.forOrg(orgId, async (em) => (await em.findOneOrFail(WebhookDelivery, { id })).status);

test('concurrent senders of two subscriptions each get their own, the oldest first, and none twice', async (t) => {
  const { database } = t.context;
  const { orgId, ids } = await withWebhooks(database, 2);
  const events = await writeEvents(database, orgId, 6);
  const { swap } = deliveryExchange(database);
  const senders = Array.from({ length: 4 }, () => ids).flat();
  const taken = await Promise.all(senders.map((webhookId) => swap(orgId, { webhookId, ...FIRST })));
  t.deepEqual(
    taken.map((one) => one?.webhookId),
    senders,
  );
  for (const webhookId of ids) {
    const own = taken.filter((one) => one?.webhookId === webhookId);
    t.deepEqual(own.map((one) => one?.envelope.id).toSorted(), events.slice(0, 4).toSorted());
    t.true(own.every((one) => one?.url.endsWith(webhookId)));
  }
  const more = await Promise.all(ids.flatMap((webhookId) => [1, 2, 3].map(() => swap(orgId, { webhookId, ...FIRST }))));
  t.is(more.filter((one) => one === null).length, 2, 'two of each wait, and three have come for them');
});

test('ended deliveries are recorded as new ones are taken up, and a sender that wants none gets none', async (t) => {
  const { database } = t.context;
  const { orgId, ids } = await withWebhooks(database, 1);
  const [webhookId] = ids;
  await writeEvents(database, orgId, 2);
  const { swap } = deliveryExchange(database);
  const first = await swap(orgId, { webhookId, ...FIRST });
  t.is(await statusOf(database, orgId, first?.id ?? ''), 'sending');
  const second = await swap(orgId, { webhookId, result: delivered(first?.id ?? ''), wantsNext: true, after: 0 });
  t.not(second?.id, first?.id);
  t.is(await statusOf(database, orgId, first?.id ?? ''), 'delivered');
  await writeEvents(database, orgId, 1);
  t.is(await swap(orgId, { webhookId, result: delivered(second?.id ?? ''), wantsNext: false, after: 0 }), null);
  t.is(await statusOf(database, orgId, second?.id ?? ''), 'delivered');
});

test('a delivery that its log no longer shows as waiting is not sent, though it is still in line', async (t) => {
  const { database } = t.context;
  const { orgId, ids } = await withWebhooks(database, 1);
  const [webhookId] = ids;
  await writeEvents(database, orgId, 2);
  const sentAlready = await database.forOrg(orgId, async (em) => {
    const [first] = await em.find(WebhookDelivery, { webhookId }, { orderBy: { position: 'asc' } });
    const [id, now] = [first?.id ?? '', new Date()];
    await em.nativeUpdate(WebhookDelivery, { id }, { status: 'delivered', attemptedAt: now });
    return id;
  });
  const { swap } = deliveryExchange(database);
  const taken = await Promise.all([1, 2].map(() => swap(orgId, { webhookId, ...FIRST })));
  t.is(taken.filter((one) => one !== null).length, 1);
  t.true(taken.every((one) => one?.id !== sentAlready));
});

test("an organization neither takes up another one's deliveries nor reports how they ended", async (t) => {
  const { database } = t.context;
  const [own, other] = [await withWebhooks(database, 1), await withWebhooks(database, 1)];
  await writeEvents(database, other.orgId, 1);
  const { swap } = deliveryExchange(database);
  t.is(await swap(own.orgId, { webhookId: other.ids[0], ...FIRST }), null);
  const theirs = await swap(other.orgId, { webhookId: other.ids[0], ...FIRST });
  await swap(own.orgId, { webhookId: own.ids[0], result: delivered(theirs?.id ?? ''), wantsNext: false, after: 0 });
  t.is(await statusOf(database, other.orgId, theirs?.id ?? ''), 'sending');
});

const headersOf = (receiver: Receiver) =>
  receiver.received.map(({ headers, event }) => [headers['x-service-delivery'], event.id]);

test('a delivery keeps its id when its activity is retried, and what was sent before is not sent again', async (t) => {
  const { database } = t.context;
  const { orgId, ids } = await withWebhooks(database, 1);
  const receiver = await startReceiver();
  const webhooks = createWebhookSender({ allowsLoopback: true, allowedNetworks: [] });
  t.teardown(() => Promise.all([receiver.close(), webhooks.close()]));
  await database.transaction(orgId, (em) => em.execute('update webhooks set url = ?', [receiver.url]));
  const events = await writeEvents(database, orgId, 15);
  const rows = await database.forOrg(orgId, (em) => em.find(WebhookDelivery, {}, { orderBy: { position: 'asc' } }));
  t.deepEqual(
    rows.map(({ eventId, status }) => [eventId, status]),
    events.map((id) => [id, 'pending']),
  );
  // The database is gone from the first delivery on, so no outcome can be stored.
  const lost: Database['forOrg'] = (...args) =>
    receiver.received.length === 0
      ? database.forOrg(...args)
      : Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
  const deps = { webhooks, payloadKeys: [], now: Date.now, logger: silentLogger };
  const failing = deliverEvents({ ...deps, database: { ...database, forOrg: lost } });
  const input = { orgId, webhookId: ids[0] };
  await t.throwsAsync(
    attempt(1, () => failing(input)),
    { message: 'The database is unavailable.' },
  );
  const before = receiver.received.length;
  t.true(before >= 1 && before <= 10, `${before}`);
  t.like(await attempt(2, () => deliverEvents({ ...deps, database })(input)), { sent: 15 - before, isDone: true });
  t.deepEqual(headersOf(receiver).toSorted(), rows.map(({ id, eventId }) => [uuidOf(id), eventId]).toSorted());
});

/** As if these deliveries had been taken up long ago. */
const grownOld = ({ ownerUrl }: { ownerUrl: string }, orgId: string) =>
  new Rows(ownerUrl).query(
    "update sending_deliveries set claimed_at = now() - interval '16 seconds' where org_id = $1",
    [orgId],
  );

test('an attempt given up as unknown is not sent again, and takes its outcome when that arrives after all', async (t) => {
  const { database } = t.context;
  const { orgId, ids } = await withWebhooks(database, 1);
  const [webhookId] = ids;
  await writeEvents(database, orgId, 1);
  const { swap } = deliveryExchange(database);
  const claimed = await swap(orgId, { webhookId, ...FIRST });
  const id = claimed?.id ?? '';
  const begin = () => database.transaction(orgId, (em) => beginRound(em, webhookId));
  await begin();
  t.is(await statusOf(database, orgId, id), 'sending');
  await grownOld(t.context.urls, orgId);
  await begin();
  t.is(await statusOf(database, orgId, id), 'unknown');
  t.is(await swap(orgId, { webhookId, ...FIRST }), null);
  await swap(orgId, { webhookId, result: delivered(id), wantsNext: false, after: 0 });
  t.is(await statusOf(database, orgId, id), 'delivered');
  await swap(orgId, { webhookId, result: { ...delivered(id), status: 'failed' }, wantsNext: false, after: 0 });
  t.is(await statusOf(database, orgId, id), 'delivered');
});

// Runs before the others, which leave subscriptions that are due.
test.serial('subscriptions are served in turn, one of each organization before the second of any', async (t) => {
  const { database } = t.context;
  const [many, few] = [await withWebhooks(database, 3), await withWebhooks(database, 1)];
  for (const { orgId } of [many, few]) await writeEvents(database, orgId, 1);
  const claim = async () => {
    const due = await claimDueWebhooks(database, { leaseSeconds: 60, most: 2 });
    return due.map(({ orgId }) => orgId).toSorted();
  };
  t.deepEqual(await claim(), [few.orgId, many.orgId].toSorted());
  t.deepEqual(await claim(), [many.orgId, many.orgId]);
  t.deepEqual(await claim(), []);
});
