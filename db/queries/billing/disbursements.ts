// Queries on disbursements.
import { type FilterQuery, LockMode, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DisbursementMethod, DisbursementStatus } from '../../../domain/billing/disbursement.ts';
import { Disbursement } from '../../entities/billing/disbursement.ts';
import type { Payment } from '../../entities/billing/payment.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';
import { findPayment, paymentsWith, reversalOf } from './payments.ts';

export interface DisbursementFilter {
  status?: DisbursementStatus;
  policyId?: string;
  invoiceId?: string;
  refundId?: string;
}

/** Reads a disbursement, or null. */
export function findDisbursement(em: EntityManager, id: string): Promise<Disbursement | null> {
  return em.findOne(Disbursement, { id });
}

/** Reads a current disbursement and locks it, after its policy and invoice. Null when there is none. */
export function lockDisbursement(em: EntityManager, id: string): Promise<Disbursement | null> {
  return em.findOne(Disbursement, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/**
 * Reads a disbursement that was issued under a number or reference, in any case, or null. The bank pays no check that
 * was stopped, so its number is used up.
 */
export function issuedUnder(
  em: EntityManager,
  { method, reference }: { method: DisbursementMethod; reference: string },
): Promise<Disbursement | null> {
  const isSame = { [raw('lower(reference)')]: reference.toLowerCase() } as FilterQuery<Disbursement>;
  return em.findOne(Disbursement, { $and: [{ method, issues: { $gt: 0 } }, isSame] });
}

/**
 * Whether a disbursement is still owed: not once every payment that it gives back has been reversed, since it was never
 * good.
 */
export async function isStillOwed(em: EntityManager, { cause, refundId }: Readonly<Disbursement>): Promise<boolean> {
  if (cause !== 'refund') return true;
  const received = await receivedFor(em, refundId);
  return (await reversalsBehind(em, refundId)).length < received.length;
}

/** Reads the reversals of the payments, other than by card, that a refund gives back. */
export async function reversalsBehind(em: EntityManager, refundId: string): Promise<Payment[]> {
  const reversals: Payment[] = [];
  for (const receipt of await receivedFor(em, refundId)) {
    const reversal = await reversalOf(em, receipt);
    if (reversal !== null) reversals.push(reversal);
  }
  return reversals;
}

/** What came in for the parts of a refund that no card takes back; applied money came by an earlier payment. */
async function receivedFor(em: EntityManager, refundId: string): Promise<Payment[]> {
  const refund = await findPayment(em, refundId);
  const parts = refund?.allocations.filter(({ method }) => method !== 'card') ?? [];
  const paid = await paymentsWith(
    em,
    parts.map(({ paymentId }) => paymentId),
  );
  return paymentsWith(em, [...new Set(paid.map(({ id, sourcePaymentId }) => sourcePaymentId ?? id))]);
}

/** Reads what returns owe by check, oldest first. */
export function disbursementsOf(em: EntityManager, refundIds: readonly string[]): Promise<Disbursement[]> {
  return em.find(Disbursement, { refundId: { $in: [...refundIds] } }, { orderBy: { id: 'asc' } });
}

/** Reads a page of disbursements, newest first. @throws DomainError validation_failed for a bad cursor */
export function listDisbursements(
  em: EntityManager,
  { status, policyId, invoiceId, refundId }: DisbursementFilter,
  page: PageRequest,
): Promise<Page<Disbursement>> {
  return pageOf(em, Disbursement, [equalTo({ status, policyId, invoiceId, refundId })], page);
}
