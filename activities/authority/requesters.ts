/** Who has requested a referral, with those behind them: none of them decides on it. Contract 2, 3.7. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Referral } from '../../db/entities/authority/referral.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import { requesterIds } from '../../plans/authority/requesters.ts';

/** Adds an actor to a referral's requesters, with those behind them. */
export async function addRequester(em: EntityManager, referral: Referral, actor: ActorRef): Promise<void> {
  const requesters = new Set([...referral.requesters, ...(await requesterIds(em, actor))]);
  if (requesters.size > referral.requesters.length) referral.requesters = [...requesters];
}
