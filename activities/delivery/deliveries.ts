/**
 * Sends one subscription's waiting deliveries, a few at a time. Each is claimed before it is sent, and its outcome is
 * stored together with the next claim. An activity attempt that dies leaves at most those few without an outcome. Spec
 * 6.2.
 */
import { heartbeat } from '@temporalio/activity';
import type { DeliveredSome, EventDeliveryInput } from '../../contracts/delivery.ts';
import { beginRound, releaseWebhook } from '../../db/queries/delivery/deliveries.ts';
import type { ClaimedDelivery, DeliveryResult } from '../../domain/delivery/delivery.ts';
import { deliver } from '../../providers/webhooks/deliver.ts';
import { activityFailure, type Deps } from '../context.ts';
import { type DeliveryExchange, deliveryExchange } from './exchange.ts';
import { deliveryPlaces, type Room, type WaitingLine } from './places.ts';

/** Connections to one receiver at a time. */
const AT_ONCE = 10;
/** Per process. A hanging receiver's connection takes memory, and little else. */
const ROOM: Room = { all: 3_000, ofOrigin: 200 };
/** Then others get a turn: the next round waits in the queue like any other. */
const ROUND_MS = 15_000;
const HEARTBEAT_MS = 3_000;

export type DeliveryDeps = Pick<Deps, 'database' | 'webhooks' | 'payloadKeys' | 'now' | 'logger'>;

/** Sends a subscription's waiting deliveries, for some seconds at most. */
export const deliverEvents = (deps: DeliveryDeps, room: Room = ROOM) => {
  const exchange = deliveryExchange(deps.database);
  const places = deliveryPlaces(room);
  return async ({ orgId, webhookId }: EventDeliveryInput): Promise<DeliveredSome> => {
    const beating = setInterval(heartbeat, HEARTBEAT_MS);
    try {
      const url = await exchange.inTurn(orgId, (em) => beginRound(em, webhookId));
      const sent = await sendInRound(deps, exchange, { orgId, webhookId, line: places.line(orgId, url), after: 0 });
      return { sent, isDone: await exchange.inTurn(orgId, (em) => releaseWebhook(em, webhookId)) };
    } catch (error) {
      throw activityFailure(deps, { kind: 'deliverEvents', orgId }, error);
    } finally {
      clearInterval(beating);
    }
  };
};

interface Round extends EventDeliveryInput {
  line: WaitingLine;
  /** The position of the last delivery taken up. */
  after: number;
}

async function sendInRound(deps: DeliveryDeps, exchange: DeliveryExchange, round: Round): Promise<number> {
  const { line } = round;
  const ending = setTimeout(line.close, ROUND_MS);
  let sent = 0;
  const send = async (delivery: ClaimedDelivery) => {
    sent += 1;
    const parts = { sender: deps.webhooks, payloadKeys: deps.payloadKeys, now: deps.now };
    return await deliver(delivery, parts).finally(line.giveBack);
  };
  const sendOneByOne = async () => {
    let result: DeliveryResult | null = null;
    for (;;) {
      // The last outcome is stored immediately; a sender with nothing to hand in waits for a place.
      const wantsNext = line.tryTake() || (result === null && (await line.take()));
      if (!wantsNext && result === null) return;
      const next = await takeUp(exchange, round, { result, wantsNext });
      result = next === null ? null : await send(next);
    }
  };
  try {
    await allToTheirEnd(AT_ONCE, sendOneByOne, line.close);
    return sent;
  } finally {
    clearTimeout(ending);
  }
}

/** Hands in a result. A sender with a place but nothing to send gives it back, and the round ends. */
async function takeUp(
  exchange: DeliveryExchange,
  round: Round,
  swap: { result: DeliveryResult | null; wantsNext: boolean },
): Promise<ClaimedDelivery | null> {
  const { orgId, webhookId, line, after } = round;
  let next: ClaimedDelivery | null = null;
  try {
    next = await exchange.swap(orgId, { webhookId, after, ...swap });
    round.after = Math.max(round.after, next?.position ?? 0);
  } finally {
    if (next === null && swap.wantsNext) {
      // Deliveries that arrive while the others finish are left to the next full round.
      line.close();
      line.giveBack();
    }
  }
  return next;
}

/** No sender may outlive a failed attempt: the next attempt would run on top of it. */
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
