// What a cancellation or reinstatement notice says besides its day: whether the day is still ahead, what keeps the
// policy in force, and which days had no coverage.
import type { IssuedTransaction } from '../../db/entities/policy/policy-transaction.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { Cents } from '../../domain/money.ts';
import { type Cancellation, coverageGaps, endingsOf, firstIssue } from '../../domain/policy/stack.ts';

export interface NoticePageFacts {
  /** Whether the notice announces a later day. */
  isAhead: boolean;
  /** For a non-payment notice: the amount that keeps the policy in force if paid before the day. */
  pastDue: Cents | null;
  /** For a notice of cancellation withdrawn before its day: when it was given. */
  withdrawnNotice: BusinessDate | null;
  /** For a notice reissued by an endorsement with a new return premium: when notice was first given. */
  noticeGivenOn: BusinessDate | null;
  /** Days without coverage before a reinstatement, `to` excluded. */
  gap: { from: BusinessDate; to: BusinessDate } | null;
}

/** Reads them off the last transaction of a stack, as it was issued: bills may have changed since. */
export function noticePageFacts(stack: readonly IssuedTransaction[]): NoticePageFacts {
  const transaction = stack.at(-1);
  const isAhead = transaction !== undefined && transaction.effectiveDate > transaction.issuedOn;
  const pastDueCents = transaction?.type === 'cancellation' ? (transaction.changes.pastDueCents ?? 0) : 0;
  return {
    isAhead,
    pastDue: (isAhead && pastDueCents) || null,
    withdrawnNotice: withdrawnNotice(stack),
    noticeGivenOn: noticeGivenBefore(stack),
    gap: transaction?.type === 'reinstatement' ? gapBefore(stack, transaction.sequence) : null,
  };
}

function noticeGivenBefore(stack: readonly IssuedTransaction[]): BusinessDate | null {
  const transaction = stack.at(-1);
  if (transaction?.type !== 'cancellation') return null;
  const first = firstIssue(stack, transaction as Cancellation);
  return first.id === transaction.id ? null : first.issuedOn;
}

function withdrawnNotice(stack: readonly IssuedTransaction[]): BusinessDate | null {
  const transaction = stack.at(-1);
  if (transaction?.type !== 'reinstatement' || transaction.changes.withdrawal !== true) return null;
  const taken = endingsOf(stack).find(({ undoneBy }) => undoneBy?.id === transaction.id);
  return taken === undefined ? null : firstIssue(stack.slice(0, -1), taken.cancellation).issuedOn;
}

function gapBefore(stack: readonly IssuedTransaction[], place: number): NoticePageFacts['gap'] {
  const gap = coverageGaps(stack).find(({ sequence }) => sequence === place);
  return gap === undefined ? null : { from: gap.from, to: gap.to };
}
