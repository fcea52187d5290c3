/**
 * What a refund had reserved and does not give back: the processor declined it, or somebody rejected it. Other returns
 * of the same money may have been taken for it, or have counted on it; and a credit may have counted on its going.
 * Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundOutcome } from '../../../contracts/billing.ts';
import type { RefundAllocation } from '../../../db/entities/billing/payment.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { lockReceipt, returnsOfInvoice, returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { heldNow } from '../../../db/queries/billing/unapplied-cash.ts';
import { isFullyPaid } from '../../../domain/billing/invoice.ts';
import { beyondTotalCents } from '../../../domain/billing/paid-again.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { recordProcessorRefund } from '../cards/card-refunds.ts';
import { reapportion } from './overlapping-returns.ts';
import { raiseAlert } from './refund-rows.ts';

/** Releases parts of a refund in the caller's transaction; answers the refunds whose sagas must start. */
export async function releaseReserved(
  em: EntityManager,
  deps: Deps,
  released: readonly RefundAllocation[],
  locked: LockedInvoice | null,
): Promise<RefundOutcome[]> {
  const discovered = await recordDiscovered(em, deps, released, locked);
  const wasPaid = locked !== null && isFullyPaid(invoiceAmounts(locked.invoice));
  await reapportion(em, deps, { receiptIds: released.map(({ paymentId }) => paymentId), locked, wasPaid });
  if (locked !== null) await unapplyRest(em, deps, released, locked);
  return discovered;
}

/** A credit that came meanwhile has made the invoice smaller than the money that now stays: the rest is unapplied. */
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

/** A reported refund may have been mistaken for the part that now turns out to give nothing back. */
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
    // Money that another invoice received is found by the next report on its charge.
    if (receipt === null || receipt.kind === 'application') continue;
    const returning = { receipt, locked, returns: await returnsOfReceipt(em, receipt) };
    const found = await recordProcessorRefund(em, deps, returning, { orgId: receipt.orgId, at: new Date(deps.now()) });
    if (found !== null) discovered.push(found);
  }
  return discovered;
}
