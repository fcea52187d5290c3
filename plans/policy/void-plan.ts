// What voiding an endorsement will do: its day's terms without it, later endorsements reapplied, and the money as if
// it had never been issued. Contract 3.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { priceReversal, voidableEndorsement } from '../../domain/policy/reversal.ts';
import { coverageGaps } from '../../domain/policy/stack.ts';
import { termsIn } from '../../domain/policy/transaction.ts';
import { changeAmounts } from './cancellation-plan.ts';
import type { ChangePlan } from './change-plan.ts';
import { pricedPlan, type Screened, termsRated } from './endorsement-plan.ts';
import { ensureAllowed, readLife } from './life.ts';
import { planVoidBilling } from './void-billing-plan.ts';

/** A requested void. */
export interface VoidRequest {
  transactionId: string;
  reason: string;
}

/**
 * Plans to void an endorsement as of today; writes nothing.
 * @throws DomainError not_found, invalid_state_transition, delegated_authority_exceeded with `{daFlags}`
 */
export async function planVoid(
  em: EntityManager,
  policy: Readonly<Policy>,
  { transactionId, reason }: VoidRequest,
  today: BusinessDate,
  screened?: Screened,
): Promise<ChangePlan> {
  const life = await readLife(em, policy, today);
  const { term, stack } = life;
  const voided = voidableEndorsement(stack, transactionId);
  ensureAllowed(life, 'void');
  if (voided.type !== 'endorsement') throw new TypeError('Only an endorsement is voided');
  const { effectiveDate } = voided;
  const price = priceReversal({
    ...{ term, gaps: coverageGaps(stack), voidedId: voided.id },
    ...(await termsRated(em, life)),
  });
  return pricedPlan(em, life, {
    ...{ price, effectiveDate, reason, changes: {}, fields: termsIn(voided), reverses: voided.id },
    sanctionsHit: screened?.sanctionsHit ?? false,
    billing: (change) =>
      planVoidBilling(em, life, { change, voided: changeAmounts(life, voided), voidedId: voided.id, effectiveDate }),
  });
}

/** The insured's name that a void restores, or null if the name stays. */
export async function restoredName(
  em: EntityManager,
  policy: Readonly<Policy>,
  { transactionId }: Pick<VoidRequest, 'transactionId'>,
): Promise<string | null> {
  const { stack } = await readLife(em, policy, policy.effectiveDate);
  const voided = stack.find(({ id }) => id === transactionId);
  return voided?.type === 'endorsement' ? (voided.before.insuredName ?? null) : null;
}
