// What a policy transaction changed, by its type: the request, and the policy's terms and cost before and after. Rows
// store it in this shape. Contract 3.2.
import type { Address } from '../address.ts';
import type { InstallmentPlan } from '../lines.ts';
import type { Cents } from '../money.ts';
import type { NonRenewal } from '../renewal/non-renewal.ts';
import type { FeeCharge } from '../submission/quote.ts';
import type { TaxCharge } from '../submission/taxes.ts';
import type { CancellationMethod, CancellationReason, CancellationSource } from './cancellation-words.ts';

/** The terms that a transaction may change, as the policy row names them. */
export interface PolicyTerms {
  insuredName: string;
  insuredAddress: Address | null;
  limitCents: Cents;
  aggregateLimitCents: Cents;
  deductibleCents: Cents;
  annualRevenueCents: Cents;
  additionalInsureds: { name: string }[];
}

/** What an endorsement or a renewal may change; the aggregate limit follows the occurrence limit. */
export type TermChanges = Partial<Omit<PolicyTerms, 'aggregateLimitCents'>>;

/** A policy's cost. */
export interface PolicyMoney {
  grossPremiumCents: Cents;
  fees: FeeCharge[];
  taxes: TaxCharge[];
  totalDueCents: Cents;
}

/** A whole term with its price. */
export type PricedTerms = PolicyTerms & PolicyMoney;

/** The terms that an endorsement changed, with the policy's cost. */
export type MovedTerms = Partial<PolicyTerms> & PolicyMoney;

/** `lapse` marks the platform's own cancellation for non-payment. */
export interface CancellationChanges {
  reason: CancellationReason;
  source: CancellationSource;
  method: CancellationMethod;
  lapse?: boolean;
  /** What was past due when notice for non-payment was given. */
  pastDueCents?: Cents;
}

/**
 * `withdrawal` marks one before the cancellation's day, which moves no money; `rescission`, the platform's own
 * reversal of a notice for non-payment, after which a cancellation waiting behind the notice stands again.
 */
export interface ReinstatementChanges {
  withdrawal?: boolean;
  rescission?: boolean;
}

/** The insured's actual revenue during the term. */
export interface AuditChanges {
  actualRevenueCents: Cents;
}

/** The plan on which the rest of the term is billed. */
export interface PaymentPlanChanges {
  installmentPlan: InstallmentPlan;
  previousPlan: InstallmentPlan;
}

interface Facts<Type, Changes, Before, After> {
  type: Type;
  /** What was requested. */
  changes: Changes;
  before: Before;
  after: After;
}

/** The facts of a transaction that begins a term. */
export type BeginningFacts =
  | Facts<'new_business', Record<string, never>, null, PricedTerms>
  | Facts<'renewal', TermChanges, PricedTerms, PricedTerms>;

/** The facts of a transaction within a term. */
export type ChangeFacts =
  | Facts<'endorsement', TermChanges, MovedTerms, MovedTerms>
  | Facts<'cancellation', CancellationChanges, PolicyMoney, PolicyMoney>
  | Facts<'reinstatement', ReinstatementChanges, PolicyMoney, PolicyMoney>
  | Facts<'non_renewal', NonRenewal, PolicyMoney, PolicyMoney>
  | Facts<'non_renewal_withdrawal', Record<string, never>, PolicyMoney, PolicyMoney>
  | Facts<'audit', AuditChanges, PolicyMoney, PolicyMoney>
  | Facts<'payment_plan', PaymentPlanChanges, PolicyMoney, PolicyMoney>;

export type TransactionFacts = BeginningFacts | ChangeFacts;

export const TRANSACTION_TYPES = [
  'new_business',
  'endorsement',
  'cancellation',
  'reinstatement',
  'renewal',
  'non_renewal',
  'non_renewal_withdrawal',
  'audit',
  'payment_plan',
] as const satisfies TransactionFacts['type'][];

/** Returns the terms of a transaction's result, without the cost. */
export function termsIn({ after }: TransactionFacts): Partial<PolicyTerms> {
  const { grossPremiumCents: _gross, fees: _fees, taxes: _taxes, totalDueCents: _total, ...terms } = after;
  return terms;
}
