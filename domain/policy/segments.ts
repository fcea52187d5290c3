// A policy's terms on any day, and the policy as it stands, both replayed from its transaction stack. The stored policy
// is a projection of the same stack. Contract 3.2 "asOf", domain facts 2.3.
import type { BusinessDate } from '../dates.ts';
import { type Cents, sumCents } from '../money.ts';
import type { CancellationMethod, CancellationReason, CancellationSource } from './cancellation-words.ts';
import { type PolicyStatus, policyStatusOn } from './policy.ts';
import {
  type Cancellation,
  type CoverageTerm,
  coverageGaps,
  effectiveTransactions,
  endingsOf,
  grantsCoverage,
  inOrderOfEffect,
  type StackedTransaction,
  standingCancellation,
  standingRows,
} from './stack.ts';
import { type TaxBasis, taxesOwed } from './tax-change.ts';
import { type PolicyMoney, type PolicyTerms, termsIn } from './transaction.ts';

/** The part of a policy that does not come from its transactions. */
export interface PolicyFacts {
  term: CoverageTerm;
  basis: TaxBasis;
  renewalPolicyId: string | null;
  today: BusinessDate;
}

type SegmentFacts = Pick<PolicyFacts, 'term' | 'renewalPolicyId'>;

/** Days, `to` excluded, on which a policy's terms, status and cancellation were the same. */
export interface PolicySegment {
  from: BusinessDate;
  to: BusinessDate;
  status: PolicyStatus;
  /** The one that ended or would end coverage on these days, even if it was reversed later. */
  cancellation: StandingCancellation | null;
  terms: Partial<PolicyTerms>;
}

/** The standing cancellation, as the policy row shows it. */
export interface StandingCancellation {
  effectiveDate: BusinessDate;
  reason: CancellationReason;
  method: CancellationMethod;
  source: CancellationSource;
}

/** The columns of the policy row that its transactions decide. */
export interface PolicyProjection extends PolicyMoney {
  status: PolicyStatus;
  /** Includes every issued endorsement, even one effective later. */
  terms: Partial<PolicyTerms>;
  cancellation: StandingCancellation | null;
}

/**
 * Returns a day's terms: those of the first day, with everything in effect by then on top, by effective date. Contract
 * 3.2.
 */
export function termsOn(stack: readonly StackedTransaction[], day: BusinessDate): Partial<PolicyTerms> {
  const inForce = inOrderOfEffect(
    standingRows(stack).filter((each) => grantsCoverage(each) && each.effectiveDate <= day),
  );
  return Object.assign({}, ...inForce.map(termsIn));
}

/** Lists the changes of terms that take effect after a day, by effective date. Contract 3.2. */
export function changesAfter<T extends StackedTransaction>(stack: readonly T[], day: BusinessDate): T[] {
  const standing = standingRows(stack);
  return inOrderOfEffect(standing.filter(({ type, effectiveDate }) => type === 'endorsement' && effectiveDate > day));
}

/**
 * Returns a policy's status on a day, as known today, with the cancellation behind it: ended from the day of a
 * standing cancellation on and within a gap; before that day, pending cancellation from its issue until its reversal;
 * otherwise by its dates.
 */
function standingOn(stack: readonly StackedTransaction[], day: BusinessDate, facts: SegmentFacts) {
  const { term, renewalPolicyId } = facts;
  const endings = endingsOf(stack);
  const gap = coverageGaps(stack).find(({ from, to }) => from <= day && day < to);
  const ended = endings.find(({ cancellation: { id, effectiveDate }, undoneBy }) =>
    undoneBy === null ? effectiveDate <= day : id === gap?.cancellationId,
  );
  if (ended !== undefined)
    return byCancellation(isLapse(ended.cancellation) ? 'lapsed' : 'cancelled', ended.cancellation);
  const pending = endings.findLast(({ cancellation: { issuedOn, effectiveDate }, undoneBy }) => {
    const isUndone = undoneBy !== null && undoneBy.issuedOn <= day;
    return issuedOn <= day && day < effectiveDate && !isUndone;
  });
  if (pending !== undefined) return byCancellation('pending_cancellation', pending.cancellation);
  return byCancellation(policyStatusOn({ status: 'pending', ...term, cancellation: null, renewalPolicyId }, day), null);
}

function byCancellation(status: PolicyStatus, cancellation: Cancellation | null) {
  return { status, cancellation: cancellation && cancellationOf(cancellation) };
}

/** Returns a term's segments, first day to last, merging identical neighbors. Contract 3.2. */
export function policySegments(stack: readonly StackedTransaction[], facts: SegmentFacts): PolicySegment[] {
  const { term } = facts;
  const seams = stack.flatMap(({ effectiveDate, issuedOn, type }) =>
    type === 'cancellation' || type === 'reinstatement' ? [effectiveDate, issuedOn] : [effectiveDate],
  );
  const inside = seams.filter((day) => day > term.effectiveDate && day < term.expirationDate);
  const days = [...new Set([term.effectiveDate, ...inside])].sort();
  const segments = days.map((from, index): PolicySegment => {
    const to = days[index + 1] ?? term.expirationDate;
    return { from, to, ...standingOn(stack, from, facts), terms: termsOn(stack, from) };
  });
  return segments.reduce(joinAlike, []);
}

/** Finds the segment of a day, or null outside the term. */
export function segmentOn(segments: readonly PolicySegment[], day: BusinessDate): PolicySegment | null {
  return segments.find(({ from, to }) => from <= day && day < to) ?? null;
}

/** Returns a policy's status today, from its stack. Contract 3.2. */
export function presentStatus(
  stack: readonly StackedTransaction[],
  { term, today, renewalPolicyId }: Pick<PolicyFacts, 'term' | 'today' | 'renewalPolicyId'>,
): PolicyStatus {
  const standing = standingCancellation(stack);
  const cancellation = standing && { effectiveDate: standing.effectiveDate, lapse: isLapse(standing) };
  return policyStatusOn({ status: 'pending', ...term, cancellation, renewalPolicyId }, today);
}

/**
 * Replays the stack to the policy as it stands today: status, terms, money and standing cancellation. Written premium
 * is the sum of all transactions that have moved money; taxes are the policy's rates applied to it. Contract 3.2.
 */
export function projectPolicy(stack: readonly StackedTransaction[], facts: PolicyFacts): PolicyProjection {
  const { term, today } = facts;
  const rows = effectiveTransactions(stack, term, today);
  const premiumCents = sumCents(rows.map((each) => each.premiumChangeCents));
  const standing = standingCancellation(stack);
  return {
    status: presentStatus(stack, facts),
    terms: termsOn(stack, term.expirationDate),
    cancellation: standing && cancellationOf(standing),
    ...priceOf(premiumCents, rows, facts),
  };
}

function priceOf(premiumCents: Cents, rows: readonly StackedTransaction[], { basis }: PolicyFacts): PolicyMoney {
  const feeCents = sumCents(rows.map((each) => each.feeChangeCents));
  const charged = rows.find(({ feeChangeCents }) => feeChangeCents !== 0)?.after.fees;
  const fees = feeCents === 0 ? [] : [...(charged ?? [])];
  const owed = taxesOwed(basis, { premiumCents, feeCents });
  const taxes = isFlat(rows) ? owed.map((tax) => ({ ...tax, amountCents: 0 })) : owed;
  const taxCents = sumCents(taxes.map(({ amountCents }) => amountCents));
  return { grossPremiumCents: premiumCents, fees, taxes, totalDueCents: sumCents([premiumCents, feeCents, taxCents]) };
}

/** A flat cancellation that stands leaves nothing, not even a flat stamping fee. */
function isFlat(rows: readonly StackedTransaction[]): boolean {
  return standingCancellation(rows)?.changes.method === 'flat';
}

function isLapse({ changes }: Cancellation): boolean {
  return changes.lapse === true;
}

/** The cancellation as readers see it. */
export function cancellationOf({
  effectiveDate,
  changes,
}: Pick<Cancellation, 'effectiveDate' | 'changes'>): StandingCancellation {
  const { reason, method, source } = changes;
  return { effectiveDate, reason, method, source };
}

function joinAlike(segments: PolicySegment[], next: PolicySegment): PolicySegment[] {
  const last = segments.at(-1);
  const says = ({ from: _from, to: _to, ...rest }: PolicySegment) => JSON.stringify(rest);
  if (last === undefined || says(last) !== says(next)) return [...segments, next];
  return [...segments.slice(0, -1), { ...last, to: next.to }];
}
