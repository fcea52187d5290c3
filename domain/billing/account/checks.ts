// Refunds by check: on the account on the day when the check is issued, and again if it is stopped. Until issue, the
// insured is owed the money. Pure.
import type { BusinessDate } from '../../dates.ts';
import { type Cents, sumCents } from '../../money.ts';
import type { DisbursementCause } from '../disbursement.ts';
import type { AccountEntry, AccountPayment } from './entry.ts';

/** A check that was issued, or stopped (negative). `reference` is its number. */
export interface CheckMove {
  id: string;
  at: Date;
  date: BusinessDate;
  reference: string;
  amountCents: Cents;
}

/** A reversed payment behind a check, and how much of the check came from it. */
export interface ReversedBehind {
  id: string;
  at: Date;
  date: BusinessDate;
  amountCents: Cents;
}

/** What a refund owes by check or transfer. Pending return premium counts as a check not yet issued. */
export interface AccountCheck {
  id: string;
  refundId: string;
  cause: DisbursementCause;
  amountCents: Cents;
  owedOn: BusinessDate;
  createdAt: Date;
  /** Oldest first. */
  moves: readonly CheckMove[];
  /** How much of it is not owed, and was not paid out, because `reversed` payments behind it were never good. */
  notOwedCents: Cents;
  reversed: readonly ReversedBehind[];
}

/**
 * How much of a refund is paid by check. A failed card refund went back to the card first and is owed by check since.
 */
export function owedByCheck(checks: readonly AccountCheck[], refundId: string): Cents {
  const own = checks.filter((check) => check.refundId === refundId && check.cause === 'refund');
  return sumCents(own.map(({ amountCents }) => amountCents));
}

/** Lists the lines of each check: issued, stopped, not owed after all. */
export function checkEntries(checks: readonly AccountCheck[], payments: readonly AccountPayment[]): AccountEntry[] {
  const refunds = new Map(payments.map((payment) => [payment.id, payment]));
  return checks.flatMap((check) => {
    const refund = refunds.get(check.refundId);
    return refund === undefined ? [] : entriesOf(check, refund);
  });
}

function entriesOf(check: AccountCheck, refund: AccountPayment): AccountEntry[] {
  const { id: paymentId, invoiceId, policyTransactionId: transactionId, reference } = refund;
  const of = { paymentId, invoiceId, transactionId, dueDate: null };
  const { id, createdAt: at, owedOn: date, cause } = check;
  const failed = {
    ...of,
    id,
    at,
    date,
    kind: 'refund_returned',
    reference,
    amountCents: 0 - check.amountCents,
  } as const;
  const moved = check.moves.map((move): AccountEntry => {
    return { ...of, ...move, kind: move.amountCents > 0 ? 'refund' : 'refund_returned' };
  });
  const withdrawn = withdrawals(check).map((each): AccountEntry => {
    return { ...of, ...each, kind: 'refund_withdrawn', reference };
  });
  return [...(cause === 'refund' ? [] : [failed]), ...moved, ...withdrawn];
}

/** Each on the day of the reversal, or, if the check was already out, on the day it was stopped. */
function withdrawals({ id, moves, notOwedCents, reversed }: AccountCheck) {
  let leftCents = notOwedCents;
  return reversed.map((reversal, index) => {
    const amountCents = index === reversed.length - 1 ? leftCents : Math.min(reversal.amountCents, leftCents);
    leftCents -= amountCents;
    const { at, date } = stoppedAfter(moves, reversal) ?? reversal;
    return { id: `${id}/${reversal.id}`, at, date, amountCents };
  });
}

function stoppedAfter(moves: readonly CheckMove[], { at }: ReversedBehind): CheckMove | undefined {
  const isOut = (moves.findLast((move) => move.at <= at)?.amountCents ?? 0) > 0;
  return isOut ? moves.find((move) => move.at > at && move.amountCents < 0) : undefined;
}
