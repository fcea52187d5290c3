/**
 * Money that was never good but has paid other invoices too: it is taken back from them, and they are payable again,
 * each under its own policy. Shared by lost disputes and reversals. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { lockReceipt, returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { applicationsOf, movedFrom } from '../../../db/queries/billing/unapplied-cash.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { lockPolicy } from '../../../db/queries/policy/policies.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { heldBy, type TakenMoney, takenFrom } from '../../../domain/billing/refund.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { auditOf, type Origin } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';
import { resettle } from '../invoices/resettled-invoices.ts';
import { finishSharing } from '../invoices/settled-invoices.ts';
import { type LockedReceipt, lockReturning, raiseAlert } from '../refunds/refund-rows.ts';
import { fallDueAgain, publishReversed } from './reversed-payments.ts';

/** An invoice's later application of a receipt; both locked until the transaction ends. */
interface AppliedMoney {
  application: Payment;
  locked: LockedInvoice;
}

/** A receipt with all its applications, newest first. */
export interface SpreadReceipt extends LockedReceipt {
  applied: AppliedMoney[];
}

/**
 * Locks a receipt like `lockReturning`, with the invoices it was later applied to. Policies come first, oldest first:
 * a next term is newer than the term before it.
 */
export async function lockSpread(em: EntityManager, receipt: Payment): Promise<SpreadReceipt> {
  await lockPoliciesOf(em, [receipt]);
  const known = await applicationsOf(em, receipt);
  const invoices = new Map<string, LockedInvoice>();
  for (const { invoiceId } of known) {
    const locked = invoiceId === null ? null : await lockForMoney(em, invoiceId);
    if (locked !== null) invoices.set(locked.invoice.id, locked);
  }
  const returning = await lockReturning(em, receipt);
  const applied: AppliedMoney[] = [];
  for (const { id, invoiceId } of (await applicationsOf(em, receipt)).toReversed()) {
    const application = await lockReceipt(em, id);
    const locked = invoices.get(invoiceId ?? '');
    // From here on nothing can draw on the receipt; an application made just before is locked on the next pass.
    if (application === null || locked === undefined) {
      throw ApplicationFailure.retryable('Another invoice has just used part of the payment.', 'not_ready');
    }
    applied.push({ application, locked });
  }
  return { ...returning, applied };
}

/** Locks the policies that the receipts' money has paid for, oldest first. */
export async function lockPoliciesOf(em: EntityManager, receipts: readonly Payment[]): Promise<void> {
  const policyIds = new Set<string>();
  for (const receipt of receipts) {
    for (const { policyId } of [receipt, ...(await applicationsOf(em, receipt))]) if (policyId) policyIds.add(policyId);
  }
  for (const id of [...policyIds].sort()) await lockPolicy(em, id);
}

/** Why and when money is taken back, and the maximum. */
interface TakingBack {
  /** The amount that the receipt itself no longer holds, in cents. */
  missingCents: number;
  origin: Omit<Origin, 'entityId'>;
  today: BusinessDate;
  /** The reason, in the event. */
  code: string;
}

/**
 * Takes money back from the invoices that have it, latest first; what they have refunded is gone. The receipt holds it
 * again, unapplied. Returns the policies to notify that more is due.
 */
export async function takeBack(
  em: EntityManager,
  deps: Deps,
  applied: readonly AppliedMoney[],
  { missingCents, ...taking }: TakingBack,
): Promise<string[]> {
  const policyIds = new Set<string>();
  let restCents = missingCents;
  for (const each of applied) {
    const held = heldBy(each.application, await returnsOfReceipt(em, each.application));
    const cents = Math.min(restCents, held.appliedCents);
    if (cents <= 0) continue;
    restCents -= cents;
    await takeFrom(em, deps, each, { ...taking, cents });
    policyIds.add(each.locked.policy.id);
  }
  return [...policyIds];
}

/**
 * Divides money that was never good over those that have it: the receipt, and the invoices it was later applied to,
 * which give it back. Operating money covers what is gone.
 */
export async function takeAll(
  em: EntityManager,
  deps: Deps,
  { receipt, returns, applied }: SpreadReceipt,
  { amountCents, ...taking }: Omit<TakingBack, 'missingCents'> & { amountCents: number },
): Promise<TakenMoney & { otherPolicyIds: string[] }> {
  const taken = async () => takenFrom(heldBy(receipt, returns, await movedFrom(em, receipt)), amountCents);
  const { coveredCents: missingCents } = await taken();
  const otherPolicyIds = await takeBack(em, deps, applied, { ...taking, missingCents });
  return { ...(await taken()), otherPolicyIds };
}

/** Takes part of it from one invoice; the receipt holds that again, unapplied. */
export async function takeFrom(
  em: EntityManager,
  deps: Deps,
  { application, locked }: AppliedMoney,
  { cents, origin, today, code }: Omit<TakingBack, 'missingCents'> & { cents: number },
): Promise<void> {
  const { invoice } = locked;
  const at = new Date(deps.now());
  const before = { application: takenOf(application), invoice: paidOn(invoice) };
  const wasPaid = isFullyPaid(invoiceAmounts(invoice));
  application.appliedCents -= cents;
  application.takenBackCents += cents;
  const takeBack = { at: at.toISOString(), on: today, amountCents: cents };
  application.takeBacks = [...application.takeBacks, takeBack];
  application.updatedAt = at;
  invoice.paidCents -= cents;
  fallDueAgain(invoice, today);
  const ofApplication = auditedChanges(before.application, takenOf(application));
  writeAudit(em, auditOf({ ...origin, entityId: application.id }, 'payment:take_back', 'payment', ofApplication));
  const ofInvoice = auditedChanges(before.invoice, paidOn(invoice));
  writeAudit(em, auditOf({ ...origin, entityId: invoice.id }, 'invoice:reopen', 'invoice', ofInvoice));
  await em.flush();
  if (wasPaid) await finishSharing(em, invoice, today);
  await resettle(em, invoice, { cause: `${application.id}/${application.takenBackCents}/taken_back`, on: today });
  publishReversed(em, locked, { reference: application.reference, amountCents: cents, code, at });
  const { id: paymentId, invoiceId, reference } = application;
  const message = 'An invoice was paid with money that was never good. It is payable again.';
  raiseAlert(em, deps, {
    ...{ operation: 'payment.applied', message, paymentId, invoiceId, reference, amountCents: cents },
  });
}

function takenOf({ appliedCents, takenBackCents }: Payment) {
  return { appliedCents, takenBackCents };
}

function paidOn({ paidCents, dueDate }: Invoice) {
  return { paidCents, dueDate };
}
