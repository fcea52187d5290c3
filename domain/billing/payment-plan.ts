// A change of payment plan: untouched invoices are voided, and what they bill is rebilled on the new plan's dates. The
// invoices that stay count toward its first installments, as if the policy had been bound on it. A plan only; it moves
// nothing, and the policy costs the same.

import { addMonths, type BusinessDate, minDate } from '../dates.ts';
import { DomainError, validationError } from '../errors.ts';
import { INSTALLMENT_MONTHS, type InstallmentPlan } from '../lines.ts';
import { type Cents, splitEvenly, sumCents } from '../money.ts';
import type { PlannedInvoice } from '../policy/billing-change.ts';
import { type ChangeLine, sumOfLines } from '../policy/invoice-lines.ts';
import { NO_PARTS, partsOfLines } from '../policy/parts.ts';
import { ratio, roundHalfUp } from '../ratio.ts';
import { invoiceBalance } from './invoice.ts';

/** A line with the transaction that its premium belongs to; if none, the one that bills it. */
export type RebilledLine = ChangeLine & { transactionId?: string };

/** An invoice with its lines, each with the transaction whose premium it bills. */
export interface RebillableInvoice extends PlannedInvoice {
  lines: readonly RebilledLine[];
  /** Whether a return from it is pending. */
  hasReturns: boolean;
}

export interface Rebilling {
  voids: { invoiceId: string; totalCents: Cents }[];
  newInvoices: { dueDate: BusinessDate; lines: RebilledLine[] }[];
}

export interface RebillingOrder {
  plan: InstallmentPlan;
  invoices: readonly RebillableInvoice[];
  /** The first day of the term, from which a plan's months are counted. */
  anchorDate: BusinessDate;
  today: BusinessDate;
}

/** Refuses the plan that the policy is already on. @throws DomainError validation_failed, rule no_change */
export function ensureOtherPlan(present: string, wanted: InstallmentPlan): void {
  if (present !== wanted) return;
  throw validationError('installmentPlan', 'no_change', 'The policy already has this payment plan.');
}

/**
 * Plans what is rebilled. An installment of the new plan whose day has passed is due with the first voided invoice, or
 * on the plan's next date if that is earlier: no one gains time by changing plans, and nothing becomes past due.
 * @throws DomainError not_ready with the blocker NOTHING_TO_REBILL
 */
export function planRebilling({ plan, invoices, anchorDate, today }: RebillingOrder): Rebilling {
  const moved = invoices.filter((invoice) => isUntouched(invoice, today));
  if (moved.length === 0) throw nothingToRebill();
  const kept = invoices.filter((invoice) => !invoice.voided && !moved.includes(invoice));
  const keptCents = sumCents(kept.map(keptPremium));
  const lines = moved.flatMap((invoice) => invoice.lines);
  const premiums = lines.filter(isPremium);
  const owed = owedInstallments({ plan, anchorDate, keptCents, premiumCents: sumOfLines(premiums) });
  const firstVoided = moved.map(({ dueDate }) => dueDate).reduce((one, other) => minDate(one, other));
  const bills = dated(owed, { firstVoided, today });
  const amounts = bills.map(({ amountCents }) => amountCents);
  const shared = sharedLines(premiums, amounts);
  const charges = joined(lines.filter((line) => !isPremium(line)));
  const made = bills.map(({ dueDate }, index) => ({
    dueDate,
    lines: [...(shared[index] ?? []), ...(index === 0 ? charges : [])],
  }));
  const voids = moved.map(({ id, totalCents }) => ({ invoiceId: id, totalCents }));
  if (made.every((bill) => sumOfLines(bill.lines) > 0)) return { voids, newInvoices: made };
  // Credits may leave a bill with nothing to pay; then everything goes on a single one.
  return { voids, newInvoices: [{ dueDate: firstVoided, lines: joined(lines) }] };
}

/** Nothing was paid on it, it is not past due, and no bank is deciding about it. */
function isUntouched(invoice: RebillableInvoice, today: BusinessDate): boolean {
  const { voided, uncollectible, disputed = false, paidCents, totalCents, dueDate, hasReturns } = invoice;
  if (voided || uncollectible || disputed || hasReturns) return false;
  return paidCents === 0 && totalCents > 0 && invoiceBalance(invoice) === totalCents && dueDate >= today;
}

function nothingToRebill(): DomainError {
  const message = 'Every invoice is paid, partly paid or past due, so there is nothing to bill under another plan.';
  return new DomainError('not_ready', message, { missing: [], blockers: ['NOTHING_TO_REBILL'] });
}

function isPremium({ kind }: ChangeLine): boolean {
  return kind === 'premium' || kind === 'credit';
}

function keptPremium({ lines, returned = NO_PARTS }: RebillableInvoice): Cents {
  return partsOfLines(lines).premiumCents - returned.premiumCents;
}

interface Installment {
  dueDate: BusinessDate;
  amountCents: Cents;
}

/** The new plan's installments for all of the premium, less what stays billed. */
function owedInstallments(order: {
  plan: InstallmentPlan;
  anchorDate: BusinessDate;
  keptCents: Cents;
  premiumCents: Cents;
}): Installment[] {
  const months = INSTALLMENT_MONTHS[order.plan];
  const amounts = splitEvenly(order.keptCents + order.premiumCents, months.length);
  let coveredCents = Math.max(order.keptCents, 0);
  const owed = months.map((month, index) => {
    const amountCents = amounts[index] ?? 0;
    const takenCents = Math.min(coveredCents, amountCents);
    coveredCents -= takenCents;
    return { dueDate: addMonths(order.anchorDate, month), amountCents: amountCents - takenCents };
  });
  const left = owed.filter(({ amountCents }) => amountCents > 0);
  if (sumCents(left.map(({ amountCents }) => amountCents)) === order.premiumCents && left.length > 0) return left;
  // Return premium may leave less to bill than any single part of it; then there is a single bill.
  return [{ dueDate: order.anchorDate, amountCents: order.premiumCents }];
}

/** Combines what is due by now. */
function dated(
  owed: readonly Installment[],
  { firstVoided, today }: { firstVoided: BusinessDate; today: BusinessDate },
): Installment[] {
  const late = owed.filter(({ dueDate }) => dueDate < today);
  const ahead = owed.filter(({ dueDate }) => dueDate >= today);
  if (late.length === 0) return ahead;
  const lateCents = sumCents(late.map(({ amountCents }) => amountCents));
  const [next, ...rest] = ahead;
  if (next !== undefined && next.dueDate <= firstVoided) {
    return [{ ...next, amountCents: next.amountCents + lateCents }, ...rest];
  }
  return [{ dueDate: firstVoided, amountCents: lateCents }, ...ahead];
}

/**
 * Divides premium over bills so that each transaction's premium keeps its sum: commission follows the transaction's
 * terms, and a voided endorsement comes off the bills that carry it. The first transaction takes the rounding
 * difference.
 */
function sharedLines(premiums: readonly RebilledLine[], amounts: readonly Cents[]): RebilledLine[][] {
  const totalCents = sumCents(amounts);
  const [main, ...others] = [...joined(premiums.filter(isBase)), ...joined(premiums.filter((line) => !isBase(line)))];
  let billedCents = 0;
  return amounts.map((amountCents, index) => {
    const [before, after] = [billedCents, billedCents + amountCents];
    billedCents = after;
    const shares = others.map((line) => {
      const cents = partOf(line.amountCents, after, totalCents) - partOf(line.amountCents, before, totalCents);
      return { ...line, amountCents: cents };
    });
    const number = amounts.length === 1 ? 'Premium' : `Premium, installment ${index + 1} of ${amounts.length}`;
    const own = { ...(main ?? PREMIUM), amountCents: amountCents - sumOfLines(shares) };
    const lines = [isBase(own) ? { ...own, description: number } : own, ...shares];
    return lines.filter((line) => line.amountCents !== 0).map(signed);
  });
}

const PREMIUM: RebilledLine = { kind: 'premium', code: 'PREMIUM', description: 'Premium', amountCents: 0 };

function partOf(cents: Cents, partCents: Cents, totalCents: Cents): Cents {
  if (totalCents === 0) return 0;
  return roundHalfUp(ratio(BigInt(cents) * BigInt(partCents), BigInt(totalCents)));
}

/** Negative premium is a credit. */
function signed(line: RebilledLine): RebilledLine {
  return isPremium(line) ? { ...line, kind: line.amountCents < 0 ? 'credit' : 'premium' } : line;
}

function isBase({ transactionId }: RebilledLine): boolean {
  return transactionId === undefined;
}

/** Adds up lines of one code and transaction; none is zero. */
function joined(lines: readonly RebilledLine[]): RebilledLine[] {
  const groups = Map.groupBy(lines, ({ code, transactionId = '' }) => `${code} ${transactionId}`);
  const sums = [...groups.values()].flatMap(([line, ...others]) =>
    line === undefined ? [] : [{ ...line, amountCents: sumOfLines([line, ...others]) }],
  );
  return sums.filter(({ amountCents }) => amountCents !== 0).map(signed);
}
