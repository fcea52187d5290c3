/**
 * Sends the deliveries that wait for one subscription, a few side by side. Each is claimed before it is sent, and its
 * end is kept with the claim of the next one. An attempt of the activity that dies leaves at most those few without an
 * outcome. Spec 6.2.
 */
import { heartbeat } from '@temporalio/activity';
import type { DeliveredSome, EventDeliveryInput } from '../../contracts/delivery.ts';
import { giveUpOrphans, releaseWebhook } from '../../db/queries/delivery/deliveries.ts';
import type { DeliveryResult } from '../../domain/delivery/delivery.ts';
import { deliver } from '../../providers/webhooks/deliver.ts';
import { asFailure, type Deps } from '../context.ts';
import { deliveryExchange } from './exchange.ts';

/** Connections to one receiver at a time. */
const AT_ONCE = 10;
/** Then others have a turn: the next round waits in the queue like everybody's. */
const ROUND_MS = 15_000;
const HEARTBEAT_MS = 3_000;

/** Sends what waits for a subscription, for some seconds at most. */
export const deliverEvents = (deps: Deps) => {
  const exchange = deliveryExchange(deps.database);
  return async ({ orgId, webhookId }: EventDeliveryInput): Promise<DeliveredSome> => {
    const beating = setInterval(heartbeat, HEARTBEAT_MS);
    const round = { sent: 0, endsAt: performance.now() + ROUND_MS };
    const end = () => {
      round.endsAt = 0;
    };
    const sendOneByOne = async () => {
      let result: DeliveryResult | null = null;
      for (;;) {
        const wantsNext = performance.now() < round.endsAt;
        if (result === null && !wantsNext) return;
        const next = await exchange.swap(orgId, { webhookId, result, wantsNext });
        // What comes while the others end is left to a round of all of them.
        if (next === null) return end();
        result = await deliver(next, { sender: deps.webhooks, payloadKeys: deps.payloadKeys, now: deps.now });
        round.sent += 1;
      }
    };
    try {
      await exchange.inTurn(orgId, (em) => giveUpOrphans(em, webhookId));
      await allToTheirEnd(AT_ONCE, sendOneByOne, end);
      return { sent: round.sent, isDone: await exchange.inTurn(orgId, (em) => releaseWebhook(em, webhookId)) };
    } catch (error) {
      throw asFailure(deps, { kind: 'deliverEvents', orgId }, error);
    } finally {
      clearInterval(beating);
    }
  };
};

/** Nothing may go on behind an attempt that has failed: the next one would come on top of it. */
async function allToTheirEnd(count: number, work: () => Promise<void>, onFault: () => void): Promise<void> {
  const settled = await Promise.allSettled(
    Array.from({ length: count }, () =>
      work().catch((error: unknown) => {
        onFault();
        throw error;
      }),
    ),
  );
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
