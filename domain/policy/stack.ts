// One term's stack of transactions: what each row means in light of the others. Rows never change; the rows above a
// cancellation show whether it is pending, stands or was reversed. Contract 3.2, domain facts 2.3.
import type { BusinessDate } from '../dates.ts';
import { type Cents, sumCents } from '../money.ts';
import type { PricedTerms, TransactionFacts } from './transaction.ts';

/** A transaction's place in the stack and the money it moves. */
interface Placed {
  id: string;
  /** The policy's transaction number, from 1. */
  sequence: number;
  effectiveDate: BusinessDate;
  /** Business date of issue. */
  issuedOn: BusinessDate;
  /** Everything the transaction moves, including what it reapplies. */
  premiumChangeCents: Cents;
  feeChangeCents: Cents;
  taxChangeCents: Cents;
  /** The endorsement that it voids; neither of the two counts any longer. */
  reverses?: string | null;
  /** How much it changed the premium of later-effective transactions; part of its own premium change. */
  reapplied: readonly { transactionId: string; premiumChangeCents: Cents }[];
}

/** The facts of a transaction that affect a policy's life; a stored row has this shape. */
export type StackedTransaction = Placed & TransactionFacts;

export type Cancellation<T extends StackedTransaction = StackedTransaction> = Extract<T, { type: 'cancellation' }>;

export type Reinstatement<T extends StackedTransaction = StackedTransaction> = Extract<T, { type: 'reinstatement' }>;

/** A policy's days of coverage: the first day included, the last excluded. */
export interface CoverageTerm {
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
}

/** Days without coverage between a cancellation and a later reinstatement, `to` excluded. */
export interface CoverageGap {
  from: BusinessDate;
  to: BusinessDate;
  /** The premium of those days, deducted from the written premium, in positive cents. */
  premiumCents: Cents;
  /** The cancellation that started it. */
  cancellationId: string;
  /** The reinstatement's place in the stack. */
  sequence: number;
}

export type TransactionStatus = 'scheduled' | 'issued' | 'reversed';

/** A cancellation and what later rows did to it. */
export interface Ending {
  cancellation: Cancellation;
  /** What reversed or replaced it; null while it stands. */
  undoneBy: Cancellation | Reinstatement | null;
  /**
   * Whether it only gave way to a notice for non-payment with an earlier date, and stands again if that is rescinded.
   */
  isWaiting: boolean;
}

/**
 * Returns each transaction's status on a day, by id. A cancellation is scheduled until its day (for one as of
 * inception, the day of issue), and reversed once a reinstatement reversed it or another cancellation replaced it. One
 * waiting behind a notice for non-payment is reversed when the policy lapses; an endorsement, once it is voided; a
 * notice of non-renewal, when it is withdrawn. Contract 3.2.
 */
export function transactionStatuses(
  stack: readonly StackedTransaction[],
  term: CoverageTerm,
  today: BusinessDate,
): Map<string, TransactionStatus> {
  const statuses = new Map<string, TransactionStatus>(stack.map(({ id }) => [id, 'issued']));
  for (const { reverses } of stack) if (reverses) statuses.set(reverses, 'reversed');
  for (const { cancellation, undoneBy, isWaiting } of endingsOf(stack)) {
    const isReversed = undoneBy !== null && !(isWaiting && !isInEffect(undoneBy, term, today));
    if (isReversed) statuses.set(cancellation.id, 'reversed');
    else if (!isInEffect(cancellation, term, today)) statuses.set(cancellation.id, 'scheduled');
  }
  const withdrawnUntil = Math.max(0, ...stack.filter(isOf('non_renewal_withdrawal')).map(({ sequence }) => sequence));
  for (const { id, sequence } of stack.filter(isOf('non_renewal'))) {
    if (sequence < withdrawnUntil) statuses.set(id, 'reversed');
  }
  return statuses;
}

/**
 * Lists the transactions that have moved money by a day, in order of issue: all except cancellations still waiting for
 * their day or withdrawn before it.
 */
export function effectiveTransactions(
  stack: readonly StackedTransaction[],
  term: CoverageTerm,
  today: BusinessDate,
): StackedTransaction[] {
  const idle = new Set(
    endingsOf(stack)
      .filter((ending) => !hasEnded(ending, term, today))
      .map(({ cancellation }) => cancellation.id),
  );
  return inOrderOfIssue(stack).filter(({ id }) => !idle.has(id));
}

/** Returns the written premium of the term: the sum of all transactions that have moved money. Contract 3.2. */
export function writtenPremium(stack: readonly StackedTransaction[], term: CoverageTerm, today: BusinessDate): Cents {
  return sumCents(effectiveTransactions(stack, term, today).map((each) => each.premiumChangeCents));
}

/**
 * Returns a stack with one endorsement standing in for all of them and leading to the same policy. A change effective
 * after them does not need each one: the policy row (`present`) has the resulting terms and cost. `rows` are, in order
 * of issue, the endorsement issued last, the one that takes effect last, and all other transactions.
 *
 * Null where the individual endorsements matter: one takes effect after `from`, or a cancellation is pending, which
 * returns the unearned premium of each.
 */
export function broughtForward<T extends StackedTransaction>(
  rows: readonly T[],
  { present, term, today }: { present: PricedTerms; term: CoverageTerm; today: BusinessDate },
  from: BusinessDate,
): T[] | null {
  if (standingCancellation(rows) !== null) return null;
  const endorsements = rows.filter(({ type }) => type === 'endorsement');
  const others = rows.filter(({ type }) => type !== 'endorsement');
  const last = endorsements.at(-1);
  if (last === undefined) return [...rows];
  if (endorsements.some(({ effectiveDate }) => effectiveDate > from)) return null;
  const [effectiveDate = from] = endorsements.map((row) => row.effectiveDate).sort((a, b) => (a < b ? 1 : -1));
  // A cancellation withdrawn before its day has moved no money.
  const premiumChangeCents = present.grossPremiumCents - writtenPremium(others, term, today);
  const whole = { ...last, effectiveDate, premiumChangeCents, reverses: null, reapplied: [], after: present };
  return [...others, whole as T].sort((a, b) => a.sequence - b.sequence);
}

/** Returns the standing cancellation, scheduled or in effect, or null. */
export function standingCancellation(stack: readonly StackedTransaction[]): Cancellation | null {
  return endingsOf(stack).find(({ undoneBy }) => undoneBy === null)?.cancellation ?? null;
}

/**
 * Returns a cancellation as first issued since the policy was last reinstated. An endorsement reissues a scheduled
 * one, for the same day and reason, because the return premium changes.
 */
export function firstIssue(stack: readonly StackedTransaction[], cancellation: Cancellation): Cancellation {
  const rows = inOrderOfIssue(stack);
  const reinstated = rows.findLastIndex((row) => row.type === 'reinstatement' && row.changes.rescission !== true);
  const isSame = (row: StackedTransaction): row is Cancellation =>
    row.type === 'cancellation' &&
    row.effectiveDate === cancellation.effectiveDate &&
    row.changes.reason === cancellation.changes.reason;
  return rows.slice(reinstated + 1).find(isSame) ?? cancellation;
}

/** Returns the cancellation that stands again once the standing notice for non-payment is rescinded, or null. */
export function waitingCancellation(stack: readonly StackedTransaction[]): Cancellation | null {
  return endingsOf(stack).find(({ isWaiting }) => isWaiting)?.cancellation ?? null;
}

/** Whether a cancellation has taken effect by a day: its day has come, or it is as of inception. */
export function isInEffect(
  cancellation: Pick<StackedTransaction, 'effectiveDate'>,
  term: CoverageTerm,
  today: BusinessDate,
): boolean {
  return cancellation.effectiveDate <= today || cancellation.effectiveDate <= term.effectiveDate;
}

/** Lists the coverage gaps, oldest first: each reinstatement that starts later than its cancellation. Contract 3.2. */
export function coverageGaps(stack: readonly StackedTransaction[]): CoverageGap[] {
  return endingsOf(stack).flatMap(({ cancellation, undoneBy }) => {
    if (undoneBy?.type !== 'reinstatement' || undoneBy.effectiveDate <= cancellation.effectiveDate) return [];
    if (isWithdrawal(undoneBy)) return [];
    const premiumCents = 0 - cancellation.premiumChangeCents - undoneBy.premiumChangeCents;
    const { sequence } = undoneBy;
    const cancellationId = cancellation.id;
    return [{ from: cancellation.effectiveDate, to: undoneBy.effectiveDate, premiumCents, cancellationId, sequence }];
  });
}

function isOf(type: StackedTransaction['type']): (row: StackedTransaction) => boolean {
  return (row) => row.type === type;
}

/** Leaves out each voided endorsement and the one that voids it, as if neither had been issued. */
export function standingRows<T extends StackedTransaction>(stack: readonly T[]): T[] {
  const voided = new Set(stack.map(({ reverses }) => reverses ?? null));
  return stack.filter(({ id, reverses = null }) => reverses === null && !voided.has(id));
}

/** Whether a transaction grants coverage or charges for it, as an audit does, rather than ending or restoring it. */
export function grantsCoverage({ type }: StackedTransaction): boolean {
  return type === 'new_business' || type === 'renewal' || type === 'endorsement' || type === 'audit';
}

/** Sorts transactions by effective date, those of one day in the order of issue. */
export function inOrderOfEffect<T extends Pick<StackedTransaction, 'effectiveDate' | 'sequence'>>(
  stack: readonly T[],
): T[] {
  return stack.toSorted((a, b) => {
    if (a.effectiveDate !== b.effectiveDate) return a.effectiveDate < b.effectiveDate ? -1 : 1;
    return a.sequence - b.sequence;
  });
}

/** Returns the place of a policy's next transaction; `stack` is in order of issue. */
export function nextSequence(stack: readonly Pick<StackedTransaction, 'sequence'>[]): number {
  return (stack.at(-1)?.sequence ?? 0) + 1;
}

/** Sorts transactions in the order of issue. */
function inOrderOfIssue<T extends Pick<StackedTransaction, 'sequence'>>(stack: readonly T[]): T[] {
  return stack.toSorted((a, b) => a.sequence - b.sequence);
}

/**
 * Lists the cancellations of a stack in the order of issue, each with the reinstatement or later cancellation that
 * undid it. A new cancellation replaces the one before it, with one exception: a notice for non-payment only precedes
 * a cancellation for a later day, which stands again when the debt is paid. Contract 3.2.
 */
export function endingsOf(stack: readonly StackedTransaction[]): Ending[] {
  const endings: Ending[] = [];
  let standing: Ending | null = null;
  let waiting: Ending | null = null;
  for (const row of inOrderOfIssue(stack)) {
    if (row.type !== 'cancellation' && row.type !== 'reinstatement') continue;
    const replaced = [standing, waiting];
    if (row.type === 'cancellation') {
      const added: Ending = { cancellation: row, undoneBy: null, isWaiting: false };
      endings.push(added);
      [standing, waiting] = afterCancellation(added, standing, waiting);
    } else {
      [standing, waiting] = [row.changes.rescission === true ? waiting : null, null];
    }
    for (const each of replaced) if (each !== null) each.undoneBy ??= row;
    if (standing !== null) standing.undoneBy = null;
    if (standing !== null && waiting !== null) waiting.undoneBy = standing.cancellation;
  }
  if (waiting !== null) waiting.isWaiting = true;
  return endings;
}

/** Returns which cancellation stands once one has been added, and which waits behind it. */
function afterCancellation(added: Ending, standing: Ending | null, waiting: Ending | null): [Ending, Ending | null] {
  if (isNotice(added)) {
    const later = standing !== null && !isNotice(standing) ? standing : waiting;
    return [added, later !== null && goesBefore(added, later) ? later : null];
  }
  return standing !== null && isNotice(standing) && goesBefore(standing, added) ? [standing, added] : [added, null];
}

function isNotice({ cancellation }: Ending): boolean {
  return cancellation.changes.reason === 'non_payment';
}

function goesBefore(one: Ending, other: Ending): boolean {
  return one.cancellation.effectiveDate < other.cancellation.effectiveDate;
}

/** One that was replaced or withdrawn never took effect; one that stands takes effect on its day. */
function hasEnded({ cancellation, undoneBy }: Ending, term: CoverageTerm, today: BusinessDate): boolean {
  if (undoneBy === null) return isInEffect(cancellation, term, today);
  return undoneBy.type === 'reinstatement' && !isWithdrawal(undoneBy);
}

function isWithdrawal({ changes }: Reinstatement): boolean {
  return changes.withdrawal === true;
}
