// Queries on payments and card collection attempts.
import { type FilterQuery, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentMethod } from '../../../domain/billing/payment.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { Payment } from '../../entities/billing/payment.ts';
import { PaymentIntent } from '../../entities/billing/payment-intent.ts';
import { findById, findOneWhere, findWhere } from '../../entity-rows.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { between, equalTo, type Page, type PageRequest, pageByCreation } from '../pages.ts';
import { REFERENCE_BEGINS_WITH, SETTLED } from './invoices.ts';

/** Filters of the list; the date range is inclusive. */
export interface PaymentFilter {
  method?: PaymentMethod;
  invoiceId?: string;
  policyId?: string;
  receivedFrom?: BusinessDate;
  receivedTo?: BusinessDate;
  /** The start of the reference. */
  q?: string;
}

/** Reads a payment, or null. */
export function findPayment(em: EntityManager, id: string): Promise<Payment | null> {
  return findById(em, Payment, id);
}

/**
 * Reads a page of payments and their returns, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listPayments(em: EntityManager, filter: PaymentFilter, page: PageRequest): Promise<Page<Payment>> {
  const { method, invoiceId, policyId, q } = filter;
  const conditions: FilterQuery<Payment>[] = [equalTo({ method, invoiceId, policyId })];
  if (q) conditions.push({ [raw(REFERENCE_BEGINS_WITH, [q, q])]: [] } as FilterQuery<Payment>);
  const received = between(filter.receivedFrom, filter.receivedTo);
  if (received) conditions.push({ receivedOn: received });
  return pageByCreation(em, Payment, conditions, page);
}

/** Reads the payments of invoices, oldest first. */
export function paymentsOf(em: EntityManager, invoiceIds: readonly string[]): Promise<Payment[]> {
  return em.find(Payment, { invoiceId: { $in: [...invoiceIds] } }, { orderBy: { id: 'asc' } });
}

/** Reads payments by their ids. */
export function paymentsWith(em: EntityManager, ids: readonly string[]): Promise<Payment[]> {
  return em.find(Payment, { id: { $in: [...ids] } });
}

/** Reads a payment intent's payment, or null. */
export function cardPayment(em: EntityManager, intentId: string): Promise<Payment | null> {
  return findOneWhere(em, Payment, "org_id = $1 and kind = 'card' and reference = $2", [intentId]);
}

const MANUAL = "org_id = $1 and kind = 'manual' and invoice_id = $2 and method = $3 and reference = $4";

/** Reads a payment entered by hand, or null. */
export function manualPayment(
  em: EntityManager,
  { invoiceId, method, reference }: { invoiceId: string; method: Payment['method']; reference: string },
): Promise<Payment | null> {
  return findOneWhere(em, Payment, MANUAL, [invoiceId, method, reference]);
}

/** Lists the payments on an invoice that were never good, each with the positive amount that the invoice gave up. */
export async function returnedPayments(em: EntityManager, invoiceId: string) {
  const payments = await em.find(Payment, { invoiceId });
  return payments
    .filter(({ kind }) => kind === 'reversal')
    .flatMap((reversal) => {
      const payment = payments.find(({ id }) => reversal.allocations.some(({ paymentId }) => paymentId === id));
      return payment === undefined ? [] : [{ payment, cents: 0 - reversal.appliedCents }];
    });
}

/** Reads what reversed a payment, or null. */
export async function findReversal(em: EntityManager, { id, invoiceId }: Payment): Promise<Payment | null> {
  const reversals = await em.find(Payment, { kind: 'reversal', invoiceId });
  return reversals.find(({ allocations }) => allocations.some(({ paymentId }) => paymentId === id)) ?? null;
}

/** Reads the attempts to collect an invoice by card, the latest first. */
export function intentsOf(em: EntityManager, invoiceId: string): Promise<PaymentIntent[]> {
  return findWhere(em, PaymentIntent, 'org_id = $1 and invoice_id = $2 order by attempt desc', [invoiceId]);
}

/** The SQL condition for an attempt that could still be paid but must be cancelled in any case. */
export const OBSOLETE_ATTEMPT = `processor_id is not null and status in ('creating', 'open', 'failed')
  and cancellation is distinct from 'left_out' and (cancellation = 'due' or exists (select from invoices i
    where i.org_id = payment_intents.org_id and i.id = payment_intents.invoice_id and (${SETTLED})))`;

const OBSOLETE_ATTEMPTS = {
  name: 'obsolete attempts',
  text: `select invoice_id as "invoiceId", id as "attemptId" from payment_intents
    where org_id = $1 and invoice_id in (select id from invoices where org_id = $1 and policy_id = $2)
      and ${OBSOLETE_ATTEMPT} order by id`,
};

/** Reads the obsolete attempts on the invoices of a policy. */
export function obsoleteAttemptsOf(
  em: EntityManager,
  policyId: string,
): Promise<{ invoiceId: string; attemptId: string }[]> {
  return preparedRows(em, OBSOLETE_ATTEMPTS, [organizationOf(em), policyId]);
}

/** Finds the owner of an intent, in any organization; null for one that was not created here. */
export async function invoiceOfIntent(
  em: EntityManager,
  intentId: string,
): Promise<{ orgId: string; invoiceId: string } | null> {
  const rows = await em.execute<{ org_id: string; invoice_id: string }[]>('select * from find_payment_intent(?)', [
    intentId,
  ]);
  const [row] = rows;
  return row ? { orgId: row.org_id, invoiceId: row.invoice_id } : null;
}
