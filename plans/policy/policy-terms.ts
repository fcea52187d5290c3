// The policy terms that transactions may change: as stored, and with changes applied.
import { aggregateLimitOf } from '../../domain/policy/policy.ts';
import type { PolicyTerms, PricedTerms, TermChanges } from '../../domain/policy/transaction.ts';

/**
 * Returns the terms with their price: stored as a transaction's `before` and `after`, and the source for a policy's
 * terms on a day.
 */
export function termsOf(policy: Readonly<PricedTerms>): PricedTerms {
  const { insuredName, insuredAddress, limitCents, aggregateLimitCents, deductibleCents, annualRevenueCents } = policy;
  const { additionalInsureds, grossPremiumCents, fees, taxes, totalDueCents } = policy;
  return {
    insuredName,
    insuredAddress,
    limitCents,
    aggregateLimitCents,
    deductibleCents,
    annualRevenueCents,
    additionalInsureds,
    grossPremiumCents,
    fees,
    taxes,
    totalDueCents,
  };
}

/** Applies changes; the aggregate limit follows the limit. */
export function changedTerms(terms: Readonly<PolicyTerms>, changes: TermChanges): PolicyTerms {
  const { insuredName, insuredAddress, deductibleCents, annualRevenueCents, additionalInsureds } = terms;
  const limitCents = changes.limitCents ?? terms.limitCents;
  const aggregateLimitCents =
    changes.limitCents === undefined ? terms.aggregateLimitCents : aggregateLimitOf(limitCents);
  return {
    insuredName: changes.insuredName ?? insuredName,
    insuredAddress: changes.insuredAddress === undefined ? insuredAddress : changes.insuredAddress,
    limitCents,
    aggregateLimitCents,
    deductibleCents: changes.deductibleCents ?? deductibleCents,
    annualRevenueCents: changes.annualRevenueCents ?? annualRevenueCents,
    additionalInsureds: changes.additionalInsureds ?? additionalInsureds,
  };
}
