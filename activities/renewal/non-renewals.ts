/** Notice that a policy will not be renewed, and its withdrawal: transactions that move no money. Contract 3.2. */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { NonRenewPayload, PolicyChangeOutcome } from '../../contracts/policy.ts';
import type { NoticeKind } from '../../domain/notice/notice-kind.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { policyFacts } from '../../plans/authority/resource-facts.ts';
import type { ChangePlan } from '../../plans/policy/change-plan.ts';
import { policyOutcome } from '../../plans/policy/policy-outcome.ts';
import { planNonRenewal, planNonRenewalWithdrawal } from '../../plans/renewal/non-renewal-plan.ts';
import type { Deps } from '../context.ts';
import { noticeDue } from '../notice/due-notices.ts';
import { type PolicyStep, policyCommand } from '../policy/policy-command.ts';
import { persistChange } from '../policy/policy-rows.ts';

/**
 * Gives notice that the policy will not be renewed.
 * @throws DomainError forbidden, invalid_state_transition, already_exists, notice_period_not_met
 */
export const nonRenewPolicy = (deps: Deps) =>
  policyCommand<NonRenewPayload, PolicyChangeOutcome>(deps, 'nonRenewPolicy', async (step) => {
    const { em, command, policy, day } = step;
    await judge(em, step);
    const plan = await planNonRenewal(em, policy, command.payload, day.today);
    return issue(deps, step, { plan, action: 'policy:non_renew', kind: 'non_renewal' });
  });

/** Withdraws the notice, so that the policy can be renewed. @throws DomainError forbidden, invalid_state_transition */
export const withdrawNonRenewal = (deps: Deps) =>
  policyCommand<unknown, PolicyChangeOutcome>(deps, 'withdrawNonRenewal', async (step) => {
    const { em, policy, day } = step;
    await judge(em, step);
    const plan = await planNonRenewalWithdrawal(em, policy, day.today);
    return issue(deps, step, { plan, action: 'policy:withdraw_non_renewal', kind: 'non_renewal_withdrawal' });
  });

async function judge(em: EntityManager, { command, policy }: PolicyStep<unknown>): Promise<void> {
  (await judgeOf(em, command, 'policy:non_renew'))(policyFacts(policy));
}

async function issue(
  deps: Deps,
  { em, command, policy, day }: PolicyStep<unknown>,
  { plan, action, kind }: { plan: ChangePlan; action: string; kind: NoticeKind },
): Promise<PolicyChangeOutcome> {
  const change = { origin: command, policy, usage: null, day, plan, action };
  const { transactionId, refundIds } = await persistChange(em, deps, change);
  const notice = await noticeDue(em, policy.id, { kind, on: day.today, transactionId });
  return { ...(await policyOutcome(em, policy, day)), transactionId, refundIds, notice };
}
