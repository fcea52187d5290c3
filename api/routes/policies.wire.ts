// Policies and their transactions from rows to the wire, as they are and as they were. Pure. Contract 3.2.
import type { Invoice } from '../../db/entities/invoice.ts';
import type { Policy } from '../../db/entities/policy.ts';
import type { PolicyTransaction } from '../../db/entities/policy-transaction.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import type { InstallmentPlan } from '../../domain/lines.ts';
import { type Cents, toDollars } from '../../domain/money.ts';
import { policyStatuses, policyStatusOn } from '../../domain/policy.ts';
import { addressToWire, factsToWire, feesToWire, instantToWire, taxesToWire } from './charges.wire.ts';
import type { PolicyTransactionWire, PolicyWire } from './policies.schemas.ts';
import { invoiceReference } from './quotes.wire.ts';

/** What of a policy is on the wire. */
type PolicyFacts = Omit<Policy, 'ratingInputs' | 'surplusLinesRates' | 'daContractId' | 'daYear'>;

/** Gives a policy with its derived list of statuses; `unbilledCents` is the premium that no invoice bills; amounts in dollars. */
export function policyToWire(policy: PolicyFacts, unbilledCents: Cents): PolicyWire {
  const { id, orgId, policyNumber, status, submissionId, quoteId, producerId, insuredId, cancellation } = policy;
  return {
    id,
    orgId,
    policyNumber,
    status,
    statuses: policyStatuses(status, { delinquent: false, nonRenewed: policy.nonRenewed }),
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
    unbilledAmount: toDollars(unbilledCents),
    installmentPlan: policy.installmentPlan as InstallmentPlan,
    additionalInsureds: policy.additionalInsureds as { name: string }[],
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

/**
 * Gives a policy with the terms, premium and status of a day: those that the latest transaction effective by then left.
 * @throws DomainError outside_policy_term with `{effectiveDate, expirationDate}` before the term and from its end on
 */
export function policyAsOf(
  policy: Policy,
  transactions: readonly PolicyTransaction[],
  asOf: BusinessDate,
): PolicyFacts {
  const { effectiveDate, expirationDate } = policy;
  if (asOf < effectiveDate || asOf >= expirationDate) {
    throw new DomainError('outside_policy_term', `${asOf} lies outside the term of the policy.`, {
      effectiveDate,
      expirationDate,
    });
  }
  const inForce = transactions
    .filter((transaction) => transaction.effectiveDate <= asOf)
    .sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1) || a.sequence - b.sequence);
  const terms = Object.assign({}, ...inForce.map(({ after }) => after ?? {})) as Partial<Policy>;
  const grossPremiumCents = inForce.at(-1)?.grossPremiumAfterCents ?? policy.grossPremiumCents;
  // The dates alone say what the status was, so it starts from the state a policy is bound in.
  const status = policyStatusOn({ ...policy, status: 'pending' }, asOf);
  return { ...policy, ...terms, grossPremiumCents, status };
}

/** `invoices` are those of the policy. */
export function transactionToWire(row: PolicyTransaction, invoices: readonly Invoice[]): PolicyTransactionWire {
  return {
    id: row.id,
    orgId: row.orgId,
    policyId: row.policyId,
    type: row.type,
    status: 'issued',
    effectiveDate: row.effectiveDate,
    issuedAt: instantToWire(row.issuedAt),
    reason: row.reason,
    changes: factsToWire(row.changes),
    premiumChange: toDollars(row.premiumChangeCents),
    feeChange: toDollars(row.feeChangeCents),
    taxChange: toDollars(row.taxChangeCents),
    totalChange: toDollars(row.totalChangeCents),
    grossPremiumAfter: toDollars(row.grossPremiumAfterCents),
    invoices: invoices.filter(({ id }) => row.invoiceIds.includes(id)).map(invoiceReference),
    credits: row.credits.map(({ invoiceId, amountCents }) => ({ invoiceId, amount: toDollars(amountCents) })),
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
