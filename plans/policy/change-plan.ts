// A policy change, computed but not written: its figures, billing and refunds. The writing steps carry out a plan and
// a preview shows it, so both agree. Contract 1 "preview", 3.2.

import type { RefundComposition } from '../../db/entities/billing/payment.ts';
import type { IssuedTransaction } from '../../db/entities/policy/policy-transaction.ts';
import type { DaFlag } from '../../domain/authority/authority.ts';
import type { AgreedFigures } from '../../domain/authority/referral.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { Cents } from '../../domain/money.ts';
import type { NewInvoice } from '../../domain/policy/billing-change.ts';
import type { ChangeLine } from '../../domain/policy/invoice-lines.ts';
import type { ChangeFacts, PolicyMoney } from '../../domain/policy/transaction.ts';

/**
 * The changes to invoices. Additions + reopened totals with their credits + new invoices − credits − voids − refund −
 * unclaimed = the change in total due. Every invoice is named at most once, except in `exchanges` and `refunds`.
 */
export interface ChangeBilling {
  /** Lines that increase invoices; a null due date leaves it unchanged. */
  additions: { invoiceId: string; addedLines: ChangeLine[]; dueDate: BusinessDate | null }[];
  /** Lines (negative) that reduce invoices. */
  credits: { invoiceId: string; creditLines: ChangeLine[] }[];
  voids: { invoiceId: string; totalCents: Cents }[];
  /** Lines that sum to zero: parts exchanged on a paid invoice, so that less is owed on another. */
  exchanges: { invoiceId: string; lines: ChangeLine[] }[];
  /** Void invoices that become valid again. */
  reopened: { invoiceId: string; totalCents: Cents; creditLines: ChangeLine[]; dueDate: BusinessDate }[];
  newInvoices: NewInvoice[];
  /** Refunds by invoice; each one's parts sum to its amount. */
  refunds: PlannedRefund[];
  /** Deducted from amounts due but neither paid nor billed; negative if a reinstatement needs no bill. */
  unclaimedCents: Cents;
}

export interface PlannedRefund {
  invoiceId: string;
  amountCents: Cents;
  composition: RefundComposition;
}

/** A change as it would be issued today, with all its consequences. */
export type ChangePlan = ChangeFacts & Planned;

interface Planned {
  effectiveDate: BusinessDate;
  reason: string | null;
  premiumChangeCents: Cents;
  feeChangeCents: Cents;
  taxChangeCents: Cents;
  totalChangeCents: Cents;
  grossPremiumAfterCents: Cents;
  /** The endorsement that it voids. */
  reverses?: string;
  reapplied: { transactionId: string; premiumChangeCents: Cents }[];
  /** For a scheduled change, its day's billing; nothing is billed before. */
  billing: ChangeBilling;
  /** True if it moves money only on its effective date. */
  isScheduled: boolean;
  daFlags: DaFlag[];
  /** What an endorsement's referral is about: the highest limit, even if on another day. */
  figures?: AgreedFigures;
  /** The earlier transactions, in order of issue; for a change in sequence, one endorsement in place of all. */
  stack: readonly IssuedTransaction[];
  /** Scheduled cancellations with their new figures, in order of issue, if the change moves them. */
  rescheduled: ChangePlan[];
}

/** Returns the amounts of a change that moves no money. */
export function noMoney({ money, stack }: { money: PolicyMoney; stack: readonly IssuedTransaction[] }) {
  return {
    ...{ premiumChangeCents: 0, feeChangeCents: 0, taxChangeCents: 0, totalChangeCents: 0 },
    grossPremiumAfterCents: money.grossPremiumCents,
    ...{ before: { ...money }, after: { ...money }, reapplied: [], billing: noBilling() },
    ...{ isScheduled: false, daFlags: [], stack, rescheduled: [] },
  };
}

/** An empty billing plan. */
export function noBilling(): ChangeBilling {
  return {
    ...{ additions: [], credits: [], voids: [], exchanges: [], reopened: [], newInvoices: [], refunds: [] },
    unclaimedCents: 0,
  };
}
