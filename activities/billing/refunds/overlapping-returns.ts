/**
 * A bank took a payment's money while a refund of the same money was pending, so that operating money was to cover it.
 * When the refund is declined, the money was there after all: the invoice gives it back, and nothing is covered.
 * Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Payment, RefundAllocation } from '../../../db/entities/billing/payment.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { returnsOfInvoice, returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { movedFrom } from '../../../db/queries/billing/unapplied-cash.ts';
import { paidAgainCents } from '../../../domain/billing/paid-again.ts';
import { heldBy, takenFrom } from '../../../domain/billing/refund.ts';
import { SYSTEM } from '../../audit.ts';
import { businessDay } from '../../business-day.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { openAgain } from '../payments/reversed-payments.ts';

/**
 * Takes what a declined refund has released for the chargebacks and reversals of the same receipts. They are not in the
 * ledger yet: they wait for the refund's answer.
 */
export async function reapportion(
  em: EntityManager,
  deps: Deps,
  released: readonly RefundAllocation[],
  locked: LockedInvoice | null,
): Promise<void> {
  if (released.length > 0) await em.flush();
  for (const { paymentId } of released) {
    const receipt = await findPayment(em, paymentId);
    if (receipt === null) continue;
    const returns = await returnsOfReceipt(em, receipt);
    const movedCents = await movedFrom(em, receipt);
    for (const row of returns.filter(({ coveredCents }) => coveredCents > 0)) {
      const others = returns.filter(({ id }) => id !== row.id);
      const taken = takenFrom(heldBy(receipt, others, movedCents), -row.amountCents);
      if (taken.coveredCents < row.coveredCents) await take(em, deps, { row, locked, taken });
    }
  }
}

interface Taking {
  row: Payment;
  /** Null for money that matches no invoice. */
  locked: LockedInvoice | null;
  taken: { appliedCents: number; coveredCents: number };
}

async function take(em: EntityManager, deps: Deps, { row, locked, taken }: Taking): Promise<void> {
  const moreCents = taken.appliedCents + row.appliedCents;
  const { status, composition, dispute } = row;
  const isFinal = row.kind === 'reversal' || row.dispute?.outcome === 'lost';
  row.appliedCents = -taken.appliedCents;
  row.coveredCents = taken.coveredCents;
  if (locked === null || moreCents === 0) return;
  const { invoice } = locked;
  invoice.refundedCents += moreCents;
  if (isFinal) {
    const { today } = await businessDay(em, row.orgId, deps.now());
    await openAgain(em, locked, { row, origin: { actor: SYSTEM, requestId: null }, today });
  } else {
    const others = (await returnsOfInvoice(em, invoice.id)).filter(({ id }) => id !== row.id);
    const more = { status, composition, dispute, appliedCents: -moreCents, beforePaidCents: 0 };
    const cents = paidAgainCents(invoiceAmounts(invoice), more, others);
    row.beforePaidCents += cents;
    invoice.refundedBeforePaidCents += cents;
  }
}
