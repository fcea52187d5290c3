// The premium audit of a term that has ended: the premium recalculated on the insured's actual revenue, for the days
// in force. Domain facts 1.1 "Premium audit".
import { type BusinessDate, daysBetween } from '../dates.ts';
import { DomainError } from '../errors.ts';
import type { Cents } from '../money.ts';
import { addRatios, multiplyRatios, ratio, roundHalfUp } from '../ratio.ts';
import type { PolicyStatus } from './policy.ts';
import type { CoverageTerm, StackedTransaction } from './stack.ts';
import { daysOfTerm } from './term.ts';

/** The states of a policy whose coverage has ended. */
const ENDED_STATUSES: readonly PolicyStatus[] = ['expired', 'renewed', 'cancelled', 'lapsed'];

/** States in which the insured was covered. */
const COVERED_STATUSES: readonly PolicyStatus[] = ['active', 'pending_cancellation'];

/**
 * Refuses to audit a term before its expiration date, even if its policy was cancelled early; a term that was never in
 * force; and a term already audited.
 * @throws DomainError not_ready with `{missing, blockers, earliestDate}` before the term's end and with `{missing,
 * blockers}` for a flat cancellation; already_exists with `{transactionId}`
 */
export function ensureAuditable(...facts: Parameters<typeof auditRefusal>): void {
  const refusal = auditRefusal(...facts);
  if (refusal !== null) throw refusal;
}

/** Returns the refusal of an audit, or null if the term can be audited. */
export function auditRefusal(
  { status, expirationDate, isFlat }: { status: PolicyStatus; expirationDate: BusinessDate; isFlat: boolean },
  stack: readonly Pick<StackedTransaction, 'id' | 'type'>[],
  today: BusinessDate,
): DomainError | null {
  const earlier = stack.find(({ type }) => type === 'audit');
  if (earlier !== undefined) {
    return new DomainError('already_exists', 'The term has already been audited.', { transactionId: earlier.id });
  }
  if (today < expirationDate || !ENDED_STATUSES.includes(status)) {
    return new DomainError('not_ready', `The term can be audited on or after its expiration date, ${expirationDate}.`, {
      ...{ missing: [], blockers: ['TERM_NOT_ENDED'], earliestDate: expirationDate },
    });
  }
  if (!isFlat) return null;
  return new DomainError(
    'not_ready',
    'The policy was cancelled at inception and was never in force, so there is nothing to audit.',
    {
      ...{ missing: [], blockers: ['NEVER_IN_FORCE'] },
    },
  );
}

/**
 * Refuses to reinstate a term that has been audited: its premium is final.
 * @throws DomainError not_ready with `{missing, blockers}`
 */
export function ensureNotAudited(stack: readonly Pick<StackedTransaction, 'type'>[]): void {
  if (!isAudited(stack)) return;
  throw new DomainError('not_ready', 'The term has been audited, so it can no longer be reinstated.', {
    missing: [],
    blockers: ['AUDITED'],
  });
}

/** Whether a term has been audited. */
export function isAudited(stack: readonly Pick<StackedTransaction, 'type'>[]): boolean {
  return stack.some(({ type }) => type === 'audit');
}

/** Days of a policy term under the same terms, `to` excluded. */
export interface AuditedSegment<Terms> {
  from: BusinessDate;
  to: BusinessDate;
  status: PolicyStatus;
  terms: Terms;
}

/**
 * Returns the audit premium, negative for a return: for each segment in force, the annual premium at actual revenue
 * less the annual premium charged, pro rata by days, rounded once for the term. Premium kept by a short rate or the
 * minimum earned premium is not adjusted.
 */
export function auditPremium<Terms>(
  term: CoverageTerm,
  segments: readonly AuditedSegment<Terms>[],
  rate: { charged: (terms: Terms) => Cents; actual: (terms: Terms) => Cents },
): Cents {
  const days = daysOfTerm(term);
  const shares = segments
    .filter(({ status }) => COVERED_STATUSES.includes(status))
    .map(({ from, to, terms }) =>
      multiplyRatios(ratio(rate.actual(terms) - rate.charged(terms)), ratio(daysBetween(from, to), days)),
    );
  return roundHalfUp(addRatios(...shares));
}
