// Receivers of several organizations that accept requests and never answer, all at the same time.
import test from 'ava';
import { deliverEvents } from '../../../activities/delivery/deliveries.ts';
import { Webhook } from '../../../db/entities/delivery/webhook.ts';
import { newId } from '../../../db/ids.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { WEBHOOKS_PER_ORGANIZATION } from '../../../domain/limits.ts';
import { createWebhookSender } from '../../../providers/webhooks/sender.ts';
import { testWorkerConfig } from '../../support/config.ts';
import { eventually } from '../../support/eventually.ts';
import { silentLogger } from '../../support/logger.ts';
import { type Platform, runPlatform } from '../../support/run-platform.ts';
import { runWorker } from '../../support/run-worker.ts';
import { startReceiver } from '../../support/servers/receiver.ts';

const TENANTS = 6;
const EVENTS = 2;
/** The test's one host stands for many, so it has room for all of them. */
const ROOM = { all: 3_000, ofOrigin: 1_500 };
/** Longer than the test: hanging attempts end when their receiver closes. */
const ATTEMPT_MS = 1_200_000;
const CLAIM = {
  claimId: 'clm_01jz8k3v5ne0rbx4q2mw7t6yha',
  claimNumber: 'CLM-2026-000045',
  policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha',
  status: 'reported',
};

/** Subscribes an organization's events to each URL. */
async function subscribe({ database }: Platform, orgId: string, urls: string[]): Promise<void> {
  await database.transaction(orgId, async (em) => {
    for (const url of urls) {
      const names = { events: ['*'], eventTypes: ['*'], description: null, previousSecrets: [] };
      const row = { id: newId('webhookSubscription'), url, secret: 'plain:s', deliveringUntil: null, ...names };
      em.create(Webhook, { ...row, status: 'active' }, { persist: true });
    }
  });
}

const write = ({ database }: Platform, orgId: string, count: number) =>
  database.transaction(orgId, async (em) => {
    for (let n = 0; n < count; n += 1) writeEvent(em, 'claim.filed', CLAIM);
  });

/** A normal worker, except for how long it waits for an answer. */
function patientWorker({ config, database, testDatabase, providers }: Platform) {
  const { temporalAddress, taskQueuePrefix, outboundPolicy } = config;
  const webhooks = createWebhookSender({ ...outboundPolicy, attemptMs: ATTEMPT_MS });
  const { payloadKeys } = config;
  const deps = { database, webhooks, payloadKeys, logger: silentLogger, now: Date.now };
  return runWorker({
    ...{ config: testWorkerConfig({ database: testDatabase, temporalAddress, taskQueuePrefix }), database, providers },
    around: (activities) => ({ ...activities, deliverEvents: deliverEvents(deps, ROOM) }),
  });
}

test('others have their events, even at the same host, while all 300 receivers of six organizations hang', async (t) => {
  const platform = await runPlatform({ worker: false });
  const hanging = await startReceiver((response, { event, path }) => {
    // On this one host, only this path answers.
    if (path.startsWith('/hooks/quick')) response.writeHead(200).end(event.id);
  });
  const quick = await startReceiver();
  const worker = await patientWorker(platform);
  try {
    const tenants = await Promise.all(Array.from({ length: TENANTS }, () => platform.createOrg()));
    for (const orgId of tenants) {
      const paths = Array.from({ length: WEBHOOKS_PER_ORGANIZATION }, (_, n) => `${hanging.url}/${n}`);
      await subscribe(platform, orgId, paths);
      await write(platform, orgId, 1);
    }
    const hang = () => new Set(hanging.received.map(({ event, path }) => `${event.orgId} ${path}`)).size;
    await eventually(() => hang() === TENANTS * WEBHOOKS_PER_ORGANIZATION, { what: 'the 300 that hang' });
    const other = await platform.createOrg();
    await subscribe(platform, other, [quick.url, `${hanging.url}/quick`]);
    await write(platform, other, EVENTS);
    const answered = () => hanging.received.filter(({ path }) => path.endsWith('/quick')).length;
    await eventually(() => quick.received.length === EVENTS && answered() === EVENTS, {
      what: 'the other organization',
    });
    t.true(hanging.mostAtOnce() > TENANTS * WEBHOOKS_PER_ORGANIZATION, 'all others still hang');
  } finally {
    await hanging.close();
    await worker.stop();
    await quick.close();
    await platform.close();
  }
});
