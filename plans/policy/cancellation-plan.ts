// What a cancellation will do: immediately, on its announced day, or when an endorsement changes its return premium.
// Contract 3.2.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { countsAgainstPolicy, invoiceAmounts, invoicesOfPolicy } from '../../db/queries/billing/invoices.ts';
import { standingNotice } from '../../domain/billing/delinquency-clock.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Cents, sumCents } from '../../domain/money.ts';
import {
  type CancellationTerms,
  cancellationTerms,
  ensureCancellable,
  ensurePastDue,
  pastDueOn,
  premiumReturn,
  takesEffectAtOnce,
} from '../../domain/policy/cancellation.ts';
import type {
  CancellationMethod,
  CancellationReason,
  CancellationSource,
} from '../../domain/policy/cancellation-words.ts';
import type { ChangeAmounts } from '../../domain/policy/invoice-lines.ts';
import { ensureListedGround } from '../../domain/policy/listed-grounds.ts';
import {
  type Cancellation,
  coverageGaps,
  firstIssue,
  type StackedTransaction,
  standingCancellation,
} from '../../domain/policy/stack.ts';
import { taxChange } from '../../domain/policy/tax-change.ts';
import { firstDayOfCoverage } from '../renewal/term-chain.ts';
import { billingEffects } from './billing-effects.ts';
import { planBilling } from './billing-plan.ts';
import { type ChangeBilling, type ChangePlan, noBilling } from './change-plan.ts';
import { ensureAllowed, feeCentsOf, feeChanges, moneyAfter, type PolicyLife, readLife } from './life.ts';

/** A null source or method takes the contract's default. */
export interface CancellationRequest {
  effectiveDate: BusinessDate;
  reason: CancellationReason;
  source: CancellationSource | null;
  method: CancellationMethod | null;
}

/** `lapse` marks the platform's own cancellation for non-payment. */
type PlannedTerms = CancellationTerms & { lapse: boolean; pastDueCents?: Cents | undefined };

/**
 * Plans a cancellation as of today; writes nothing. A future one is scheduled and shows its day's effects.
 * @throws DomainError validation_failed, invalid_state_transition, not_ready, outside_policy_term,
 * notice_period_not_met
 */
export async function planCancellation(
  em: EntityManager,
  policy: Readonly<Policy>,
  { effectiveDate, reason, source, method }: CancellationRequest,
  today: BusinessDate,
): Promise<ChangePlan> {
  const life = await readLife(em, policy, today);
  const { term, stack } = life;
  const terms = cancellationTerms(
    { effectiveDate, reason, source: source ?? undefined, method: method ?? undefined },
    term,
    today,
  );
  const isScheduled = !takesEffectAtOnce(terms, term, today);
  ensureAllowed(life, isScheduled ? 'schedule_cancellation' : 'cancel');
  const pastDueCents = reason === 'non_payment' ? await pastDueOf(em, policy.id, today) : undefined;
  if (pastDueCents !== undefined) ensurePastDue(pastDueCents);
  const { state } = policy;
  const inForceSince = await firstDayOfCoverage(em, policy.id);
  ensureListedGround(terms, { state, term, inForceSince, isRenewal: policy.renewalOf !== null, today });
  ensureCancellable(terms, { term, gaps: coverageGaps(stack), state, inForceSince, today });
  const plan = figures(life, stack, { ...terms, lapse: false, pastDueCents });
  return { ...(await billed(em, life, plan)), isScheduled };
}

/** Plans the notice of cancellation for non-payment, or a new day for it, as of today; writes nothing. */
export async function planLapse(
  em: EntityManager,
  policy: Readonly<Policy>,
  effectiveDate: BusinessDate,
  today: BusinessDate,
): Promise<ChangePlan> {
  const life = await readLife(em, policy, today);
  const terms = { effectiveDate, reason: 'non_payment', source: 'carrier', method: 'pro_rata', lapse: true } as const;
  // A new day for a notice: what fell due since it was given has a grace period of its own.
  const pastDueCents = await pastDueOf(em, policy.id, standingNotice(policy) ?? today);
  return { ...figures(life, life.stack, { ...terms, pastDueCents }), isScheduled: true };
}

/** What counts against the policy and was past due on a day, as its invoices stand after a change. */
async function pastDueOf(
  em: EntityManager,
  policyId: string,
  day: BusinessDate,
  change: ChangeBilling = noBilling(),
): Promise<Cents> {
  const bills = await invoicesOfPolicy(em, policyId);
  const totals = new Map(billingEffects(change, bills).invoices.map((each) => [each.invoiceId, each.totalCents]));
  const after = bills.filter(countsAgainstPolicy).map((bill) => {
    const amounts = invoiceAmounts(bill);
    const voided = amounts.voided || change.voids.some(({ invoiceId }) => invoiceId === bill.id);
    return { ...amounts, voided, totalCents: totals.get(bill.id) ?? amounts.totalCents };
  });
  return pastDueOn(after, day);
}

/** Plans the end of a next term that was not taken, or no longer follows on: flat, on any day; writes nothing. */
export async function planNotTaken(
  em: EntityManager,
  policy: Readonly<Policy>,
  today: BusinessDate,
): Promise<ChangePlan> {
  const life = await readLife(em, policy, today);
  ensureAllowed(life, 'cancel');
  const { effectiveDate } = life.term;
  const terms = { effectiveDate, reason: 'flat_not_taken', source: 'insured', method: 'flat', lapse: false } as const;
  return billed(em, life, figures(life, life.stack, terms));
}

/** The current cancellation, and its day's effects. */
interface PlannedEnd {
  cancellation: Cancellation;
  plan: ChangePlan;
}

/**
 * Plans the effects of the current cancellation's day: its announced figures, with billing as of today. Null if no
 * cancellation's day has come.
 */
export async function planCancellationDay(
  em: EntityManager,
  policy: Readonly<Policy>,
  today: BusinessDate,
): Promise<PlannedEnd | null> {
  const life = await readLife(em, policy, today);
  const cancellation = standingCancellation(life.stack);
  if (cancellation === null || !takesEffectAtOnce(cancellation, life.term, today)) return null;
  return { cancellation, plan: await planAnnounced(em, life, cancellation) };
}

/** Plans the effects of a scheduled cancellation's day, given the current invoices. */
export async function planAnnouncedDay(
  em: EntityManager,
  policy: Readonly<Policy>,
  { cancellation, today }: { cancellation: Cancellation; today: BusinessDate },
): Promise<ChangePlan> {
  return planAnnounced(em, await readLife(em, policy, today), cancellation);
}

function planAnnounced(em: EntityManager, life: PolicyLife, cancellation: Cancellation): Promise<ChangePlan> {
  return billed(em, life, figures(life, life.stack, termsOf(cancellation), cancellation));
}

/** Recomputes a scheduled cancellation on top of an endorsement, with the money after it. */
export async function rescheduledPlan(
  em: EntityManager,
  life: PolicyLife,
  { stack, billing }: { stack: readonly StackedTransaction[]; billing: ChangeBilling },
  scheduled: Cancellation,
): Promise<ChangePlan> {
  const { policy } = life;
  const givenOn = standingNotice(policy) ?? firstIssue(stack, scheduled).issuedOn;
  const isForDebt = scheduled.changes.reason === 'non_payment';
  const pastDueCents = isForDebt ? await pastDueOf(em, policy.id, givenOn, billing) : undefined;
  return { ...figures(life, stack, { ...termsOf(scheduled), pastDueCents }), isScheduled: true };
}

async function billed(em: EntityManager, life: PolicyLife, plan: ChangePlan): Promise<ChangePlan> {
  const { effectiveDate } = plan;
  const change = changeAmounts(life, plan);
  return { ...plan, billing: await planBilling(em, life, { change, effectiveDate, description: 'Return premium' }) };
}

/** `announced` holds the amounts of an issued cancellation; a new one computes them. */
function figures(
  life: PolicyLife,
  stack: readonly StackedTransaction[],
  terms: PlannedTerms,
  announced?: Cancellation,
): ChangePlan {
  const { effectiveDate, reason, source, method, lapse, pastDueCents } = terms;
  const { term, today, money, basis } = life;
  const isFlat = method === 'flat';
  const premiumChangeCents = announced?.premiumChangeCents ?? 0 - premiumReturn(stack, terms, { term, today });
  const feeChangeCents = isFlat ? 0 - feeCentsOf(money) : 0;
  const grossPremiumAfterCents = money.grossPremiumCents + premiumChangeCents;
  const keptFeeCents = feeCentsOf(money) + feeChangeCents;
  const charged = { charged: money.taxes, writtenPremiumCents: grossPremiumAfterCents, keptFeeCents, flat: isFlat };
  const { taxes, taxChangeCents } = taxChange(basis, charged);
  return {
    type: 'cancellation',
    ...{ effectiveDate, reason, premiumChangeCents, feeChangeCents, taxChangeCents, grossPremiumAfterCents },
    totalChangeCents: sumCents([premiumChangeCents, feeChangeCents, taxChangeCents]),
    changes: { reason, source, method, ...(lapse && { lapse }), ...(pastDueCents !== undefined && { pastDueCents }) },
    before: { ...money },
    after: { ...moneyAfter(life, { premiumChangeCents, feeChangeCents, taxes }) },
    reapplied: [],
    billing: noBilling(),
    isScheduled: false,
    daFlags: [],
    stack: life.stack,
    rescheduled: [],
  };
}

/** Returns what a cancellation moves, tax by tax. */
export function changeAmounts(
  life: PolicyLife,
  moved: Pick<Cancellation, 'premiumChangeCents' | 'feeChangeCents' | 'before' | 'after'>,
): ChangeAmounts {
  const { premiumChangeCents, feeChangeCents, before, after } = moved;
  const taxes = after.taxes.map(({ code, amountCents }) => {
    const earlier = before.taxes.find((tax) => tax.code === code)?.amountCents ?? 0;
    return { code, amountCents: amountCents - earlier };
  });
  return {
    premiumCents: premiumChangeCents,
    fees: feeChanges(life, feeChangeCents),
    taxes: taxes.filter(({ amountCents }) => amountCents !== 0),
  };
}

function termsOf({ effectiveDate, changes }: Cancellation): PlannedTerms {
  const { reason, source, method, lapse, pastDueCents } = changes;
  return { effectiveDate, reason, source, method, lapse: lapse === true, pastDueCents };
}
