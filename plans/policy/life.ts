// A policy with its history, as every plan reads it.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import type { IssuedTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { policyTransactions, presentTransactions } from '../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Cents, sumCents } from '../../domain/money.ts';
import { allows, nextPolicyStatus } from '../../domain/policy/operations.ts';
import type { PolicyAction, PolicyStatus } from '../../domain/policy/policy.ts';
import { presentStatus } from '../../domain/policy/segments.ts';
import { broughtForward, type CoverageTerm, type StackedTransaction } from '../../domain/policy/stack.ts';
import type { TaxBasis } from '../../domain/policy/tax-change.ts';
import type { PolicyMoney } from '../../domain/policy/transaction.ts';
import type { TaxCharge } from '../../domain/submission/taxes.ts';
import { termsOf } from './policy-terms.ts';

/** A policy, its transactions in order of issue, and its current state. */
export interface PolicyLife {
  policy: Readonly<Policy>;
  /** For a change in sequence, one endorsement in place of all. */
  stack: IssuedTransaction[];
  term: CoverageTerm;
  basis: TaxBasis;
  money: PolicyMoney;
  today: BusinessDate;
  /** By the row, and by dates whose step has not been taken yet. */
  status: PolicyStatus;
}

/** Reads a policy's history. */
export async function readLife(em: EntityManager, policy: Readonly<Policy>, today: BusinessDate): Promise<PolicyLife> {
  return lifeOf(policy, await policyTransactions(em, policy.id), today);
}

/**
 * Reads the policy history needed to change the terms from a day on: all of it if endorsements take effect after that
 * day, or if the change is refused; otherwise a fixed number of rows, however many endorsements there are.
 */
export async function readLifeUntil(
  em: EntityManager,
  policy: Readonly<Policy>,
  day: BusinessDate,
  today: BusinessDate,
): Promise<PolicyLife> {
  const rows = await presentTransactions(em, policy.id);
  const stack = broughtForward(rows, { present: termsOf(policy), term: policy, today }, day);
  const life = stack && lifeOf(policy, stack, today);
  return life !== null && allows(life, 'endorse') ? life : readLife(em, policy, today);
}

function lifeOf(policy: Readonly<Policy>, stack: IssuedTransaction[], today: BusinessDate): PolicyLife {
  const { effectiveDate, expirationDate, lineOfBusiness, surplusLinesRates } = policy;
  const { grossPremiumCents, fees, taxes, totalDueCents } = policy;
  return {
    ...{ policy, stack, today },
    term: { effectiveDate, expirationDate },
    basis: { lineOfBusiness, rates: surplusLinesRates },
    money: { grossPremiumCents, fees, taxes, totalDueCents },
    status: statusToday(policy, stack, today),
  };
}

/** Refuses what the policy's current state does not allow. @throws DomainError invalid_state_transition */
export function ensureAllowed({ policy, status, stack, today }: PolicyLife, action: PolicyAction): PolicyStatus {
  return nextPolicyStatus({ ...policy, status, stack }, action, today);
}

/** What a change moves; `taxes` are the taxes after it. */
export interface MovedMoney {
  premiumChangeCents: Cents;
  feeChangeCents: Cents;
  taxes: TaxCharge[];
}

/** Returns a policy's cost after a change. A returned fee is restored as it was charged. */
export function moneyAfter({ money, stack }: PolicyLife, moved: MovedMoney): PolicyMoney {
  const grossPremiumCents = money.grossPremiumCents + moved.premiumChangeCents;
  const feeCents = feeCentsOf(money) + moved.feeChangeCents;
  const fees = feeCents === 0 ? [] : (stack[0]?.after.fees ?? money.fees);
  const taxCents = sumCents(moved.taxes.map(({ amountCents }) => amountCents));
  return {
    grossPremiumCents,
    fees,
    taxes: moved.taxes,
    totalDueCents: sumCents([grossPremiumCents, feeCents, taxCents]),
  };
}

/** Sums a policy's fees. */
export function feeCentsOf({ fees }: Pick<PolicyMoney, 'fees'>): Cents {
  return sumCents(fees.map(({ amountCents }) => amountCents));
}

/** Makes the fee change, by its code; none for zero. */
export function feeChanges({ stack }: PolicyLife, amountCents: Cents): { code: string; amountCents: Cents }[] {
  const [charged] = stack[0]?.after.fees ?? [];
  return amountCents === 0 ? [] : [{ code: charged?.code ?? 'POLICY_FEE', amountCents }];
}

function statusToday(policy: Readonly<Policy>, stack: readonly StackedTransaction[], today: BusinessDate) {
  const { status, effectiveDate, expirationDate, renewalPolicyId } = policy;
  if (status !== 'pending' && status !== 'active' && status !== 'pending_cancellation') return status;
  return presentStatus(stack, { term: { effectiveDate, expirationDate }, today, renewalPolicyId });
}
