// What a policy covered on the date of loss, and what is worth flagging. None of it ever causes a notice of loss to be
// refused. Contract 3.3 "coverageFlags".
import { type BusinessDate, daysBetween } from '../dates.ts';
import type { Cents } from '../money.ts';
import type { PolicyStatus } from '../policy/policy.ts';
import { policySegments, segmentOn } from '../policy/segments.ts';
import type { CoverageTerm, StackedTransaction } from '../policy/stack.ts';
import { termsIn } from '../policy/transaction.ts';

export const COVERAGE_FLAGS = [
  'loss_outside_term',
  'policy_pending',
  'policy_cancelled',
  'policy_lapsed',
  'limit_reduced',
  'late_report',
  'possible_duplicate',
] as const;
export type CoverageFlag = (typeof COVERAGE_FLAGS)[number];

/**
 * The flags visible to everyone who may see the claim. The flag for a probable duplicate is not one: it reveals how
 * another loss happened and who suffered it.
 */
export function openFlags(flags: readonly CoverageFlag[]): CoverageFlag[] {
  return flags.filter((flag) => flag !== 'possible_duplicate');
}

/** The policy on the date of loss; all null if no term contains that day. Amounts in cents. */
export interface LossCoverage {
  status: PolicyStatus | null;
  limitCents: Cents | null;
  aggregateLimitCents: Cents | null;
  deductibleCents: Cents | null;
}

const ENDED: readonly (PolicyStatus | null)[] = [null, 'cancelled', 'lapsed'];

/** Whether the policy was in force on the date of loss; if not, there is no limit to pay from. */
export function wasInForce({ status }: Pick<LossCoverage, 'status'>): boolean {
  return !ENDED.includes(status);
}

/** A notice later than this many days is late. Our choice; the specification names no figure. */
const TIMELY_DAYS = 30;

/** The term that responds to a loss, and the loss. */
export interface LossFacts {
  stack: readonly StackedTransaction[];
  term: CoverageTerm;
  /** The policy's status today. */
  policyStatus: PolicyStatus;
  renewalPolicyId: string | null;
  lossDate: BusinessDate;
  /** The business date of the notice. */
  reportedOn: BusinessDate;
  isDuplicate: boolean;
}

/** The coverage on the date of loss and its flags, from the term's transactions. Contract 3.3. */
export function lossCoverage(facts: LossFacts): { coverage: LossCoverage; flags: CoverageFlag[] } {
  const { stack, term, renewalPolicyId, lossDate } = facts;
  const segments = policySegments(stack, { term, renewalPolicyId });
  const segment = segmentOn(segments, lossDate);
  const { limitCents = null, aggregateLimitCents = null, deductibleCents = null } = segment?.terms ?? {};
  const status = segment?.status ?? null;
  // A change effective on the first day rewrites the first segment, not the terms at issue.
  const issued = stack[0] === undefined ? {} : termsIn(stack[0]);
  const sold = [segments[0]?.terms.limitCents, issued.limitCents].filter((cents) => cents !== undefined);
  const isReduced = limitCents !== null && sold.some((cents) => limitCents < cents);
  const holds: Record<CoverageFlag, boolean> = {
    loss_outside_term: segment === null,
    policy_pending: facts.policyStatus === 'pending',
    policy_cancelled: status === 'cancelled',
    policy_lapsed: status === 'lapsed',
    limit_reduced: isReduced,
    late_report: daysBetween(lossDate, facts.reportedOn) > TIMELY_DAYS,
    possible_duplicate: facts.isDuplicate,
  };
  return {
    coverage: { status, limitCents, aggregateLimitCents, deductibleCents },
    flags: COVERAGE_FLAGS.filter((flag) => holds[flag]),
  };
}
