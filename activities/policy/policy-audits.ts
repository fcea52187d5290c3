/** The premium audit of an ended term: one transaction, stored under the command's id. Contract 3.2. */
import type { AuditPayload, PolicyChangeOutcome } from '../../contracts/policy.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { plannedFacts, policyFacts } from '../../plans/authority/resource-facts.ts';
import { planAudit } from '../../plans/policy/audit-plan.ts';
import { policyOutcome } from '../../plans/policy/policy-outcome.ts';
import type { Deps } from '../context.ts';
import { lockPolicyUsage } from '../money-locks.ts';
import { policyCommand } from './policy-command.ts';
import { persistChange } from './policy-rows.ts';

/**
 * Settles an ended term's premium on actual revenue.
 * @throws DomainError forbidden, not_ready, already_exists
 */
export const auditPolicy = (deps: Deps) =>
  policyCommand<AuditPayload, PolicyChangeOutcome>(deps, 'auditPolicy', async ({ em, command, policy, day }) => {
    const usage = await lockPolicyUsage(em, policy);
    const judge = await judgeOf(em, command, 'policy:audit');
    judge(policyFacts(policy));
    const plan = await planAudit(em, policy, command.payload, day.today);
    judge(plannedFacts(policy, plan));
    const planned = { origin: command, policy, usage, day, action: 'policy:audit', plan };
    const { transactionId, refundIds } = await persistChange(em, deps, planned);
    return { ...(await policyOutcome(em, policy, day)), transactionId, refundIds, notice: null };
  });
