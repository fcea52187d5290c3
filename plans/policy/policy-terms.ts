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

/** Adds what follows from changes: the aggregate limit follows the limit. */
export function withAggregate(changes: TermChanges): Partial<PolicyTerms> {
  const { limitCents } = changes;
  return limitCents === undefined ? { ...changes } : { ...changes, aggregateLimitCents: aggregateLimitOf(limitCents) };
}

/** Applies changes, with what follows from them. */
export function changedTerms(terms: Readonly<PolicyTerms>, changes: TermChanges): PolicyTerms {
  const { insuredName, insuredAddress, deductibleCents, annualRevenueCents, additionalInsureds } = terms;
  const { limitCents = terms.limitCents, aggregateLimitCents = terms.aggregateLimitCents } = withAggregate(changes);
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
