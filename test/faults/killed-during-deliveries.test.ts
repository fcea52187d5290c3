// The API, the worker and the Temporal server are killed while deliveries are in transit. The receivers ensure that
// some are by holding back their answers.
import type { ServerResponse } from 'node:http';
import test from 'ava';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { accept, type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { type OwnTemporal, ownTemporal } from './own-temporal.ts';
import { attempt, type Platform, startPlatform } from './platform.ts';

const EVENTS = 60;
/** To one receiver at a time. */
const ON_THEIR_WAY = 10;
const CLAIM = {
  claimId: 'clm_01jz8k3v5ne0rbx4q2mw7t6yha',
  claimNumber: 'CLM-2026-000001',
  policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha',
  status: 'reported',
};

let temporal: OwnTemporal;
let platform: Platform;
let database: Database;
let receiver: Receiver;
/** Of a subscription to which only tests and redeliveries go. */
let byHand: Receiver;

test.before(async () => {
  temporal = await ownTemporal();
  const [urls] = await Promise.all([createTestDatabase({ title: 'deliveries' }), temporal.start()]);
  database = await connectDatabase({ appUrl: urls.appUrl, opsUrl: urls.opsUrl, poolSize: 2, logger: silentLogger });
  [receiver, byHand] = [await startReceiver(), await startReceiver()];
  platform = await startPlatform({ database: urls, temporalAddress: temporal.address, taskQueuePrefix: 'deliveries' });
});

test.after.always(async () => {
  await platform?.stop();
  await temporal?.remove();
  await Promise.all([receiver?.close(), byHand?.close()]);
  await database?.close();
});

interface LogEntry {
  uuid: string;
  eventId: string;
  status: string;
}

/** Which delivery of which event arrived. */
const sent = ({ received }: Receiver) =>
  received.map(({ headers, event }) => `${headers['x-service-delivery']} ${event.id}`).toSorted();

const logged = (log: LogEntry[]) => log.map(({ uuid, eventId }) => `${uuid} ${eventId}`).toSorted();

test('deliveries in flight when everything was killed are never sent again, and nothing else is lost', async (t) => {
  const orgId = (await platform.machine.post('/v1/organizations', { name: 'Killed' })).body.id;
  const client = await platform.as({ role: 'org_admin', org: orgId });
  const { id } = (await client.post('/v1/webhooks', { url: receiver.url, events: ['*'] })).body;
  const path = `/v1/webhooks/${(await client.post('/v1/webhooks', { url: byHand.url, events: ['policy.bound'] })).body.id}`;
  const { deliveryId } = (await client.post(`${path}/test`)).body;
  const held: ServerResponse[] = [];
  receiver.answerWith((response) => {
    if (receiver.received.length <= ON_THEIR_WAY) response.writeHead(200).end();
    else held.push(response);
  });
  await database.transaction(orgId, async (em) => {
    for (let n = 0; n < EVENTS; n += 1) writeEvent(em, 'claim.filed', CLAIM);
  });
  byHand.answerWith((response) => held.push(response));
  const cutOff = [`${path}/test`, `${path}/deliveries/${deliveryId}/redeliver`].map((each) =>
    attempt(client, each, undefined, {}),
  );
  await eventually(() => held.length === ON_THEIR_WAY + cutOff.length, { what: 'deliveries on their way' });
  await Promise.all([platform.worker.kill(), platform.api.kill(), temporal.kill()]);
  for (const each of [receiver, byHand]) each.answerWith(accept);
  for (const response of held) response.destroy();
  t.deepEqual(await Promise.all(cutOff), [null, null]);
  await Promise.all([temporal.start(), platform.api.start()]);
  await platform.worker.start();
  await platform.ready();

  const countOf = async (status: string): Promise<number> =>
    (await client.get(`/v1/webhooks/${id}/deliveries`, { query: { status, limit: 100 } })).body.data.length;
  const ended = async () => (await countOf('delivered')) + (await countOf('unknown')) === EVENTS;
  await eventually(ended, { what: 'the end of all deliveries' });
  t.is(await countOf('unknown'), ON_THEIR_WAY);
  t.is(receiver.received.length, EVENTS);
  t.is(new Set(receiver.received.map(({ event }) => event.id)).size, EVENTS);
  const log = (await client.get(`/v1/webhooks/${id}/deliveries`, { query: { limit: 100 } })).body.data as LogEntry[];
  t.deepEqual(sent(receiver), logged(log));
  const filter = { query: { limit: 100, type: 'claim.filed' } };
  t.is((await client.get('/v1/events', filter)).body.data.length, EVENTS);

  const logByHand = async () => (await client.get(`${path}/deliveries`)).body.data as LogEntry[];
  const isOver = async () => (await logByHand()).every(({ status }) => status !== 'sending');
  await eventually(isOver, { what: 'the end of those that the API sent' });
  const entries = await logByHand();
  t.deepEqual(
    entries.map(({ status }) => status),
    ['unknown', 'unknown', 'delivered'],
  );
  t.deepEqual(sent(byHand), logged(entries));
});
