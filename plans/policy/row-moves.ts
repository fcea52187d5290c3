// What a policy row's state allows; everything else is refused, naming the operations that would succeed now. Contract
// 1 `invalid_state_transition`.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { policyTransactions } from '../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { INSTALLMENT_PLANS } from '../../domain/lines.ts';
import { allows, nextPolicyStatus } from '../../domain/policy/operations.ts';
import type { PolicyAction } from '../../domain/policy/policy.ts';
import { planPaymentPlan } from './payment-plan-plan.ts';

/**
 * Refuses what the state forbids; reads history and bills only to say what would succeed instead.
 * @throws DomainError invalid_state_transition
 */
export async function ensureRowAllows(
  em: EntityManager,
  policy: Readonly<Policy>,
  action: PolicyAction,
  today: BusinessDate,
): Promise<void> {
  if (allows(policy, action)) return;
  const stack = await policyTransactions(em, policy.id);
  const canRebill = allows(policy, 'change_payment_plan') && (await canChangePlan(em, policy, today));
  nextPolicyStatus({ ...policy, stack, canRebill }, action, today);
}

/** Whether there is anything to rebill under another plan. */
async function canChangePlan(em: EntityManager, policy: Readonly<Policy>, today: BusinessDate): Promise<boolean> {
  const other = INSTALLMENT_PLANS.find((plan) => plan !== policy.installmentPlan);
  if (other === undefined) return false;
  try {
    await planPaymentPlan(em, policy, { installmentPlan: other, reason: null }, today);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
