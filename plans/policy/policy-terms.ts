// The policy terms that transactions may change: as stored, and with changes applied.
import type { TermChanges } from '../../contracts/policy.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { aggregateLimitOf } from '../../domain/policy/policy.ts';

/** A policy row's terms without their price. */
export type Terms = Pick<
  Policy,
  | 'insuredName'
  | 'insuredAddress'
  | 'limitCents'
  | 'aggregateLimitCents'
  | 'deductibleCents'
  | 'annualRevenueCents'
  | 'additionalInsureds'
>;

/** A policy's cost, as stored on its row. */
export type Price = Pick<Policy, 'grossPremiumCents' | 'fees' | 'taxes' | 'totalDueCents'>;

/**
 * Returns the terms with their price: stored as a transaction's `before` and `after`, and the source of a policy's
 * terms as of a day.
 */
export function termsOf(policy: Readonly<Terms & Price>): Terms & Price {
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
export function changedTerms(terms: Readonly<Terms>, changes: TermChanges): Terms {
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
