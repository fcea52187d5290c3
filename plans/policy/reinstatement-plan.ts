// What a reinstatement will do: before the cancellation's day it only withdraws it; after it, premium, billing and
// authority come back. Contract 3.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { countsAgainstPolicy, invoiceAmounts, invoicesOfPolicy } from '../../db/queries/billing/invoices.ts';
import { type DaFlag, ensureWithinAuthority } from '../../domain/authority/authority.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { ensureNotAudited } from '../../domain/policy/audit.ts';
import {
  ensureEarnedPremiumPaid,
  type ReinstatementFigures,
  reinstatementFigures,
} from '../../domain/policy/reinstatement.ts';
import { type Cancellation, standingCancellation } from '../../domain/policy/stack.ts';
import { changeFlags } from '../authority/change-authority.ts';
import { ensureMayFollow } from '../renewal/term-chain.ts';
import { planReinstatementBilling } from './billing-plan.ts';
import { changeAmounts } from './cancellation-plan.ts';
import { type ChangePlan, noBilling, noMoney } from './change-plan.ts';
import { CLEAN, type Screened } from './endorsement-plan.ts';
import { ensureAllowed, feeCentsOf, feeChanges, moneyAfter, type PolicyLife, readLife } from './life.ts';

/** A requested reinstatement; a null date leaves no gap. */
export interface ReinstatementRequest {
  effectiveDate: BusinessDate | null;
  reason: string | null;
}

/**
 * Plans a reinstatement as of today; writes nothing.
 * @throws DomainError invalid_state_transition, not_ready, outside_policy_term, delegated_authority_exceeded with
 * `{daFlags}`, already_exists when another term has replaced it
 */
export async function planReinstatement(
  em: EntityManager,
  policy: Readonly<Policy>,
  { effectiveDate, reason }: ReinstatementRequest,
  today: BusinessDate,
  { sanctionsHit }: Screened = CLEAN,
): Promise<ChangePlan> {
  const life = await readLife(em, policy, today);
  ensureAllowed(life, 'reinstate');
  ensureNotAudited(life.stack);
  await ensureMayFollow(em, policy);
  const cancellation = standingCancellation(life.stack);
  if (cancellation === null) throw new TypeError('A policy that has ended early has a cancellation');
  if (life.status === 'lapsed') {
    const earned = (await invoicesOfPolicy(em, policy.id)).filter(countsAgainstPolicy);
    const bills = earned.map((invoice) => ({ ...invoiceAmounts(invoice), firstDueDate: invoice.firstDueDate ?? null }));
    ensureEarnedPremiumPaid(bills, today);
  }
  const figures = figuresOf(life, cancellation, effectiveDate);
  const { premiumChangeCents, feeChangeCents, taxChangeCents, totalChangeCents, taxes, kind } = figures;
  const grossPremiumAfterCents = life.money.grossPremiumCents + premiumChangeCents;
  const daFlags =
    kind === 'withdrawal' ? [] : await flagsOf(em, life, { grossPremiumCents: grossPremiumAfterCents, sanctionsHit });
  ensureWithinAuthority(daFlags);
  return {
    type: 'reinstatement',
    ...{ reason, premiumChangeCents, feeChangeCents, taxChangeCents, totalChangeCents, grossPremiumAfterCents },
    effectiveDate: figures.effectiveDate,
    changes: kind === 'withdrawal' ? { withdrawal: true } : {},
    stack: life.stack,
    before: { ...life.money },
    after: { ...moneyAfter(life, { premiumChangeCents, feeChangeCents, taxes }) },
    reapplied: [],
    billing: kind === 'withdrawal' ? noBilling() : await billingOf(em, life, figures, cancellation),
    isScheduled: false,
    daFlags,
    rescheduled: [],
  };
}

/**
 * Plans the platform's withdrawal of a non-payment notice, on any day; it moves no money. A cancellation that waited
 * behind the notice takes its place.
 */
export async function planRescission(
  em: EntityManager,
  policy: Readonly<Policy>,
  today: BusinessDate,
): Promise<ChangePlan> {
  const life = await readLife(em, policy, today);
  const cancellation = standingCancellation(life.stack);
  if (cancellation === null) throw new TypeError('A notice that stands is a cancellation');
  const { effectiveDate } = cancellation;
  const changes = { withdrawal: true, rescission: true };
  return { ...noMoney(life), type: 'reinstatement', effectiveDate, reason: null, changes };
}

function figuresOf(
  life: PolicyLife,
  cancellation: Cancellation,
  effectiveDate: BusinessDate | null,
): ReinstatementFigures {
  const { term, status, today, basis, money, stack } = life;
  const request = effectiveDate === null ? { cancellation } : { cancellation, effectiveDate };
  const charged = { charged: money.taxes, feeCents: feeCentsOf(money) };
  return reinstatementFigures(stack, request, { term, status, today, basis, ...charged });
}

function billingOf(em: EntityManager, life: PolicyLife, figures: ReinstatementFigures, cancellation: Cancellation) {
  const { premiumChangeCents, feeChangeCents, taxChanges, effectiveDate } = figures;
  return planReinstatementBilling(em, life, {
    change: { premiumCents: premiumChangeCents, fees: feeChanges(life, feeChangeCents), taxes: taxChanges },
    cancelled: changeAmounts(life, cancellation),
    cancellationId: cancellation.id,
    effectiveDate,
  });
}

/** Reinstated coverage uses the authority again. */
function flagsOf(
  em: EntityManager,
  life: PolicyLife,
  reinstated: Screened & { grossPremiumCents: number },
): Promise<DaFlag[]> {
  return changeFlags(em, life, { terms: life.policy, ...reinstated });
}
