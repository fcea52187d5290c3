// Notice that a policy will not be renewed, and its withdrawal, as they would be issued today. Neither moves money.
// Contract 3.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { ensureNonRenewable } from '../../domain/renewal/non-renewal.ts';
import { type ChangePlan, noMoney } from '../policy/change-plan.ts';
import { readLife } from '../policy/life.ts';
import { ensureRowAllows } from '../policy/row-moves.ts';
import { openRenewalOf } from './term-chain.ts';

/**
 * Plans the notice, which takes effect when the term ends.
 * @throws DomainError invalid_state_transition, also when notice was already given; already_exists when there is a
 * next term; notice_period_not_met with `{earliestDate}`
 */
export async function planNonRenewal(
  em: EntityManager,
  policy: Readonly<Policy>,
  { reason }: { reason: string },
  today: BusinessDate,
): Promise<ChangePlan> {
  await ensureRowAllows(em, policy, 'non_renew', today);
  const renewalPolicyId = await openRenewalOf(em, policy.id);
  if (renewalPolicyId !== null) {
    throw new DomainError('already_exists', 'The policy already has a renewal term.', { renewalPolicyId });
  }
  const { state, expirationDate } = policy;
  ensureNonRenewable({ state, expirationDate, today });
  const changes = { reason, noticeDate: today };
  const life = await readLife(em, policy, today);
  return { ...noMoney(life), type: 'non_renewal', effectiveDate: expirationDate, reason, changes };
}

/** Plans the withdrawal of the notice. @throws DomainError invalid_state_transition when there is none */
export async function planNonRenewalWithdrawal(
  em: EntityManager,
  policy: Readonly<Policy>,
  today: BusinessDate,
): Promise<ChangePlan> {
  await ensureRowAllows(em, policy, 'withdraw_non_renewal', today);
  const life = await readLife(em, policy, today);
  const { expirationDate: effectiveDate } = policy;
  return { ...noMoney(life), type: 'non_renewal_withdrawal', effectiveDate, reason: null, changes: {} };
}
