// Queries on disbursements.
import { type FilterQuery, LockMode, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type DisbursementMethod,
  type DisbursementStatus,
  type NotOwed,
  owedNoMore,
} from '../../../domain/billing/disbursement.ts';
import type { Cents } from '../../../domain/money.ts';
import { Disbursement } from '../../entities/billing/disbursement.ts';
import { Payment } from '../../entities/billing/payment.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';
import { findPayment, reversalOf } from './payments.ts';

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
  const name = reference.toLowerCase();
  const sql = '(lower(reference) = ? or exists (select from jsonb_each_text(issued_as) n where lower(n.value) = ?))';
  const isSame = { [raw(sql, [name, name])]: [] } as FilterQuery<Disbursement>;
  return em.findOne(Disbursement, { $and: [{ method, issues: { $gt: 0 } }, isSame] });
}

/** Reads what of a disbursement is owed no more: payments that it gives back were reversed, since never good. */
export async function notOwed(em: EntityManager, row: Readonly<Disbursement>): Promise<NotOwed> {
  const behind = row.cause === 'refund' ? await paymentsBehind(em, row.refundId) : [];
  return owedNoMore(
    row,
    behind.map(({ cents, reversal }) => ({ cents, isReversed: reversal !== null })),
  );
}

/** Reads the reversals of the payments, other than by card, that a refund gives back. */
export async function reversalsBehind(em: EntityManager, refundId: string): Promise<Payment[]> {
  return (await paymentsBehind(em, refundId)).flatMap(({ reversal }) => reversal ?? []);
}

/** What came in for the parts of a refund that no card takes back; applied money came by an earlier payment. */
async function paymentsBehind(em: EntityManager, refundId: string) {
  const refund = await findPayment(em, refundId);
  const parts = refund?.allocations.filter(({ method }) => method !== 'card') ?? [];
  const behind: { cents: Cents; reversal: Payment | null }[] = [];
  for (const { paymentId, amountCents: cents } of parts) {
    const paid = await findPayment(em, paymentId);
    const received = paid?.sourcePaymentId ? await findPayment(em, paid.sourcePaymentId) : paid;
    behind.push({ cents, reversal: received && (await reversalOf(em, received)) });
  }
  return behind;
}

/** Reads what returns owe by check, oldest first. */
export function disbursementsOf(em: EntityManager, refundIds: readonly string[]): Promise<Disbursement[]> {
  return em.find(Disbursement, { refundId: { $in: [...refundIds] } }, { orderBy: { id: 'asc' } });
}

/** Reads the return premium that a policy is owed and that has not been paid out, oldest first. */
export async function disbursementsToKeep(em: EntityManager, policyId: string): Promise<Disbursement[]> {
  const unpaid = { policyId, status: { $in: ['pending' as const, 'stopped' as const] } };
  const rows = await em.find(Disbursement, unpaid, { orderBy: { id: 'asc' } });
  if (rows.length === 0) return [];
  const returned = { id: { $in: rows.map(({ refundId }) => refundId) }, policyTransactionId: { $ne: null } };
  const ofChanges = new Set((await em.find(Payment, returned, { fields: ['id'] })).map(({ id }) => id));
  return rows.filter(({ refundId }) => ofChanges.has(refundId));
}

/** Reads a page of disbursements, newest first. @throws DomainError validation_failed for a bad cursor */
export function listDisbursements(
  em: EntityManager,
  { status, policyId, invoiceId, refundId }: DisbursementFilter,
  page: PageRequest,
): Promise<Page<Disbursement>> {
  return pageOf(em, Disbursement, [equalTo({ status, policyId, invoiceId, refundId })], page);
}
