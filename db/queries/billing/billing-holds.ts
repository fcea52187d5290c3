// Queries on billing holds.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { HoldPeriod as Hold } from '../../../domain/billing/delinquency.ts';
import { addDays, minDate } from '../../../domain/dates.ts';
import { BillingHold } from '../../entities/billing/billing-hold.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';

/** Reads a hold, lifted or not; null when there is none. */
export function findBillingHold(em: EntityManager, id: string): Promise<BillingHold | null> {
  return findById(em, BillingHold, id);
}

/** Reads a hold and locks it until the transaction ends; null when there is none. */
export function lockBillingHold(em: EntityManager, id: string): Promise<BillingHold | null> {
  return lockById(em, BillingHold, id);
}

/** Reads a page of unlifted holds, newest first. @throws DomainError validation_failed for a bad cursor */
export function listBillingHolds(em: EntityManager, page: PageRequest): Promise<Page<BillingHold>> {
  return pageOf(em, BillingHold, [{ liftedOn: null }], page);
}

const HOLDS = {
  name: 'billing holds',
  text: `select state, from_date::text as "from", to_date::text as "to", lifted_on::text as lifted from billing_holds
    where org_id = $1 and ($2::text is null or state = $2) order by id`,
};

/** Reads a state's uncounted days; by default every state's. */
export async function holdsOfState(em: EntityManager, state?: string): Promise<Hold[]> {
  const given = [organizationOf(em), state ?? null];
  const rows = await preparedRows<{ state: string; from: string; to: string; lifted: string | null }>(em, HOLDS, given);
  return rows
    .map(({ lifted, to, ...hold }) => ({ ...hold, to: lifted === null ? to : minDate(to, addDays(lifted, -1)) }))
    .filter(({ from, to }) => from <= to);
}
