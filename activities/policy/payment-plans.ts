/** A change of a policy's payment plan: one transaction, stored under the command's id. */
import type { PaymentPlanPayload, PolicyChangeOutcome } from '../../contracts/policy.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { policyFacts } from '../../plans/authority/resource-facts.ts';
import { planPaymentPlan } from '../../plans/policy/payment-plan-plan.ts';
import { policyOutcome } from '../../plans/policy/policy-outcome.ts';
import type { Deps } from '../context.ts';
import { policyCommand } from './policy-command.ts';
import { persistChange } from './policy-rows.ts';

/**
 * Rebills what is not yet due under another plan. Open card attempts on voided bills are cancelled afterwards.
 * @throws DomainError forbidden, invalid_state_transition, validation_failed, not_ready
 */
export const changePaymentPlan = (deps: Deps) =>
  policyCommand<PaymentPlanPayload, PolicyChangeOutcome>(deps, 'changePaymentPlan', async (step) => {
    const { em, command, policy, day } = step;
    const action = 'policy:change_payment_plan';
    (await judgeOf(em, command, action))(policyFacts(policy));
    const plan = await planPaymentPlan(em, policy, command.payload, day.today);
    const change = { origin: command, policy, usage: null, day, plan, action };
    const { transactionId, refundIds } = await persistChange(em, deps, change);
    return { ...(await policyOutcome(em, policy, day)), transactionId, refundIds, notice: null };
  });
