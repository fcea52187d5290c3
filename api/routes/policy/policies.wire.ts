// Maps policies and their transactions from rows to the wire, current and past. Pure. Contract 3.2.
import type { Policy } from '../../../db/entities/policy/policy.ts';
import type { BillingSummary } from '../../../db/queries/billing/void-invoices.ts';
import { standingNotice } from '../../../domain/billing/delinquency-clock.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { documentOfTransaction } from '../../../domain/document/document.ts';
import type { InstallmentPlan } from '../../../domain/lines.ts';
import { toDollars } from '../../../domain/money.ts';
import { isLive, policyStatuses } from '../../../domain/policy/policy.ts';
import type { StackedTransaction } from '../../../domain/policy/stack.ts';
import type { TransactionFacts } from '../../../domain/policy/transaction.ts';
import type { ShownTransaction } from '../../../plans/policy/transaction-effects.ts';
import { addressToWire, factsToWire, feesToWire, instantToWire, taxesToWire } from '../billing/charges.wire.ts';
import { effectToWire } from './billing-effects.wire.ts';
import type { PolicyTransactionWire, PolicyWire } from './policies.schemas.ts';

/** A policy for the wire, with the terms and status of one day. */
export interface ShownPolicy extends Omit<Policy, 'ratingInputs' | 'surplusLinesRates' | 'daContractId' | 'daYear'> {
  /** Endorsements effective after that day, in order. */
  scheduledChanges: readonly StackedTransaction[];
}

/** Returns a policy with its derived list of statuses; amounts in dollars. */
export function policyToWire(policy: ShownPolicy, billed: BillingSummary, today: BusinessDate): PolicyWire {
  const { id, orgId, policyNumber, status, submissionId, quoteId, producerId, insuredId, cancellation } = policy;
  return {
    id,
    orgId,
    policyNumber,
    status,
    statuses: policyStatuses(status, {
      delinquent: isDelinquent(policy, billed, today),
      nonRenewed: policy.nonRenewal !== null,
    }),
    submissionId,
    quoteId,
    producerId,
    insuredId,
    insuredName: policy.insuredName,
    insuredEmail: policy.insuredEmail,
    insuredPhone: policy.insuredPhone,
    contact: { email: policy.insuredEmail, phone: policy.insuredPhone, undeliverable: billed.isUndeliverable },
    insuredAddress: addressToWire(policy.insuredAddress),
    contactAddress: addressToWire(policy.contactAddress),
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
    claims: { open: billed.claims.open, incurred: toDollars(billed.claims.incurredCents) },
    installmentPlan: policy.installmentPlan as InstallmentPlan,
    additionalInsureds: policy.additionalInsureds,
    conditions: policy.conditions,
    usdotNumber: policy.usdotNumber,
    renewalOf: policy.renewalOf,
    renewalPolicyId: policy.renewalPolicyId,
    cancellation,
    nonRenewal: policy.nonRenewal,
    scheduledChanges: policy.scheduledChanges.map(scheduledChangeToWire),
    boundAt: instantToWire(policy.boundAt),
    version: policy.version,
    createdAt: instantToWire(policy.createdAt),
    updatedAt: instantToWire(policy.updatedAt),
  };
}

/** In force with a balance past due, or with a pending notice for non-payment. Contract 3.2 "Delinquency". */
function isDelinquent(policy: ShownPolicy, { owedSince }: BillingSummary, today: BusinessDate): boolean {
  if (!isLive(policy.status)) return false;
  return standingNotice(policy) !== null || (owedSince !== null && owedSince < today);
}

function scheduledChangeToWire({ id, effectiveDate, changes }: StackedTransaction) {
  return { transactionId: id, effectiveDate, changes: changesToWire(changes) };
}

/** Returns a transaction in dollars, with its changes named as in the request. Contract 3.2. */
export function transactionToWire({ row, status, effect, invoices }: ShownTransaction): PolicyTransactionWire {
  return {
    id: row.id,
    orgId: row.orgId,
    policyId: row.policyId,
    documentId: documentOfTransaction(row),
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
    ...(row.triage === null ? {} : { triage: row.triage }),
    actor: row.actor,
    before: row.before && factsToWire(row.before),
    after: row.after && factsToWire(row.after),
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}

/** A transaction's changes, named as in the request; what was past due is for the notice's document. */
export function changesToWire(changes: TransactionFacts['changes']): Record<string, unknown> {
  const { limit, pastDue: _, ...others } = factsToWire(changes);
  return limit === undefined ? others : { requestedLimit: limit, ...others };
}
