/**
 * The locks of everything that moves money, in one order: the policy, then its next term, the delegated authority
 * usage, the invoices, the payment. Transactions that lock in this order never deadlock. Counters and events are
 * locked last, when the rows are written. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invoice } from '../db/entities/billing/invoice.ts';
import type { Payment } from '../db/entities/billing/payment.ts';
import type { Policy } from '../db/entities/policy/policy.ts';
import { type LockedUsage, lockUsage } from '../db/queries/authority/authority.ts';
import { lockInvoice, policyIdOfInvoice } from '../db/queries/billing/invoices.ts';
import { findPayment } from '../db/queries/billing/payments.ts';
import { lockReceipt, policiesOfRefund } from '../db/queries/billing/refunds.ts';
import { lockPolicy } from '../db/queries/policy/policies.ts';
import { openRenewalOf } from '../plans/renewal/term-chain.ts';

/** An invoice and its policy, both locked until the transaction ends. */
export interface LockedInvoice {
  policy: Policy;
  invoice: Invoice;
}

/** A payment or refund, and its invoice if it has one; all locked until the transaction ends. */
export interface LockedPayment {
  payment: Payment;
  locked: LockedInvoice | null;
}

/** Locks an invoice after its policy. Null when there is none. */
export async function lockForMoney(em: EntityManager, invoiceId: string): Promise<LockedInvoice | null> {
  const policyId = await policyIdOfInvoice(em, invoiceId);
  if (policyId === null) return null;
  const policy = await lockPolicy(em, policyId);
  const invoice = await lockInvoice(em, invoiceId);
  return policy && invoice && { policy, invoice };
}

/** Locks a payment or refund after its policy and invoice. Null when there is none. */
export async function lockPayment(em: EntityManager, paymentId: string): Promise<LockedPayment | null> {
  const found = await findPayment(em, paymentId);
  const locked = found?.invoiceId ? await lockForMoney(em, found.invoiceId) : null;
  const payment = await lockReceipt(em, paymentId);
  return payment && { payment, locked };
}

/**
 * Locks a refund as `lockPayment` does. Its money may have been paid for another policy, which is locked first: oldest
 * first, since a next term is newer than the term before it.
 */
export async function lockRefund(em: EntityManager, refundId: string): Promise<LockedPayment | null> {
  for (const policyId of await policiesOfRefund(em, refundId)) await lockPolicy(em, policyId);
  return lockPayment(em, refundId);
}

/**
 * Locks what a change to a locked policy needs before its invoices: its next term, which may end with it, and its
 * delegated authority usage. Returns the usage; null without a contract.
 */
export async function lockPolicyUsage(em: EntityManager, policy: Policy): Promise<LockedUsage | null> {
  const nextTermId = policy.renewalPolicyId === null ? null : await openRenewalOf(em, policy.id);
  if (nextTermId !== null) await lockPolicy(em, nextTermId);
  const { daContractId, daYear } = policy;
  return daContractId === null || daYear === null ? null : lockUsage(em, daContractId, daYear);
}
