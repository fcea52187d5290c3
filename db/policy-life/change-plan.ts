// What a change of a policy will do, worked out and not written: its figures, its bills, its refunds. The steps that write carry a plan
// out, a preview shows it; so both say the same. Contract 1 "preview", 3.2.
import type { DaFlag } from '../../domain/authority.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { Cents } from '../../domain/money.ts';
import type { NewInvoice } from '../../domain/policy-life/billing-change.ts';
import { type ChangeLine, sumOfLines } from '../../domain/policy-life/invoice-lines.ts';
import type { RefundComposition } from '../entities/payment.ts';
import type { PolicyTransaction } from '../entities/policy-transaction.ts';

/**
 * What happens to the invoices. Additions + reopened totals with their credits + new invoices − credits − voids − refund − unclaimed = the
 * change of the total due. An invoice is named at most once.
 */
export interface ChangeBilling {
  /** Lines that make invoices larger; null leaves the due date. */
  additions: { invoiceId: string; addedLines: ChangeLine[]; dueDate: BusinessDate | null }[];
  /** Lines (negative) that make invoices smaller; `isSettled` when nothing is left to pay and the money is to be shared out. */
  credits: { invoiceId: string; creditLines: ChangeLine[]; isSettled: boolean }[];
  voids: { invoiceId: string; totalCents: Cents }[];
  /** Void ones that are valid again. */
  reopened: { invoiceId: string; totalCents: Cents; creditLines: ChangeLine[]; dueDate: BusinessDate }[];
  newInvoices: NewInvoice[];
  /** What goes back, by invoice; the parts of each sum to its amount. */
  refunds: PlannedRefund[];
  /** Taken off what was due but neither paid nor billed; negative where a reinstatement asks for no bill. */
  unclaimedCents: Cents;
}

export interface PlannedRefund {
  invoiceId: string;
  amountCents: Cents;
  composition: RefundComposition;
}

/** A change as it would be issued today. */
export interface ChangePlan {
  type: 'endorsement' | 'cancellation' | 'reinstatement';
  effectiveDate: BusinessDate;
  reason: string | null;
  /** As the row keeps them: terms by the names of the policy's row; of a cancellation `{reason, source, method}`. */
  changes: Record<string, unknown>;
  premiumChangeCents: Cents;
  feeChangeCents: Cents;
  taxChangeCents: Cents;
  totalChangeCents: Cents;
  grossPremiumAfterCents: Cents;
  /** The changed fields and the money of the policy, before and after. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reapplied: { transactionId: string; premiumChangeCents: Cents }[];
  /** Of nothing while it is scheduled. */
  billing: ChangeBilling;
  /** Whether it moves money only on its effective date. */
  isScheduled: boolean;
  daFlags: DaFlag[];
  /** The transactions that stand before it, in the order of issue. */
  stack: readonly PolicyTransaction[];
  /** The scheduled cancellation with its new figures, where an endorsement comes before its day. */
  rescheduled: ChangePlan | null;
}

/** Bills of nothing. */
export function noBilling(): ChangeBilling {
  return { additions: [], credits: [], voids: [], reopened: [], newInvoices: [], refunds: [], unclaimedCents: 0 };
}

/** The credits of a transaction in negative cents: what comes off invoices, whole ones and what goes back included. */
export function creditsOf({
  credits,
  voids,
  reopened,
  refunds,
}: ChangeBilling): { invoiceId: string; amountCents: Cents }[] {
  return [
    ...credits.map(({ invoiceId, creditLines }) => ({ invoiceId, amountCents: sumOfLines(creditLines) })),
    ...voids.map(({ invoiceId, totalCents }) => ({ invoiceId, amountCents: -totalCents })),
    ...reopened.map(({ invoiceId, creditLines }) => ({ invoiceId, amountCents: sumOfLines(creditLines) })),
    ...refunds.map(({ invoiceId, amountCents }) => ({ invoiceId, amountCents: -amountCents })),
  ].filter(({ amountCents }) => amountCents !== 0);
}
