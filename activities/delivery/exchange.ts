// Where senders hand in a delivery's outcome and get the next one. Outcomes that an organization's senders bring while
// a statement is running go into the next one, so that many deliveries cost one statement and one commit.
import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../db/orm.ts';
import { keepAndClaim } from '../../db/queries/delivery/deliveries.ts';
import { togetherBy } from '../../db/together.ts';
import type { ClaimedDelivery, DeliveryResult } from '../../domain/delivery/delivery.ts';
import { Turns } from './turns.ts';

/** Concurrent statements of all deliveries: the other database connections are left to commands. */
const CONNECTIONS = 2;

/** What a sender brings. */
export interface Swap {
  webhookId: string;
  /** Null if it has sent nothing yet. */
  result: DeliveryResult | null;
  wantsNext: boolean;
  /** The position of the last delivery that the round was given, or 0. */
  after: number;
}

export interface DeliveryExchange {
  /** Settles once the result is committed and the next delivery claimed; null if none is waiting or wanted. */
  swap: (orgId: string, swap: Swap) => Promise<ClaimedDelivery | null>;
  /** Runs an organization's statement in its turn. */
  inTurn: <R>(orgId: string, work: (em: EntityManager) => Promise<R>) => Promise<R>;
}

/** Builds the exchange of a worker process. */
export function deliveryExchange(database: Pick<Database, 'forOrg'>): DeliveryExchange {
  const turns = new Turns(CONNECTIONS);
  const inTurn: DeliveryExchange['inTurn'] = (orgId, work) => turns.take(() => database.forOrg(orgId, work));
  const swap = togetherBy<Swap, ClaimedDelivery | null>(
    (orgId, swaps) => inTurn(orgId, (em) => swapAll(em, swaps)),
    // Outcomes that arrive at the same moment go together.
    { most: CONNECTIONS, gather: () => setImmediate() },
  );
  return { inTurn, swap };
}

async function swapAll(em: EntityManager, swaps: readonly Swap[]): Promise<(ClaimedDelivery | null)[]> {
  const results = swaps.flatMap(({ result }) => result ?? []);
  const wanted = Map.groupBy(
    swaps.filter(({ wantsNext }) => wantsNext),
    ({ webhookId }) => webhookId,
  );
  const claimed = await keepAndClaim(
    em,
    results,
    [...wanted].map(([webhookId, by]) => ({
      webhookId,
      most: by.length,
      after: Math.max(...by.map(({ after }) => after)),
    })),
  );
  const next = Map.groupBy(claimed, ({ webhookId }) => webhookId);
  return swaps.map(({ webhookId, wantsNext }) => (wantsNext && next.get(webhookId)?.shift()) || null);
}
