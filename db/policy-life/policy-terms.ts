// The terms of a policy that its transactions may change: as the row has them, and with changes on top.
import { aggregateLimitOf } from '../../domain/policy.ts';
import type { Address } from '../entities/address.ts';
import type { Policy } from '../entities/policy.ts';

/** Changes of terms under the names of the policy's row; only the named ones change. */
export interface ChangedTerms {
  limitCents?: number;
  annualRevenueCents?: number;
  deductibleCents?: number;
  insuredName?: string;
  insuredAddress?: Address | null;
  additionalInsureds?: unknown[];
}

/** The terms of a policy's row without its price. */
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

/** What a policy costs, as its row has it. */
export type Price = Pick<Policy, 'grossPremiumCents' | 'fees' | 'taxes' | 'totalDueCents'>;

/** Gives the terms with their price: what a transaction keeps as `before` and `after`, and what a policy said as of a day is read from. */
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
