import { verify as verifyLikeGitHub } from '@octokit/webhooks-methods';
import test from 'ava';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { isUuid } from '../../../domain/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { accept, type Received, type startReceiver } from '../../support/servers/receiver.ts';
import { logOf, openReceiver, subscribedHouse } from './subscribed.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const subscribed = (events: string[], answer = accept) => subscribedHouse(platform, events, answer);

const CLAIM = {
  claimId: 'clm_01jz8k3v5ne0rbx4q2mw7t6yha',
  claimNumber: 'CLM-2026-000045',
  policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha',
  status: 'reported',
};

const RESERVES = { indemnity: 0, expense: 0, total: 0 };

const write = (orgId: string, count: number) =>
  platform.database.transaction(orgId, async (em) => {
    for (let n = 0; n < count; n += 1) writeEvent(em, 'claim.reserved', { ...CLAIM, reserves: RESERVES });
  });

test('a subscription shows its secret once, hides it ever after, and is paused, resumed and deleted', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const made = await admin.post('/v1/webhooks', {
    url: 'https://hooks.example.com/a?token=t',
    events: ['claim.opened', '*', '*'],
    description: 'Ours',
  });
  const { secret, ...webhook } = bodyOf(made, 201);
  t.regex(secret, /^[0-9a-f]{64}$/);
  t.like(webhook, { events: ['claim.opened', '*'], description: 'Ours', active: true, status: 'active', version: 1 });
  const path = `/v1/webhooks/${webhook.id}`;
  t.deepEqual(bodyOf(await admin.get(path)), webhook);
  t.deepEqual(bodyOf(await admin.get('/v1/webhooks')).data, [webhook]);
  const changed = bodyOf(await admin.patch(path, { events: ['invoice.paid'], description: null }));
  t.like(changed, { url: webhook.url, events: ['invoice.paid'], description: null });
  t.is((await admin.patch(path, {})).body.details.rule, 'no_change');
  const stale = await admin.patch(path, { description: 'x' }, { headers: { 'if-match': `"${webhook.id}.1"` } });
  t.is(stale.status, 412);
  t.is((await admin.post(`${path}/resume`)).body.error, 'invalid_state_transition');
  t.like(bodyOf(await admin.post(`${path}/pause`)), { active: false, status: 'paused' });
  t.is((await admin.post(`${path}/test`)).body.error, 'subscription_inactive');
  t.like(bodyOf(await admin.post(`${path}/resume`)), { active: true, status: 'active' });
  t.is((await admin.del(path)).status, 204);
  t.is((await admin.del(path)).status, 204);
  t.like(bodyOf(await admin.get(path)), { active: false, status: 'deleted' });
  for (const action of ['test', 'pause', 'resume', 'rotate-secret']) {
    t.like(await admin.post(`${path}/${action}`), { status: 422, body: { error: 'subscription_inactive' } }, action);
  }
  const audit = await allPages(admin, '/v1/audit', { entity: webhook.id });
  t.deepEqual(
    audit.map((entry) => (entry as unknown as { action: string }).action).toReversed(),
    ['create', 'update', 'pause', 'resume', 'delete'].map((verb) => `webhook:${verb}`),
  );
  t.false(JSON.stringify(audit).includes('token=t'));
});

test('an internal address or an unknown event is refused, and an organization has at most 50 webhooks', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const post = (body: object) => admin.post('/v1/webhooks', body);
  for (const url of ['http://hooks.example.com/', 'https://10.0.0.1/', 'https://user:pass@example.com/', 'ftp://x']) {
    t.like(await post({ url, events: ['*'] }), { status: 400, body: { details: { field: 'url' } } }, url);
  }
  for (const events of [[], ['policy.lost'], ['toString']]) {
    t.is((await post({ url: 'https://hooks.example.com/', events })).status, 400);
  }
  const url = 'http://127.0.0.1:65001/';
  await Promise.all(Array.from({ length: 52 }, () => post({ url, events: ['*'] })));
  const all = await allPages(admin, '/v1/webhooks', { limit: 100 });
  t.is(all.length, 50);
  const refused = await post({ url, events: ['*'] });
  t.like(refused, { status: 422, body: { error: 'limit_exhausted', details: { limit: 50 } } });
  await admin.del(`/v1/webhooks/${all[0]!.id}`);
  t.is((await post({ url, events: ['*'] })).status, 201);
});

test('a repeated creation returns the same webhook without its secret', async (t) => {
  const admin = (await newHouse(platform)).as('org_admin');
  const create = () =>
    admin.post(
      '/v1/webhooks',
      { url: 'http://127.0.0.1:65001/', events: ['*'] },
      { headers: { 'idempotency-key': 'k' } },
    );
  const [first, second] = [await create(), await create()];
  t.is(second.body.id, first.body.id);
  t.truthy(first.body.secret);
  t.is(second.body.secret, undefined);
});

/** Events per hanging receiver, each of which takes ten seconds for every ten. */
const COUNTS = [8, 12, 12, 12];

/** Verifies a delivery as receivers do, without any of our code. */
async function verifiedByAll({ headers, body }: Received, secret: string): Promise<boolean> {
  const standard = headers as Record<string, string>;
  const encoded = `whsec_${Buffer.from(secret).toString('base64')}`;
  for (const key of [encoded, secret]) {
    new StandardWebhook(key).verify(body, standard);
    new SvixWebhook(key).verify(body, standard);
  }
  return verifyLikeGitHub(secret, body.toString(), String(headers['x-service-signature']));
}

test('an event arrives once, is signed so that the published libraries verify it, and is logged', async (t) => {
  const { house, admin, target, id, secret } = await subscribed(['policy.bound']);
  const { policyId } = await bound(house.as('underwriter'));
  await eventually(() => target.received.length > 0, { what: 'the delivery' });
  const [delivery] = target.received;
  t.true(await verifiedByAll(delivery!, secret));
  t.throws(() => new StandardWebhook(secret).verify(`${delivery!.body} `, delivery!.headers as never));
  t.is(delivery!.headers['x-service-event'], 'policy.bound');
  t.true(isUuid(delivery!.headers['x-service-delivery']));
  t.is(delivery!.headers['content-type'], 'application/json');
  const [event] = bodyOf(await admin.get('/v1/events', { query: { type: 'policy.bound' } })).data;
  t.deepEqual(delivery!.event, event);
  t.is(event.data.policyId, policyId);
  const log = await eventually(
    async () => {
      const rows = await logOf(admin, id);
      return rows.every(({ status }) => status === 'delivered') && rows;
    },
    { what: 'the log' },
  );
  t.is(log.length, 1);
  t.like(log[0], { uuid: delivery!.headers['x-service-delivery'], eventId: event.id, statusCode: 200, error: null });
  t.is(log[0]!.response, 'thanks');
});

test('an event goes to the subscriptions that were active when it was committed, whatever happens to them after it', async (t) => {
  const { house, admin, target, id } = await subscribed(['claim.reserved', 'claim.opened']);
  const other = bodyOf(await admin.post('/v1/webhooks', { url: target.url, events: ['policy.bound'] }), 201);
  await write(house.orgId, 1);
  await admin.post(`/v1/webhooks/${id}/pause`);
  await write(house.orgId, 1);
  const late = bodyOf(await admin.post('/v1/webhooks', { url: target.url, events: ['*'] }), 201);
  await platform.database.transaction(house.orgId, async (em) => {
    writeEvent(em, 'claim.filed', CLAIM);
  });
  await admin.post(`/v1/webhooks/${id}/resume`);
  await write(house.orgId, 1);
  await admin.del(`/v1/webhooks/${id}`);
  await write(house.orgId, 1);
  const done = async () => (await logOf(admin, late.id, { status: 'delivered' })).length === 3;
  await eventually(done, { what: 'the deliveries' });
  const types = async (webhookId: string) => (await logOf(admin, webhookId)).map(({ eventType }) => eventType);
  t.deepEqual(await types(id), ['claim.reserved', 'claim.reserved']);
  t.deepEqual(await types(late.id), ['claim.reserved', 'claim.reserved', 'claim.filed']);
  t.deepEqual(await types(other.id), []);
});

test('a test goes to its webhook alone and returns how it was taken; so does a redelivery', async (t) => {
  const { admin, target, id, secret } = await subscribed(['policy.bound']);
  const bystander = bodyOf(await admin.post('/v1/webhooks', { url: target.url, events: ['*'] }), 201);
  const passed = bodyOf(await admin.post(`/v1/webhooks/${id}/test`));
  t.like(passed, { delivered: true, statusCode: 200 });
  t.is(passed.error, undefined);
  t.is(target.received[0]!.event.type, 'webhook.test');
  t.is(target.received[0]!.event.data.webhookId, id);
  const oddly = `\\ "quoted" 'too', a ? and a \0 byte ${'ž'.repeat(3_000)}`;
  target.answerWith((response) => response.writeHead(500).end(oddly));
  const failed = bodyOf(await admin.post(`/v1/webhooks/${id}/test`));
  t.like(failed, { delivered: false, statusCode: 500, error: 'http_status' });
  const [entry] = await logOf(admin, id, { status: 'failed' });
  t.true((entry!.response as string).startsWith(oddly.slice(0, 200).replace('\0', '\uFFFD')));
  t.true(Buffer.byteLength(entry!.response as string) <= 2_052);
  target.answerWith(accept);
  const path = `/v1/webhooks/${id}/deliveries/${entry!.id}/redeliver`;
  const key = { headers: { 'idempotency-key': 'again' } };
  const [again, repeated] = [await admin.post(path, undefined, key), await admin.post(path, undefined, key)];
  t.like(again, { status: 200, body: { status: 'delivered', redeliveryOf: entry!.id, eventId: entry!.eventId } });
  t.deepEqual(repeated.body, again.body);
  t.is(target.received.length, 3);
  t.deepEqual(target.received[2]!.body, target.received[1]!.body);
  t.not(target.received[2]!.headers['x-service-delivery'], target.received[1]!.headers['x-service-delivery']);
  t.true(await verifiedByAll(target.received[2]!, secret));
  t.is((await admin.post(path.replace(id, bystander.id))).status, 404);
  t.deepEqual(await logOf(admin, bystander.id), []);
});

/** To one receiver at a time. */
const AT_ONCE = 10;

/** By how many places the event that most overtook others came too early. */
async function farthestAhead({ orgId }: House, received: readonly Received[]): Promise<number> {
  const events = await platform.database.forOrg(orgId, (em) =>
    em.execute<{ id: string }[]>('select id from events order by position'),
  );
  const place = new Map(events.map(({ id }, n) => [id, n]));
  return Math.max(...received.map(({ event }, n) => (place.get(event.id) ?? Number.NaN) - n));
}

test('a burst of events is few workflows, each event is delivered once, after all but nine of those before it, by few connections', async (t) => {
  const { house, admin, target, id } = await subscribed(['*']);
  for (let batch = 0; batch < 10; batch += 1) await write(house.orgId, 100);
  await eventually(() => target.received.length >= 1_000, { what: 'a thousand deliveries' });
  const done = async () => bodyOf(await admin.get(`/v1/webhooks/${id}/deliveries?status=pending`)).data.length === 0;
  await eventually(done, { what: 'the log' });
  t.is(target.received.length, 1_000);
  t.is(new Set(target.received.map(({ event }) => event.id)).size, 1_000);
  t.true(target.mostAtOnce() <= AT_ONCE);
  const ahead = await farthestAhead(house, target.received);
  t.true(ahead < AT_ONCE, `${ahead} places ahead`);
  const query = `WorkflowType = 'eventDeliveryWorkflow' and OrgId = '${house.orgId}'`;
  const runs = await eventually(
    async () => {
      const { count } = await platform.temporal.client.workflow.count(query);
      return count > 0 && count;
    },
    { what: 'the list of workflows' },
  );
  t.true(runs <= 20, `${runs} runs`);
});

test('events of an organization without subscriptions cost neither a row nor a workflow', async (t) => {
  const silent = await newHouse(platform);
  await write(silent.orgId, 3);
  // Later events elsewhere are delivered, so these have had their turn.
  const { house, target } = await subscribed(['*']);
  await write(house.orgId, 1);
  await eventually(() => target.received.length === 1, { what: 'a later delivery' });
  const rows = await platform.database.forOrg(silent.orgId, (em) => em.execute('select 1 from webhook_deliveries'));
  t.deepEqual(rows, []);
  const countOf = async (orgId: string) => {
    const query = `WorkflowType = 'eventDeliveryWorkflow' and OrgId = '${orgId}'`;
    return (await platform.temporal.client.workflow.count(query)).count;
  };
  await eventually(async () => (await countOf(house.orgId)) === 1, { what: 'the workflow of the other' });
  t.is(await countOf(silent.orgId), 0);
});

const lastsTenSeconds = (ms: number) => ms >= 9_900 && ms < 15_000;
const isShorter = (ms: number) => ms >= 0 && ms < 9_900;

test('receivers that are slow, hang, redirect, close or flood keep nobody else waiting and are tried once', async (t) => {
  const elsewhere = await openReceiver();
  const bad: Record<string, Parameters<typeof startReceiver>[0]> = {
    timeout: () => {},
    redirect: (response) => response.writeHead(302, { location: elsewhere.url }).end(),
    connection_closed: (response) => response.destroy(),
    http_status: (response) => response.writeHead(410).end(),
  };
  const flood = await subscribed(['*'], (response) => {
    const chunk = Buffer.alloc(1_000_000, 'x');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const slow = await Promise.all(Object.values(bad).map((answer) => subscribed(['*'], answer)));
  for (const [n, { house }] of slow.entries()) await write(house.orgId, COUNTS[n] ?? 0);
  await eventually(() => slow[0]!.target.received.length > 0, { what: 'the slow receiver' });
  await write(flood.house.orgId, 3);
  const quick = await subscribed(['*']);
  await write(quick.house.orgId, 1);
  await eventually(() => quick.target.received.length === 1, { what: 'the quick one' });
  for (const [n, error] of Object.keys(bad).entries()) {
    const { admin, id, target } = slow[n]!;
    const ended = async () => (await logOf(admin, id, { status: 'failed' })).length === COUNTS[n];
    await eventually(ended, { what: error });
    const log = await logOf(admin, id);
    t.true(log.every((entry) => entry.error === error));
    const latencies = log.map(({ latencyMs }) => latencyMs as number);
    t.true(latencies.every(error === 'timeout' ? lastsTenSeconds : isShorter), `${error}: ${latencies}`);
    t.is(target.received.length, COUNTS[n]!);
  }
  const flooded = async () => (await logOf(flood.admin, flood.id, { status: 'delivered' })).length === 3;
  await eventually(flooded, { what: 'the flood' });
  t.is(elsewhere.received.length, 0);
});
