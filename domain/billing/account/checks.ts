// What an insured gets back by check: on the account on the day on which the check is issued, and again where it is
// stopped. Until then the insured is owed the money. Pure.
import type { BusinessDate } from '../../dates.ts';
import { type Cents, sumCents } from '../../money.ts';
import type { DisbursementCause } from '../disbursement.ts';
import type { AccountEntry, AccountPayment } from './entry.ts';

/** A check that was issued, or stopped: negative. `reference` is its number. */
export interface CheckMove {
  id: string;
  at: Date;
  date: BusinessDate;
  reference: string;
  amountCents: Cents;
}

/** A payment behind a check that was reversed, and how much of the check came from it. */
export interface ReversedBehind {
  id: string;
  at: Date;
  date: BusinessDate;
  amountCents: Cents;
}

/** What a refund owes by check or transfer. Return premium that waits counts as a check that nobody has issued. */
export interface AccountCheck {
  id: string;
  refundId: string;
  cause: DisbursementCause;
  amountCents: Cents;
  owedOn: BusinessDate;
  createdAt: Date;
  /** Oldest first. */
  moves: readonly CheckMove[];
  /** What of it is not owed, and has not gone out, since payments behind it were never good; these are they. */
  notOwedCents: Cents;
  reversed: readonly ReversedBehind[];
}

/** What of a refund goes back by check. A card refund that failed went back first, and is owed by check since. */
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

/** Each on the day of the reversal, or when the check was stopped that had gone out by then. */
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
