/**
 * Money reserved for a refund that is not paid: the processor declined it, or a person rejected it. Other returns of
 * the same money may have been mistaken for it or have relied on it, and a credit may have relied on the money
 * leaving. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome } from '../../../contracts/billing.ts';
import type { Payment, RefundAllocation } from '../../../db/entities/billing/payment.ts';
import { reversalsBehind } from '../../../db/queries/billing/disbursements.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { disbursementKeptBy } from '../../../db/queries/billing/kept-refunds.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { lockReceipt, returnsOfInvoice, returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { heldNow } from '../../../db/queries/billing/unapplied-cash.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { beyondTotalCents } from '../../../domain/billing/paid-again.ts';
import { heldBy } from '../../../domain/billing/refund.ts';
import { sumCents } from '../../../domain/money.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { SYSTEM } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { type LockedInvoice, lockPayment } from '../../money-locks.ts';
import { recordProcessorRefund } from '../cards/card-refunds.ts';
import { CHARGED_BACK } from '../payments/reversed-payments.ts';
import { takeFrom } from '../payments/taken-back.ts';
import { isLostForGood, reapportion } from './overlapping-returns.ts';
import { lockReturning, raiseAlert } from './refund-rows.ts';
import { reverseKept } from './reversed-money.ts';

/** The freed money, and what follows from it. */
export interface Released {
  /** Refunds whose sagas must start. */
  discovered: RefundOutcome[];
  /** The policies to notify that their debts have changed. */
  policiesToNotify: string[];
}

export const NOTHING_RELEASED: Released = { discovered: [], policiesToNotify: [] };

/** Releases parts of a refund, locked with `lockRefund`, in the caller's transaction. */
export async function releaseReserved(
  em: EntityManager,
  deps: Deps,
  released: readonly RefundAllocation[],
  locked: LockedInvoice | null,
): Promise<Released> {
  if (released.length === 0) return NOTHING_RELEASED;
  const discovered = await recordDiscovered(em, deps, released, locked);
  const wasPaid = locked !== null && isFullyPaid(invoiceAmounts(locked.invoice));
  await reapportion(em, deps, { receiptIds: released.map(({ paymentId }) => paymentId), locked, wasPaid });
  for (const { paymentId } of released) await takeKept(em, deps, paymentId);
  if (locked === null) return { discovered, policiesToNotify: [] };
  for (const { paymentId } of released) await takeNeverGood(em, deps, paymentId, locked);
  await unapplyRest(em, deps, released, locked);
  return { discovered, policiesToNotify: [locked.policy.id] };
}

/** Kept money from a payment that was never good has become free: it is taken back now. */
async function takeKept(em: EntityManager, deps: Deps, receiptId: string): Promise<void> {
  const receipt = await findPayment(em, receiptId);
  const disbursement = receipt && (await disbursementKeptBy(em, receipt));
  const [behind] = disbursement === null ? [] : await reversalsBehind(em, disbursement);
  if (receipt === null || disbursement === null || behind === undefined) return;
  const { reversal: by } = behind;
  const kept = { ...(await lockReturning(em, receipt)), applied: [], disbursement };
  const { today } = await businessDay(em, receipt.orgId, deps.now());
  await reverseKept(em, deps, [kept], { origin: { actor: SYSTEM, requestId: null }, today, code: codeOf(by), by });
}

function codeOf({ kind, reason }: Payment): string {
  return kind === 'reversal' ? (reason ?? kind) : CHARGED_BACK;
}

/**
 * Unapplied money of another payment was never good, and operating money covered its reserved part: it is taken back
 * from the invoice that has it, which is payable again. Contract 3.4.
 */
async function takeNeverGood(
  em: EntityManager,
  deps: Deps,
  applicationId: string,
  locked: LockedInvoice,
): Promise<void> {
  await em.flush();
  const application = await lockReceipt(em, applicationId);
  const source = application?.sourcePaymentId ? await lockPayment(em, application.sourcePaymentId) : null;
  if (application === null || source === null) return;
  const { payment: receipt, locked: paid } = source;
  const lost = (await returnsOfReceipt(em, receipt)).filter((row) => row.coveredCents > 0 && isLostForGood(row));
  const held = heldBy(application, await returnsOfReceipt(em, application));
  const cents = Math.min(sumCents(lost.map(({ coveredCents }) => coveredCents)), held.appliedCents);
  const [row] = lost;
  if (row === undefined || cents <= 0) return;
  const { today } = await businessDay(em, receipt.orgId, deps.now());
  const origin = { actor: SYSTEM, requestId: null };
  await takeFrom(em, deps, { application, locked }, { cents, origin, today, code: codeOf(row) });
  const wasPaid = paid !== null && isFullyPaid(invoiceAmounts(paid.invoice));
  await reapportion(em, deps, { receiptIds: [receipt.id], locked: paid, wasPaid });
}

/** A credit has since made the invoice smaller than the money that now stays: the excess is unapplied. */
async function unapplyRest(
  em: EntityManager,
  deps: Deps,
  released: readonly RefundAllocation[],
  { invoice }: LockedInvoice,
): Promise<void> {
  await em.flush();
  let restCents = beyondTotalCents(invoiceAmounts(invoice), await returnsOfInvoice(em, invoice.id));
  for (const { paymentId } of restCents > 0 ? released : []) {
    const receipt = await lockReceipt(em, paymentId);
    const cents = receipt === null ? 0 : Math.min(restCents, (await heldNow(em, receipt)).appliedCents);
    if (receipt === null || cents <= 0) continue;
    receipt.appliedCents -= cents;
    invoice.paidCents -= cents;
    restCents -= cents;
    raiseAlert(em, deps, {
      operation: 'payment.unapplied',
      message: 'A refund was not given, and its invoice can no longer take the money. It is held as unapplied cash.',
      ...{ paymentId, invoiceId: invoice.id, reference: receipt.reference, amountCents: cents },
    });
  }
}

/** A reported refund may have been mistaken for the part that now turns out not to be refunded. */
async function recordDiscovered(
  em: EntityManager,
  deps: Deps,
  released: readonly RefundAllocation[],
  locked: LockedInvoice | null,
): Promise<RefundOutcome[]> {
  const discovered: RefundOutcome[] = [];
  await em.flush();
  for (const { paymentId, method } of released) {
    const receipt = method === 'card' ? await findPayment(em, paymentId) : null;
    // Money applied to another invoice is found by the next report on its charge.
    if (receipt === null || receipt.kind === 'application') continue;
    const returning = { receipt, locked, returns: await returnsOfReceipt(em, receipt) };
    const found = await recordProcessorRefund(em, deps, returning, { orgId: receipt.orgId, at: new Date(deps.now()) });
    if (found !== null) discovered.push(found);
  }
  return discovered;
}
