// The worker and the Temporal server are killed while deliveries are in transit. The receiver ensures that some are by
// holding back its answers.
import type { ServerResponse } from 'node:http';
import test from 'ava';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { accept, type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { type OwnTemporal, ownTemporal } from './own-temporal.ts';
import { type Platform, startPlatform } from './platform.ts';

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

test.before(async () => {
  temporal = await ownTemporal();
  const [urls] = await Promise.all([createTestDatabase({ title: 'deliveries' }), temporal.start()]);
  database = await connectDatabase({ appUrl: urls.appUrl, opsUrl: urls.opsUrl, poolSize: 2, logger: silentLogger });
  receiver = await startReceiver();
  platform = await startPlatform({ database: urls, temporalAddress: temporal.address, taskQueuePrefix: 'deliveries' });
});

test.after.always(async () => {
  await platform?.stop();
  await temporal?.remove();
  await receiver?.close();
  await database?.close();
});

test('deliveries in flight when everything was killed are never sent again, and nothing else is lost', async (t) => {
  const orgId = (await platform.machine.post('/v1/organizations', { name: 'Killed' })).body.id;
  const client = await platform.as({ role: 'org_admin', org: orgId });
  const { id } = (await client.post('/v1/webhooks', { url: receiver.url, events: ['*'] })).body;
  const held: ServerResponse[] = [];
  receiver.answerWith((response) => {
    if (receiver.received.length <= ON_THEIR_WAY) response.writeHead(200).end();
    else held.push(response);
  });
  await database.transaction(orgId, async (em) => {
    for (let n = 0; n < EVENTS; n += 1) writeEvent(em, 'claim.filed', CLAIM);
  });
  await eventually(() => held.length === ON_THEIR_WAY, { what: 'deliveries on their way' });
  await Promise.all([platform.worker.kill(), temporal.kill()]);
  receiver.answerWith(accept);
  for (const response of held) response.destroy();
  await temporal.start();
  await platform.worker.start();

  const countOf = async (status: string): Promise<number> =>
    (await client.get(`/v1/webhooks/${id}/deliveries`, { query: { status, limit: 100 } })).body.data.length;
  const ended = async () => (await countOf('delivered')) + (await countOf('unknown')) === EVENTS;
  await eventually(ended, { what: 'the end of all deliveries' });
  t.is(await countOf('unknown'), ON_THEIR_WAY);
  t.is(receiver.received.length, EVENTS);
  t.is(new Set(receiver.received.map(({ event }) => event.id)).size, EVENTS);
  const { data } = (await client.get('/v1/events', { query: { limit: 100 } })).body;
  t.is(data.length, EVENTS);
});
