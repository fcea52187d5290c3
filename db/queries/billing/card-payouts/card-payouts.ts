// Payouts of the card processor: recorded once, read and listed with what each settles.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CardPayoutStatus, PayoutMovement } from '../../../../domain/billing/card-payout.ts';
import { CardPayout } from '../../../entities/billing/card-payout.ts';
import { CardPayoutLine } from '../../../entities/billing/card-payout-line.ts';
import { findById } from '../../../entity-rows.ts';
import { organizationOf } from '../../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../../pages.ts';

const BATCH = 500;

/** Waits for others recording the organization's payouts, so that a duplicate event finds what the first one wrote. */
export async function lockCardPayouts(em: EntityManager): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`card payouts:${organizationOf(em)}`]);
}

/** Reads the organization's part of a payout by the processor's id, or null. */
export function findPayoutOf(em: EntityManager, processorPayoutId: string): Promise<CardPayout | null> {
  return em.findOne(CardPayout, { processorPayoutId });
}

/** Reads a payout, or null. */
export function findCardPayout(em: EntityManager, id: string): Promise<CardPayout | null> {
  return findById(em, CardPayout, id);
}

/** Writes what a payout settles; the payout must already be written. */
export async function writePayoutLines(
  em: EntityManager,
  cardPayoutId: string,
  movements: readonly PayoutMovement[],
): Promise<void> {
  const rows = movements.map(({ transactionId, type, sourceId, intentId, amountCents, feeCents, occurredAt }) => ({
    ...{ cardPayoutId, transactionId, type, sourceId, intentId, amountCents, feeCents },
    occurredAt: new Date(occurredAt),
  }));
  for (let first = 0; first < rows.length; first += BATCH) {
    for (const row of rows.slice(first, first + BATCH)) em.create(CardPayoutLine, row, { persist: true });
    await em.flush();
  }
}

/** Reads a page of payouts, newest first. @throws DomainError validation_failed for a bad cursor */
export function listCardPayouts(
  em: EntityManager,
  { status }: { status?: CardPayoutStatus | undefined },
  page: PageRequest,
): Promise<Page<CardPayout>> {
  return pageOf(em, CardPayout, status === undefined ? [] : [{ status }], page);
}

/** Reads a page of what a payout settles, newest first. @throws DomainError validation_failed for a bad cursor */
export function listPayoutLines(
  em: EntityManager,
  cardPayoutId: string,
  page: PageRequest,
): Promise<Page<CardPayoutLine>> {
  return pageOf(em, CardPayoutLine, [{ cardPayoutId }], page);
}

/** Each organization's part of a payout. Needs the all-organizations scope. */
export async function ownersOfPayout(
  em: EntityManager,
  processorPayoutId: string,
): Promise<{ orgId: string; netCents: number }[]> {
  const rows = await em.find(CardPayout, { processorPayoutId }, { orderBy: { orgId: 'asc' } });
  return rows.map(({ orgId, netCents }) => ({ orgId, netCents }));
}
