// The stack of transactions of one term: what each row means beside the others. Rows are never changed; whether a cancellation is
// still to come, stands, or was taken back is read from the rows above it. Contract 3.2, domain facts 2.3.
import type { BusinessDate } from '../dates.ts';
import { type Cents, sumCents } from '../money.ts';

/** A transaction as far as a policy's life depends on it; a stored row fits. */
export interface StackedTransaction {
  id: string;
  /** Counts the transactions of the policy from 1. */
  sequence: number;
  type: 'new_business' | 'endorsement' | 'cancellation' | 'reinstatement' | 'renewal';
  effectiveDate: BusinessDate;
  /** Business date of issue. */
  issuedOn: BusinessDate;
  /** Everything the transaction moves, what it reapplies included. */
  premiumChangeCents: Cents;
  feeChangeCents: Cents;
  taxChangeCents: Cents;
  /** Of a cancellation `{reason, source, method, lapse?}`; of a reinstatement before its day `{withdrawal: true}`. */
  changes: Record<string, unknown>;
  /** The terms it left; `null` where it changed none. */
  after: Record<string, unknown> | null;
  /** By how much it moved the premium of later-effective transactions; part of its own premium change. */
  reapplied: readonly { transactionId: string; premiumChangeCents: Cents }[];
}

/** The days of cover that a policy promises: from the first day on, up to and without the last. */
export interface CoverTerm {
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
}

/** Days without coverage between a cancellation and a later reinstatement, `to` not included. */
export interface CoverGap {
  from: BusinessDate;
  to: BusinessDate;
  /** What those days cost: taken off the written premium, in positive cents. */
  premiumCents: Cents;
  /** The cancellation that began it. */
  cancellationId: string;
  /** Place of the reinstatement that ended it in the stack. */
  sequence: number;
}

export type TransactionStatus = 'scheduled' | 'issued' | 'reversed';

/** A cancellation and what the rows above make of it. */
export interface Ending {
  cancellation: StackedTransaction;
  /** What took it back or took its place; null while it stands. */
  undoneBy: StackedTransaction | null;
}

/**
 * Gives the status of each transaction on a day, by id. A cancellation is scheduled until its day, which for one as of inception is
 * the day of issue, and reversed once a reinstatement took it back or another cancellation took its place. Contract 3.2.
 */
export function transactionStatuses(
  stack: readonly StackedTransaction[],
  term: CoverTerm,
  today: BusinessDate,
): Map<string, TransactionStatus> {
  const statuses = new Map<string, TransactionStatus>(stack.map(({ id }) => [id, 'issued']));
  for (const { cancellation, undoneBy } of endingsOf(stack)) {
    if (undoneBy !== null) statuses.set(cancellation.id, 'reversed');
    else if (!isInEffect(cancellation, term, today)) statuses.set(cancellation.id, 'scheduled');
  }
  return statuses;
}

/**
 * Lists the transactions that have moved money by a day, in the order of issue: all but cancellations that wait for their day or were
 * taken back before it.
 */
export function effectiveTransactions(
  stack: readonly StackedTransaction[],
  term: CoverTerm,
  today: BusinessDate,
): StackedTransaction[] {
  const idle = new Set(
    endingsOf(stack)
      .filter((ending) => !hasEnded(ending, term, today))
      .map(({ cancellation }) => cancellation.id),
  );
  return inOrderOfIssue(stack).filter(({ id }) => !idle.has(id));
}

/** Gives the written premium of the term: the sum of all transactions that have moved money. Contract 3.2. */
export function writtenPremium(stack: readonly StackedTransaction[], term: CoverTerm, today: BusinessDate): Cents {
  return sumCents(effectiveTransactions(stack, term, today).map((each) => each.premiumChangeCents));
}

/** Gives the cancellation that nothing has taken back, scheduled or in effect, or null. */
export function standingCancellation(stack: readonly StackedTransaction[]): StackedTransaction | null {
  return endingsOf(stack).find(({ undoneBy }) => undoneBy === null)?.cancellation ?? null;
}

/** Tells whether a cancellation has taken effect by a day: its own day has come, or it is as of inception. */
export function isInEffect(
  cancellation: Pick<StackedTransaction, 'effectiveDate'>,
  term: CoverTerm,
  today: BusinessDate,
): boolean {
  return cancellation.effectiveDate <= today || cancellation.effectiveDate <= term.effectiveDate;
}

/** Lists the gaps in cover, oldest first: each reinstatement that starts later than the cancellation it takes back. Contract 3.2. */
export function coverGaps(stack: readonly StackedTransaction[]): CoverGap[] {
  return endingsOf(stack).flatMap(({ cancellation, undoneBy }) => {
    if (undoneBy?.type !== 'reinstatement' || undoneBy.effectiveDate <= cancellation.effectiveDate) return [];
    if (isWithdrawal(undoneBy)) return [];
    const premiumCents = 0 - cancellation.premiumChangeCents - undoneBy.premiumChangeCents;
    const { sequence } = undoneBy;
    const cancellationId = cancellation.id;
    return [{ from: cancellation.effectiveDate, to: undoneBy.effectiveDate, premiumCents, cancellationId, sequence }];
  });
}

/** Tells whether a transaction grants cover and charges for it, rather than ending or restoring it. */
export function grantsCover({ type }: StackedTransaction): boolean {
  return type === 'new_business' || type === 'renewal' || type === 'endorsement';
}

/** Sorts transactions by the day they take effect, those of one day in the order of issue. */
export function inOrderOfEffect<T extends Pick<StackedTransaction, 'effectiveDate' | 'sequence'>>(
  stack: readonly T[],
): T[] {
  return stack.toSorted((a, b) => {
    if (a.effectiveDate !== b.effectiveDate) return a.effectiveDate < b.effectiveDate ? -1 : 1;
    return a.sequence - b.sequence;
  });
}

/** Sorts transactions in the order of issue. */
export function inOrderOfIssue<T extends Pick<StackedTransaction, 'sequence'>>(stack: readonly T[]): T[] {
  return stack.toSorted((a, b) => a.sequence - b.sequence);
}

/** Lists the cancellations of a stack in the order of issue, each with the reinstatement or later cancellation that undid it. */
export function endingsOf(stack: readonly StackedTransaction[]): Ending[] {
  const endings: Ending[] = [];
  let standing: Ending | null = null;
  for (const transaction of inOrderOfIssue(stack)) {
    if (transaction.type !== 'cancellation' && transaction.type !== 'reinstatement') continue;
    if (standing !== null) standing.undoneBy = transaction;
    standing = transaction.type === 'cancellation' ? { cancellation: transaction, undoneBy: null } : null;
    if (standing !== null) endings.push(standing);
  }
  return endings;
}

/** One that another took the place of, or that was withdrawn, never took effect; one that stands does on its day. */
function hasEnded({ cancellation, undoneBy }: Ending, term: CoverTerm, today: BusinessDate): boolean {
  if (undoneBy === null) return isInEffect(cancellation, term, today);
  return undoneBy.type === 'reinstatement' && !isWithdrawal(undoneBy);
}

function isWithdrawal({ changes }: StackedTransaction): boolean {
  return changes.withdrawal === true;
}
