// What the premium audit of an ended term will do: the premium at actual revenue, and the billing of the difference.
// Domain facts 1.1 "Premium audit", Contract 3.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { validationError } from '../../domain/errors.ts';
import { PAYMENT_MAX_CENTS } from '../../domain/limits.ts';
import { type Cents, sumCents, toDollars } from '../../domain/money.ts';
import { auditPremium, ensureAuditable } from '../../domain/policy/audit.ts';
import { policySegments } from '../../domain/policy/segments.ts';
import { taxChange } from '../../domain/policy/tax-change.ts';
import type { AuditChanges, PolicyTerms } from '../../domain/policy/transaction.ts';
import { ratePremium } from '../../domain/submission/rating.ts';
import { rateTableOf, ratingOf } from '../authority/change-authority.ts';
import { planBilling } from './billing-plan.ts';
import type { ChangePlan } from './change-plan.ts';
import { feeCentsOf, moneyAfter, type PolicyLife, readLife } from './life.ts';

/** A requested audit. */
export type AuditRequest = AuditChanges & { reason: string | null };

/**
 * Plans the audit of a term as of today; writes nothing. It counts from inception, as the estimate did. Delegated
 * authority is not checked: coverage has been provided, and its premium is owed.
 * @throws DomainError not_ready, already_exists, as `ensureAuditable` does; validation_failed for a revenue whose
 * premium exceeds the maximum of one payment
 */
export async function planAudit(
  em: EntityManager,
  policy: Readonly<Policy>,
  { actualRevenueCents, reason }: AuditRequest,
  today: BusinessDate,
): Promise<ChangePlan> {
  const life = await readLife(em, policy, today);
  const { term, money, stack, basis } = life;
  const isFlat = policy.cancellation?.method === 'flat';
  ensureAuditable({ status: policy.status, expirationDate: term.expirationDate, isFlat }, stack, today);
  const premiumChangeCents = await auditPremiumOf(em, life, actualRevenueCents);
  const grossPremiumAfterCents = money.grossPremiumCents + premiumChangeCents;
  const charged = { charged: money.taxes, keptFeeCents: feeCentsOf(money) };
  const tax = taxChange(basis, { ...charged, writtenPremiumCents: grossPremiumAfterCents });
  const { taxChangeCents } = tax;
  const totalChangeCents = sumCents([premiumChangeCents, taxChangeCents]);
  ensurePayable(totalChangeCents);
  const { effectiveDate } = term;
  const change = { premiumCents: premiumChangeCents, fees: [], taxes: tax.changes };
  const description = totalChangeCents < 0 ? 'Return premium' : 'Audit premium';
  return {
    type: 'audit',
    ...{ effectiveDate, reason, premiumChangeCents, taxChangeCents, totalChangeCents, grossPremiumAfterCents },
    feeChangeCents: 0,
    changes: { actualRevenueCents },
    before: { ...money },
    after: { ...moneyAfter(life, { premiumChangeCents, feeChangeCents: 0, taxes: tax.taxes }) },
    reapplied: [],
    billing: await planBilling(em, life, { change, effectiveDate, description, isBilledApart: true }),
    isScheduled: false,
    daFlags: [],
    stack,
    rescheduled: [],
  };
}

/** No single payment can be larger: such an amount is a typing error, and an audit is final. */
function ensurePayable(totalChangeCents: Cents): void {
  if (totalChangeCents <= PAYMENT_MAX_CENTS) return;
  const details = { additionalPremium: toDollars(totalChangeCents), most: toDollars(PAYMENT_MAX_CENTS) };
  throw validationError('actualRevenue', 'max', 'The additional premium would be more than one payment.', details);
}

/** Rates each segment by the term's own table, once as charged and once with the actual revenue. */
async function auditPremiumOf(em: EntityManager, life: PolicyLife, actualRevenueCents: Cents): Promise<Cents> {
  const { policy, stack, term } = life;
  const table = await rateTableOf(em, policy);
  const { renewalPolicyId } = policy;
  const segments = policySegments(stack, { term, renewalPolicyId });
  const rated = (terms: Partial<PolicyTerms>) => ratePremium(ratingOf(policy, { ...policy, ...terms }), table);
  return auditPremium(term, segments, {
    charged: (terms) => rated(terms).premiumCents,
    actual: (terms) => rated({ ...terms, annualRevenueCents: actualRevenueCents }).premiumCents,
  });
}
