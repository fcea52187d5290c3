// Unapplied receipt money: what is left of each receipt, and the list of them all. Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type HeldMoney, heldBy, returnedFrom } from '../../../domain/billing/refund.ts';
import { type Cents, sumCents } from '../../../domain/money.ts';
import { Payment, type RefundAllocation } from '../../entities/billing/payment.ts';
import { organizationOf } from '../../scope.ts';
import { cutPage, type Page, type PageRequest, readCursor } from '../pages.ts';
import { refundsOfReceipt, returnsOfReceipt } from './refunds.ts';

/** A receipt with its remaining cents. */
export interface UnappliedReceipt {
  id: string;
  payment: Payment;
  unappliedCents: Cents;
}

export interface UnappliedFilter {
  policyId?: string;
  invoiceId?: string;
}

/**
 * What is left of receipt `p`, less what invoices have taken from it since, and less unapplied money that was or is
 * about to be returned. `heldBy` in domain/billing/refund.ts computes the same for one row.
 */
const LEFT = `p.amount_cents - p.applied_cents
  - coalesce((select sum(a.applied_cents) from payments a where a.org_id = p.org_id and a.source_payment_id = p.id), 0)
  - coalesce((
    select sum(coalesce((part ->> 'unappliedCents')::bigint, r.applied_cents - r.amount_cents - r.covered_cents))
      from payments r, jsonb_array_elements(r.allocations) part
      where r.org_id = p.org_id and r.invoice_id is not distinct from p.invoice_id
        and r.kind in ('refund', 'chargeback', 'reversal') and r.status <> 'failed' and part ->> 'paymentId' = p.id), 0)`;

/**
 * Reads a page of the receipts with money left, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export async function listUnapplied(
  em: EntityManager,
  { policyId, invoiceId }: UnappliedFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<UnappliedReceipt>> {
  const conditions: [sql: string, value: string | undefined][] = [
    ['policy_id = ?', policyId],
    ['invoice_id = ?', invoiceId],
    ['id < ?', cursor ? readCursor(cursor) : undefined],
  ];
  const given = conditions.filter((each): each is [string, string] => each[1] !== undefined);
  const rows = await em.execute<{ id: string; unapplied: string }[]>(
    `select * from (
       select id, ${LEFT} as unapplied from payments p where org_id = ? and kind in ('card', 'manual')
         and amount_cents > applied_cents ${given.map(([sql]) => `and ${sql}`).join(' ')}
     ) receipts where unapplied > 0 order by id desc limit ?`,
    [organizationOf(em), ...given.map(([, value]) => value), limit + 1],
  );
  const { data, nextCursor } = cutPage(rows, limit);
  const payments = await em.find(Payment, { id: { $in: data.map(({ id }) => id) } });
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const receipts = data.flatMap(({ id, unapplied }) => {
    const payment = byId.get(id);
    return payment === undefined ? [] : [{ id, payment, unappliedCents: Number(unapplied) }];
  });
  return { data: receipts, nextCursor };
}

/** Reads the unapplied cents of receipts, by id. */
export async function unappliedOf(em: EntityManager, ids: readonly string[]): Promise<Map<string, Cents>> {
  if (ids.length === 0) return new Map();
  const rows = await em.execute<{ id: string; unapplied: string }[]>(
    `select id, ${LEFT} as unapplied from payments p where org_id = ? and id in (${ids.map(() => '?').join(', ')})`,
    [organizationOf(em), ...ids],
  );
  return new Map(rows.map(({ id, unapplied }) => [id, Number(unapplied)]));
}

/** Reads the receipts of policies that were not fully applied, oldest first. */
export async function receiptsBeyondInvoices(em: EntityManager, policyIds: readonly string[]): Promise<Payment[]> {
  const those = { policyId: { $in: [...policyIds] }, kind: { $in: ['card' as const, 'manual' as const] } };
  const receipts = await em.find(Payment, those, { orderBy: { id: 'asc' } });
  return receipts.filter(({ amountCents, appliedCents }) => amountCents > appliedCents);
}

/** Reads what a locked receipt still holds. */
export async function heldNow(em: EntityManager, receipt: Payment): Promise<HeldMoney> {
  return heldBy(receipt, await returnsOfReceipt(em, receipt), await movedFrom(em, receipt));
}

/** What invoices have taken from a receipt since, in cents. */
export async function movedFrom(em: EntityManager, receipt: Payment): Promise<Cents> {
  return sumCents((await applicationsOf(em, receipt)).map(({ appliedCents }) => appliedCents));
}

/** What was or is about to be refunded of a receipt's money that invoices have taken since: it is the same charge. */
export async function refundedElsewhere(em: EntityManager, receipt: Payment): Promise<Cents> {
  let cents = 0;
  for (const application of await applicationsOf(em, receipt)) {
    for (const { kind, allocations } of await returnsOfReceipt(em, application)) {
      if (kind === 'refund') cents += returnedFrom(application.id, standing(allocations));
    }
  }
  return cents;
}

/** Reads all refund parts of a receipt's charge, whichever invoice has the money and whatever their outcome. */
export async function refundPartsOfCharge(em: EntityManager, receipt: Payment): Promise<RefundAllocation[]> {
  const parts: RefundAllocation[] = [];
  for (const payment of [receipt, ...(await applicationsOf(em, receipt))]) {
    const refunds = await refundsOfReceipt(em, payment);
    parts.push(...refunds.flatMap((each) => each.allocations).filter(({ paymentId }) => paymentId === payment.id));
  }
  return parts;
}

/** The parts of a refund that have not failed at the card processor. */
export function standing(parts: readonly RefundAllocation[]): RefundAllocation[] {
  return parts.filter(({ failedAt }) => failedAt === undefined);
}

/** Reads what invoices have taken from a receipt since, oldest first. */
export function applicationsOf(em: EntityManager, { id }: Payment): Promise<Payment[]> {
  return em.find(Payment, { kind: 'application', sourcePaymentId: id }, { orderBy: { id: 'asc' } });
}
