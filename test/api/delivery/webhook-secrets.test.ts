// Rotated subscription secrets, the delivery log's filters and pages, and how a subscription changes.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verify as verifyLikeGitHub } from '@octokit/webhooks-methods';
import test from 'ava';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { newId } from '../../../db/ids.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import type { Received } from '../../support/servers/receiver.ts';
import { logOf, openReceiver, subscribedHouse } from './subscribed.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const subscribed = (events: string[]) => subscribedHouse(platform, events);

test('the new secret signs after a rotation, and for a day the one before it signs too', async (t) => {
  const { admin, target, id, secret: old } = await subscribed(['policy.bound']);
  const rotated = bodyOf(await admin.post(`/v1/webhooks/${id}/rotate-secret`));
  t.not(rotated.secret, old);
  const inHours = (Date.parse(rotated.previousSecretExpiresAt) - Date.now()) / 3_600_000;
  t.true(inHours > 23.9 && inHours <= 24);
  await admin.post(`/v1/webhooks/${id}/test`);
  const [{ headers, body }] = target.received as [Received];
  t.true(await verifyLikeGitHub(rotated.secret, body.toString(), String(headers['x-service-signature'])));
  t.true(await verifyLikeGitHub(old, body.toString(), String(headers['x-service-signature-previous'])));
  for (const secret of [rotated.secret, old])
    t.notThrows(() => new StandardWebhook(secret).verify(body, headers as never));
  await platform.database.transaction(rotated.orgId, (em) =>
    em.execute(
      "update webhooks set previous_secrets = jsonb_set(previous_secrets, '{0,until}', '\"2026-01-01\"') where id = ?",
      [id],
    ),
  );
  await admin.post(`/v1/webhooks/${id}/test`);
  const [, last] = target.received;
  t.is(last!.headers['x-service-signature-previous'], undefined);
  t.throws(() => new StandardWebhook(old).verify(last!.body, last!.headers as never));
});

test('a second rotation within a day cuts off neither the receivers that followed none nor those that followed the first', async (t) => {
  const { admin, target, id, secret: first } = await subscribed(['policy.bound']);
  // Repeated under its key, it answers without the secret, so the way forward is another rotation.
  const rotate = (key: string) =>
    admin.post(`/v1/webhooks/${id}/rotate-secret`, undefined, { headers: { 'idempotency-key': key } });
  const second = bodyOf(await rotate('k'));
  t.is(bodyOf(await rotate('k')).secret, undefined);
  const third = bodyOf(await rotate('l'));
  t.is(third.previousSecretExpiresAt, second.previousSecretExpiresAt);
  await admin.post(`/v1/webhooks/${id}/test`);
  const [{ headers, body }] = target.received as [Received];
  t.true(await verifyLikeGitHub(third.secret, body.toString(), String(headers['x-service-signature'])));
  t.true(await verifyLikeGitHub(first, body.toString(), String(headers['x-service-signature-previous'])));
  for (const secret of [first, second.secret, third.secret])
    t.notThrows(() => new StandardWebhook(secret).verify(body, headers as never));
});

test('a previous secret that does not open any more leaves its signature out, and the delivery goes out', async (t) => {
  const { admin, target, id } = await subscribed(['policy.bound']);
  const { orgId, secret } = bodyOf(await admin.post(`/v1/webhooks/${id}/rotate-secret`));
  await platform.database.transaction(orgId, (em) =>
    em.execute(
      "update webhooks set previous_secrets = jsonb_set(previous_secrets, '{0,secret}', '\"gone:x\"') where id = ?",
      [id],
    ),
  );
  t.like(bodyOf(await admin.post(`/v1/webhooks/${id}/test`)), { delivered: true });
  const [{ headers, body }] = target.received as [Received];
  t.true(await verifyLikeGitHub(secret, body.toString(), String(headers['x-service-signature'])));
  t.is(headers['x-service-signature-previous'], undefined);
});

test('the delivery log is filtered by event, kind of event and time', async (t) => {
  const { admin, id } = await subscribed(['policy.bound']);
  for (let n = 0; n < 2; n += 1) bodyOf(await admin.post(`/v1/webhooks/${id}/test`));
  const [newer, older] = await logOf(admin, id);
  const idsOf = async (query: object) => (await logOf(admin, id, query)).map((each) => each.id);
  t.deepEqual(await idsOf({ eventId: older!.eventId }), [older!.id]);
  t.deepEqual(await idsOf({ eventType: 'webhook.test' }), [newer!.id, older!.id]);
  t.deepEqual(await idsOf({ eventType: 'policy.bound' }), []);
  t.deepEqual(await idsOf({ from: older!.createdAt, to: newer!.createdAt }), [newer!.id, older!.id]);
  t.deepEqual(await idsOf({ to: '2026-01-01T00:00:00.000Z' }), []);
  t.deepEqual(await idsOf({ from: '2090-01-01T00:00:00.000Z' }), []);
});

test('the delivery log is read in pages, newest first, each delivery once', async (t) => {
  const { admin, id } = await subscribed(['policy.bound']);
  const sent: string[] = [];
  for (let n = 0; n < 5; n += 1) sent.push(bodyOf(await admin.post(`/v1/webhooks/${id}/test`)).deliveryId);
  const first = bodyOf(await admin.get(`/v1/webhooks/${id}/deliveries`, { query: { limit: 2 } }));
  t.is(first.data.length, 2);
  t.truthy(first.nextCursor);
  const all = await logOf(admin, id, { limit: 2 });
  t.deepEqual(
    all.map((each) => each.id),
    sent.toReversed(),
  );
});

/** To one receiver at a time. */
const AT_ONCE = 10;

test('a changed URL takes the deliveries that wait, and those on their way end at the one before', async (t) => {
  const { house, admin, target, id } = await subscribed(['claim.filed']);
  const held: ServerResponse[] = [];
  target.answerWith((response) => held.push(response));
  const claim = {
    claimId: newId('claim'),
    claimNumber: 'CLM-2026-000001',
    policyId: newId('policy'),
    status: 'reported',
  };
  await platform.database.transaction(house.orgId, async (em) => {
    for (let n = 0; n < AT_ONCE + 3; n += 1) writeEvent(em, 'claim.filed', claim);
  });
  await eventually(() => held.length === AT_ONCE, { what: 'the deliveries on their way' });
  const next = await openReceiver();
  const changed = bodyOf(await admin.patch(`/v1/webhooks/${id}`, { url: next.url }));
  t.like(changed, { id, url: next.url, events: ['claim.filed'], version: 2 });
  t.is(bodyOf(await admin.get(`/v1/webhooks/${id}`)).url, next.url);
  for (const response of held) response.writeHead(200).end();
  const delivered = async () => (await logOf(admin, id, { status: 'delivered' })).length === AT_ONCE + 3;
  await eventually(delivered, { what: 'all deliveries' });
  t.deepEqual([target.received.length, next.received.length], [AT_ONCE, 3]);
});

test('a change cannot point a webhook inside, and one that is paused or deleted repeats no delivery', async (t) => {
  const { admin, target, id } = await subscribed(['policy.bound']);
  const { deliveryId } = bodyOf(await admin.post(`/v1/webhooks/${id}/test`));
  const path = `/v1/webhooks/${id}`;
  for (const [url, reason] of Object.entries({
    'https://169.254.169.254/': 'address',
    'https://hooks.example.com:25/': 'port',
    'http://hooks.example.com/': 'scheme',
  })) {
    t.like(await admin.patch(path, { url }), { status: 400, body: { details: { field: 'url', reason } } }, url);
  }
  t.is(bodyOf(await admin.get(path)).url, target.url);
  const redeliver = () => admin.post(`${path}/deliveries/${deliveryId}/redeliver`);
  bodyOf(await admin.post(`${path}/pause`));
  t.like(await redeliver(), { status: 422, body: { error: 'subscription_inactive', details: { status: 'paused' } } });
  t.is((await admin.del(path)).status, 204);
  t.like(await redeliver(), { status: 422, body: { error: 'subscription_inactive', details: { status: 'deleted' } } });
  t.like(await admin.patch(path, { description: 'x' }), { status: 422, body: { error: 'subscription_inactive' } });
  t.is(target.received.length, 1);
});

test('the calls of the guide work as it writes them', async (t) => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
  const [create = '', events = ''] = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, lines]) => lines);
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const { key } = bodyOf(
    await admin.post('/v1/api-keys', { name: 'k', scopes: ['webhooks:write', 'events:read'] }),
    201,
  );
  const call = async (lines: string, more: object = {}) => {
    const env = { ...process.env, API: `${platform.url}/v1`, KEY: key, ...more };
    const { stdout } = await promisify(execFile)('bash', ['-c', lines], { env });
    return JSON.parse(stdout);
  };
  const { secret, ...made } = await call(create);
  t.is(secret.length, 64);
  t.deepEqual(bodyOf(await admin.get(`/v1/webhooks/${made.id}`)), made);
  const claim = {
    claimId: newId('claim'),
    claimNumber: 'CLM-2026-000001',
    policyId: newId('policy'),
    status: 'reported',
  };
  const [first, second] = await platform.database.transaction(house.orgId, async (em) =>
    [1, 2].map(() => writeEvent(em, 'claim.filed', claim).id),
  );
  const { data } = await call(events, { LAST_EVENT_ID: first });
  t.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [second],
  );
});
