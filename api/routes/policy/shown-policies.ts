// A policy with the terms and status of one day: today, within the term, or another day. Amounts are always those of
// the whole term. Contract 3.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import type { IssuedTransaction } from '../../../db/entities/policy/policy-transaction.ts';
import { type BillingSummary, billingSummaries } from '../../../db/queries/billing/void-invoices.ts';
import { transactionsOf } from '../../../db/queries/policy/policies.ts';
import { addDays, type BusinessDate, maxDate, minDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { PolicyStatus } from '../../../domain/policy/policy.ts';
import { changesAfter, policySegments, segmentOn, termsOn } from '../../../domain/policy/segments.ts';
import type { StackedTransaction } from '../../../domain/policy/stack.ts';
import { present } from '../rows.ts';
import type { PolicyWire } from './policies.schemas.ts';
import { policyToWire, type ShownPolicy } from './policies.wire.ts';

const ENDED_EARLY: readonly PolicyStatus[] = ['cancelled', 'lapsed'];

/** Returns a policy as of today. */
export async function showPolicy(em: EntityManager, policy: Policy, today: BusinessDate): Promise<PolicyWire> {
  return present((await showPolicies(em, [policy], today))[0] ?? null);
}

/** Returns policies as of today, in the given order. */
export async function showPolicies(
  em: EntityManager,
  policies: readonly Readonly<Policy>[],
  today: BusinessDate,
): Promise<PolicyWire[]> {
  const ids = policies.map(({ id }) => id);
  const summaries = await billingSummaries(em, ids);
  const billed = policies.map((policy) => ({ policy, billed: present(summaries.get(policy.id) ?? null) }));
  return showBilled(em, billed, today);
}

/** Returns policies with known billing as of today; reads the history only of those whose terms will change. */
export async function showBilled(
  em: EntityManager,
  policies: readonly { policy: Readonly<Policy>; billed: BillingSummary }[],
  today: BusinessDate,
): Promise<PolicyWire[]> {
  const changing = policies.filter(({ policy, billed }) => willChange(policy, billed, today));
  const ids = changing.map(({ policy }) => policy.id);
  return showWith(policies, await transactionsOf(em, ids), today);
}

/** Returns policies with known billing as of today, using the transactions of those whose terms will change. */
export function showWith(
  policies: readonly { policy: Readonly<Policy>; billed: BillingSummary }[],
  transactions: readonly IssuedTransaction[],
  today: BusinessDate,
): PolicyWire[] {
  const stacks = Map.groupBy(transactions, ({ policyId }) => policyId);
  return policies.map(({ policy, billed }) => {
    const stack = willChange(policy, billed, today) ? stacks.get(policy.id) : undefined;
    return policyToWire(stack ? policyToday(policy, stack, today) : unchanging(policy), billed, today);
  });
}

/** Whether today's terms may differ from those at the end of the term. */
export function willChange(policy: Readonly<Policy>, { lastChangeOn }: BillingSummary, today: BusinessDate): boolean {
  return lastChangeOn !== null && lastChangeOn > dayInTerm(policy, today);
}

/** A policy whose terms no endorsement will change: its row has them. */
export function unchanging(policy: Readonly<Policy>): ShownPolicy {
  return { ...policy, scheduledChanges: [] };
}

function policyToday(policy: Readonly<Policy>, stack: readonly StackedTransaction[], today: BusinessDate): ShownPolicy {
  const day = dayInTerm(policy, today);
  return { ...policy, ...termsOn(stack, day), scheduledChanges: stillToCome(stack, day, policy.status) };
}

/**
 * Returns a policy as it was on a day, as known today: the status and terms of that day. A cancellation or notice of
 * non-renewal shows from the day it was known.
 * @throws DomainError outside_policy_term with `{effectiveDate, expirationDate}` before the term and from its end
 * onward
 */
export function policyAsOf(
  policy: Readonly<Policy>,
  stack: readonly StackedTransaction[],
  asOf: BusinessDate,
): ShownPolicy {
  const { effectiveDate, expirationDate, renewalPolicyId, nonRenewal } = policy;
  const term = { effectiveDate, expirationDate };
  const segment = segmentOn(policySegments(stack, { term, renewalPolicyId }), asOf);
  if (segment === null) {
    throw new DomainError('outside_policy_term', `${asOf} lies outside the term of the policy.`, term);
  }
  const { terms, status, cancellation } = segment;
  return {
    ...policy,
    ...terms,
    ...{ status, cancellation },
    nonRenewal: nonRenewal !== null && nonRenewal.noticeDate <= asOf ? nonRenewal : null,
    scheduledChanges: stillToCome(stack, asOf, status),
  };
}

/** Nothing is upcoming once coverage has ended. */
function stillToCome(stack: readonly StackedTransaction[], day: BusinessDate, status: PolicyStatus) {
  return ENDED_EARLY.includes(status) ? [] : changesAfter(stack, day);
}

/** Before its term, a policy shows the terms of the first day; after it, those of the last. */
function dayInTerm({ effectiveDate, expirationDate }: Readonly<Policy>, today: BusinessDate): BusinessDate {
  return maxDate(effectiveDate, minDate(today, addDays(expirationDate, -1)));
}
