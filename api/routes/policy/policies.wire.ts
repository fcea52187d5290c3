// Policies and their transactions from rows to the wire, as they are and as they were. Pure. Contract 3.2.
import type { Policy } from '../../../db/entities/policy/policy.ts';
import type { BillingSummary } from '../../../db/queries/billing/void-invoices.ts';
import { IN_FORCE_STATUSES, standingNotice } from '../../../domain/billing/delinquency-clock.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { InstallmentPlan } from '../../../domain/lines.ts';
import { toDollars } from '../../../domain/money.ts';
import { type PolicyStatus, policyStatuses } from '../../../domain/policy/policy.ts';
import { policySegments, segmentOn } from '../../../domain/policy/segments.ts';
import type { StackedTransaction } from '../../../domain/policy/stack.ts';
import type { TransactionFacts } from '../../../domain/policy/transaction.ts';
import type { ShownTransaction } from '../../../plans/policy/transaction-effects.ts';
import { addressToWire, factsToWire, feesToWire, instantToWire, taxesToWire } from '../billing/charges.wire.ts';
import { effectToWire } from './billing-effects.wire.ts';
import type { PolicyTransactionWire, PolicyWire } from './policies.schemas.ts';

/** The parts of a policy on the wire. */
type PolicyFacts = Omit<Policy, 'ratingInputs' | 'surplusLinesRates' | 'daContractId' | 'daYear'>;

const SHOWING_CANCELLATION: readonly PolicyStatus[] = ['pending_cancellation', 'cancelled', 'lapsed'];

/** Gives a policy with its derived list of statuses; amounts in dollars. */
export function policyToWire(policy: PolicyFacts, billed: BillingSummary, today: BusinessDate): PolicyWire {
  const { id, orgId, policyNumber, status, submissionId, quoteId, producerId, insuredId, cancellation } = policy;
  return {
    id,
    orgId,
    policyNumber,
    status,
    statuses: policyStatuses(status, {
      delinquent: isDelinquent(policy, billed, today),
      nonRenewed: policy.nonRenewed,
    }),
    submissionId,
    quoteId,
    producerId,
    insuredId,
    insuredName: policy.insuredName,
    insuredEmail: policy.insuredEmail,
    insuredPhone: policy.insuredPhone,
    insuredAddress: addressToWire(policy.insuredAddress),
    naicsCode: policy.naicsCode,
    state: policy.state,
    lineOfBusiness: policy.lineOfBusiness,
    limit: toDollars(policy.limitCents),
    aggregateLimit: toDollars(policy.aggregateLimitCents),
    deductible: toDollars(policy.deductibleCents),
    annualRevenue: toDollars(policy.annualRevenueCents),
    effectiveDate: policy.effectiveDate,
    expirationDate: policy.expirationDate,
    grossPremium: toDollars(policy.grossPremiumCents),
    fees: feesToWire(policy.fees),
    taxes: taxesToWire(policy.taxes),
    totalDue: toDollars(policy.totalDueCents),
    unbilledAmount: toDollars(billed.unbilledCents),
    installmentPlan: policy.installmentPlan as InstallmentPlan,
    additionalInsureds: policy.additionalInsureds,
    usdotNumber: policy.usdotNumber,
    renewalOf: policy.renewalOf,
    renewalPolicyId: policy.renewalPolicyId,
    cancellation,
    boundAt: instantToWire(policy.boundAt),
    version: policy.version,
    createdAt: instantToWire(policy.createdAt),
    updatedAt: instantToWire(policy.updatedAt),
  };
}

/** In force with a balance past due, or with a pending notice for non-payment. Contract 3.2 "Delinquency". */
function isDelinquent(policy: PolicyFacts, { owedSince }: BillingSummary, today: BusinessDate): boolean {
  if (!IN_FORCE_STATUSES.some((status) => status === policy.status)) return false;
  return standingNotice(policy) !== null || (owedSince !== null && owedSince < today);
}

/**
 * Gives a policy as it was on a day, as far as is known today: the status, terms, premium and charges of the segment of
 * its term. A cancellation shows on the days from which it was known.
 * @throws DomainError outside_policy_term with `{effectiveDate, expirationDate}` before the term and from its end on
 */
export function policyAsOf(
  policy: Policy,
  stack: readonly StackedTransaction[],
  { asOf, today }: { asOf: BusinessDate; today: BusinessDate },
): PolicyFacts {
  const { effectiveDate, expirationDate, lineOfBusiness, surplusLinesRates, renewalPolicyId } = policy;
  const term = { effectiveDate, expirationDate };
  const facts = { term, basis: { lineOfBusiness, rates: surplusLinesRates }, renewalPolicyId, today };
  const segment = segmentOn(policySegments(stack, facts), asOf);
  if (segment === null) {
    throw new DomainError('outside_policy_term', `${asOf} lies outside the term of the policy.`, term);
  }
  const { terms, status, grossPremiumCents, fees, taxes, totalDueCents } = segment;
  const cancellation = SHOWING_CANCELLATION.includes(status) ? policy.cancellation : null;
  return {
    ...policy,
    ...terms,
    status,
    grossPremiumCents,
    fees,
    taxes,
    totalDueCents,
    cancellation,
  };
}

/** Gives a transaction in dollars. What it changed is named as the request names it. Contract 3.2. */
export function transactionToWire({ row, status, effect, invoices }: ShownTransaction): PolicyTransactionWire {
  return {
    id: row.id,
    orgId: row.orgId,
    policyId: row.policyId,
    type: row.type,
    reverses: row.reverses,
    status,
    effectiveDate: row.effectiveDate,
    issuedAt: instantToWire(row.issuedAt),
    reason: row.reason,
    changes: changesToWire(row.changes),
    premiumChange: toDollars(row.premiumChangeCents),
    feeChange: toDollars(row.feeChangeCents),
    taxChange: toDollars(row.taxChangeCents),
    totalChange: toDollars(row.totalChangeCents),
    grossPremiumAfter: toDollars(row.grossPremiumAfterCents),
    ...effectToWire(effect, invoices),
    reapplied: row.reapplied.map(({ transactionId, premiumChangeCents }) => ({
      transactionId,
      premiumChange: toDollars(premiumChangeCents),
    })),
    daFlags: row.daFlags,
    actor: row.actor,
    before: row.before && factsToWire(row.before),
    after: row.after && factsToWire(row.after),
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}

/** The changes of a transaction under the names of the request. */
export function changesToWire(changes: TransactionFacts['changes']): Record<string, unknown> {
  const { limit, ...others } = factsToWire(changes);
  return limit === undefined ? others : { requestedLimit: limit, ...others };
}
