// The policy terms that transactions may change: as stored, and with changes applied.
import { aggregateLimitOf } from '../../domain/policy.ts';
import type { Address } from '../entities/address.ts';
import type { Policy } from '../entities/policy.ts';

/** Changes of terms under the policy row's names; only the named ones change. */
export interface ChangedTerms {
  limitCents?: number;
  annualRevenueCents?: number;
  deductibleCents?: number;
  insuredName?: string;
  insuredAddress?: Address | null;
  additionalInsureds?: unknown[];
}

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
export function changedTerms(terms: Readonly<Terms>, changes: ChangedTerms): Terms {
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
