// Where senders hand in how a delivery ended and are given the next one. What those of an organization bring while a
// statement is under way goes with the next one, so that many deliveries cost one statement and one commit.
import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../db/orm.ts';
import { keepAndClaim } from '../../db/queries/delivery/deliveries.ts';
import { togetherBy } from '../../db/together.ts';
import type { ClaimedDelivery, DeliveryResult } from '../../domain/delivery/delivery.ts';
import { Turns } from './turns.ts';

/** Statements of all deliveries at a time: they leave the connections of the database to commands. */
const CONNECTIONS = 2;

/** What a sender brings. */
export interface Swap {
  webhookId: string;
  /** Null when it has sent nothing yet. */
  result: DeliveryResult | null;
  wantsNext: boolean;
}

export interface DeliveryExchange {
  /** Settles when the result is committed and the next delivery is claimed; null when none waits or is wanted. */
  swap: (orgId: string, swap: Swap) => Promise<ClaimedDelivery | null>;
  /** Runs a statement of the organization when it is its turn. */
  inTurn: <R>(orgId: string, work: (em: EntityManager) => Promise<R>) => Promise<R>;
}

/** Builds the exchange of a worker process. */
export function deliveryExchange(database: Pick<Database, 'forOrg'>): DeliveryExchange {
  const turns = new Turns(CONNECTIONS);
  const inTurn: DeliveryExchange['inTurn'] = (orgId, work) => turns.take(() => database.forOrg(orgId, work));
  const swap = togetherBy<Swap, ClaimedDelivery | null>(
    (orgId, swaps) => inTurn(orgId, (em) => swapAll(em, swaps)),
    // Answers that have arrived in one moment go together.
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
  const most = [...wanted].map(([webhookId, { length }]) => ({ webhookId, most: length }));
  const claimed = await keepAndClaim(em, results, most);
  const next = Map.groupBy(claimed, ({ webhookId }) => webhookId);
  return swaps.map(({ webhookId, wantsNext }) => (wantsNext && next.get(webhookId)?.shift()) || null);
}
