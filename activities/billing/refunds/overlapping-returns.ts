/**
 * Releases operating money that was to cover a refund. The receipt can fund the refund again, because another refund
 * was declined or a bank returned money. Ledger entries already posted are corrected. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { entriesOf, postEntry } from '../../../db/queries/billing/ledger.ts';
import { findPayment } from '../../../db/queries/billing/payments.ts';
import { returnsOfInvoice, returnsOfReceipt } from '../../../db/queries/billing/refunds.ts';
import { movedFrom } from '../../../db/queries/billing/unapplied-cash.ts';
import { returnEntry, uncoveredEntries } from '../../../domain/billing/ledger/entries.ts';
import { NO_SPLIT } from '../../../domain/billing/ledger/returned-part.ts';
import { paidAgainCents } from '../../../domain/billing/paid-again.ts';
import { heldBy, takenFrom } from '../../../domain/billing/refund.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { SYSTEM } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import type { LockedInvoice } from '../../money-locks.ts';
import { resettle } from '../invoices/resettled-invoices.ts';
import { openAgain } from '../payments/reversed-payments.ts';

/** Receipts with freed money, and whether the invoice was paid before. */
export interface FreedMoney {
  receiptIds: readonly string[];
  /** Null for money that matches no invoice. */
  locked: LockedInvoice | null;
  wasPaid: boolean;
}

/** Uses freed money for the same receipts' returns that operating money was to cover. */
export async function reapportion(em: EntityManager, deps: Deps, { receiptIds, ...freed }: FreedMoney): Promise<void> {
  if (receiptIds.length > 0) await em.flush();
  for (const paymentId of receiptIds) {
    const receipt = await findPayment(em, paymentId);
    if (receipt === null) continue;
    const returns = await returnsOfReceipt(em, receipt);
    const movedCents = await movedFrom(em, receipt);
    for (const row of returns.filter(({ coveredCents }) => coveredCents > 0)) {
      const others = returns.filter(({ id }) => id !== row.id);
      const taken = takenFrom(heldBy(receipt, others, movedCents), -row.amountCents);
      if (taken.coveredCents < row.coveredCents) await take(em, deps, { ...freed, row, taken });
    }
  }
}

interface Taking extends Omit<FreedMoney, 'receiptIds'> {
  row: Payment;
  taken: { appliedCents: number; coveredCents: number };
}

async function take(em: EntityManager, deps: Deps, { row, locked, wasPaid, taken }: Taking): Promise<void> {
  const { today } = await businessDay(em, row.orgId, deps.now());
  const moreCents = taken.appliedCents + row.appliedCents;
  await uncover(em, row, row.coveredCents - taken.coveredCents, today);
  row.appliedCents = -taken.appliedCents;
  row.coveredCents = taken.coveredCents;
  if (locked === null || moreCents === 0) return;
  const { invoice } = locked;
  invoice.refundedCents += moreCents;
  if (isLostForGood(row)) return openAgain(em, locked, { row, origin: { actor: SYSTEM, requestId: null }, today });
  const { status, composition, dispute } = row;
  const more = { status, composition, dispute, appliedCents: -moreCents, beforePaidCents: 0 };
  const others = (await returnsOfInvoice(em, invoice.id)).filter(({ id }) => id !== row.id);
  const againCents = wasPaid ? paidAgainCents(invoiceAmounts(invoice), more, others) : moreCents;
  row.beforePaidCents += againCents;
  invoice.refundedBeforePaidCents += againCents;
  await writeNewRows(em);
  await resettle(em, invoice, { cause: causeOf(row), on: today });
}

/** Whether the money was never good, and that is final. */
export function isLostForGood({ kind, dispute }: Payment): boolean {
  return kind === 'reversal' || dispute?.outcome === 'lost';
}

/** Corrects a return's ledger entries if posted; otherwise they will be posted from the row as it is then. */
async function uncover(em: EntityManager, row: Payment, cents: number, date: BusinessDate): Promise<void> {
  const { id, policyId, invoiceId, coveredCents } = row;
  const posted = await entriesOf(em, { sourceType: 'refund', sourceId: id });
  if (!posted.some(({ entryType }) => entryType === 'payout')) return;
  const sourceId = causeOf({ id, coveredCents: coveredCents - cents });
  const source = { sourceType: 'settlement', sourceId, date, policyId, invoiceId } as const;
  for (const entry of [returnEntry(NO_SPLIT, cents), ...uncoveredEntries(cents)]) {
    postEntry(em, entry, { ...source, description: `The payment gives ${id} itself` });
  }
}

function causeOf({ id, coveredCents }: Pick<Payment, 'id' | 'coveredCents'>): string {
  return `${id}/${coveredCents}/uncovered`;
}
