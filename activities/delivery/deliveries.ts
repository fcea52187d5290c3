/**
 * Sends the deliveries that wait for one subscription: a few at a time, each claimed before it is sent and its end kept
 * with the claim of the next few. An attempt of the activity that dies leaves at most those few without an outcome.
 * Spec 6.2.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { heartbeat } from '@temporalio/activity';
import type { DeliveredSome, EventDeliveryInput } from '../../contracts/delivery.ts';
import { claimPending, giveUpOrphans, keepResults, releaseWebhook } from '../../db/queries/delivery/deliveries.ts';
import type { ClaimedDelivery, DeliveryResult } from '../../domain/delivery/delivery.ts';
import { deliver } from '../../providers/webhooks/deliver.ts';
import { type Deps, transaction } from '../context.ts';
import { Turns } from './turns.ts';

/** Connections to one receiver at a time. */
const AT_ONCE = 10;
/** Then others have a turn: the next round waits in the queue like everybody's. */
const ROUND_MS = 15_000;
const HEARTBEAT_MS = 3_000;
/** Statements of all deliveries at a time: they leave the connections of the database to commands. */
const CONNECTIONS = 2;

/** Sends what waits for a subscription, for some seconds at most. */
export const deliverEvents = (deps: Deps) => {
  const turns = new Turns(CONNECTIONS);
  return async ({ orgId, webhookId }: EventDeliveryInput): Promise<DeliveredSome> => {
    const beating = setInterval(heartbeat, HEARTBEAT_MS);
    const step = { kind: 'deliverEvents', orgId };
    const inTurn = <R>(work: (em: EntityManager) => Promise<R>) => turns.take(() => transaction(deps, step, work));
    const endsAt = performance.now() + ROUND_MS;
    let sent = 0;
    try {
      let wave = await inTurn(async (em) => {
        await giveUpOrphans(em, webhookId);
        return claimPending(em, webhookId, AT_ONCE);
      });
      while (wave.length > 0) {
        const results = await sendAll(wave, deps);
        sent += results.length;
        const most = performance.now() < endsAt ? AT_ONCE : 0;
        wave = await inTurn(async (em) => {
          await keepResults(em, results);
          return most === 0 ? [] : claimPending(em, webhookId, most);
        });
      }
      return { sent, isDone: await inTurn((em) => releaseWebhook(em, webhookId)) };
    } finally {
      clearInterval(beating);
    }
  };
};

function sendAll(wave: readonly ClaimedDelivery[], { webhooks, payloadKeys, now }: Deps): Promise<DeliveryResult[]> {
  return Promise.all(wave.map((delivery) => deliver(delivery, { sender: webhooks, payloadKeys, now })));
}
