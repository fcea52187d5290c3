// The events of a policy change, added to the transaction that writes it: what took effect, what was announced for a
// later day, and what will no longer happen. Contract 3.2, 3.6.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import type { PolicyTransactionData } from '../../domain/events.ts';
import { toDollars } from '../../domain/money.ts';
import { cancellationOf } from '../../domain/policy/segments.ts';
import {
  type Cancellation,
  type StackedTransaction,
  standingCancellation,
  waitingCancellation,
} from '../../domain/policy/stack.ts';
import type { ChangePlan } from '../../plans/policy/change-plan.ts';

/** A change that is being written. `issued` is set when it is a cancellation whose day has come. */
interface Published {
  policy: Policy;
  plan: ChangePlan;
  issued?: string;
}

interface PublishedRows {
  transactionId: string;
  /** The rows that the change issues: its own, then the cancellations reissued with new figures. */
  rows: readonly StackedTransaction[];
  at: Date;
}

/** Publishes a change. The policy is in its state after the change. */
export function publishChange(em: EntityManager, { policy, plan, issued }: Published, rows: PublishedRows): void {
  const { transactionId, at } = rows;
  const data = transactionData(policy, plan, transactionId);
  const withdraw = (replacedBy: (place: number) => string | null) => {
    for (const [place, pending] of withdrawnBy(plan, rows.rows, issued).entries()) {
      publishWithdrawal(em, policy, pending, { replacedBy: replacedBy(place), at });
    }
  };
  switch (plan.type) {
    case 'endorsement': {
      const { reverses } = plan;
      writeEvent(em, 'policy.endorsed', { ...data, ...(reverses === undefined ? {} : { reverses }) }, at);
      const again = plan.rescheduled.map((each, place) => ({ each, id: rows.rows[place + 1]?.id ?? '' }));
      withdraw((place) => again[place]?.id ?? null);
      for (const { each, id } of again) publishCancellation(em, each, transactionData(policy, each, id), at);
      return;
    }
    case 'cancellation':
      withdraw(() => transactionId);
      publishCancellation(em, plan, data, at);
      return;
    case 'audit': {
      const actualRevenue = toDollars(plan.changes.actualRevenueCents);
      writeEvent(em, 'policy.audited', { ...data, actualRevenue }, at);
      return;
    }
    case 'reinstatement':
      if (plan.changes.withdrawal === true) withdraw(() => null);
      else writeEvent(em, 'policy.reinstated', data, at);
      // All days with restored coverage have passed.
      if (policy.status === 'expired') writeEvent(em, 'policy.expired', termData(policy), at);
      return;
    case 'payment_plan':
      writeEvent(em, 'policy.payment_plan_changed', { ...data, ...plan.changes }, at);
      return;
    case 'non_renewal':
      writeEvent(em, 'policy.non_renewed', { ...termData(policy), ...plan.changes }, at);
  }
}

/**
 * Lists the scheduled cancellations that a change withdraws, one waiting behind a notice first. A notice that takes
 * precedence over a cancellation withdraws nothing.
 */
function withdrawnBy(plan: ChangePlan, rows: readonly StackedTransaction[], issued?: string): Cancellation[] {
  const ends = plan.type === 'cancellation' && !plan.isScheduled;
  const kept = new Set(ends ? [] : scheduledIn([...plan.stack, ...rows]).map(({ id }) => id));
  return scheduledIn(plan.stack).filter(({ id }) => id !== issued && !kept.has(id));
}

function scheduledIn(stack: readonly StackedTransaction[]): Cancellation[] {
  return [waitingCancellation(stack), standingCancellation(stack)].filter((each) => each !== null);
}

/** A lapse is a cancellation too: those who subscribe only to cancellations must get it. */
function publishCancellation(em: EntityManager, plan: ChangePlan, data: PolicyTransactionData, at: Date): void {
  if (plan.type !== 'cancellation') return;
  const ending = { ...data, cancellation: cancellationOf(plan) };
  if (plan.isScheduled) {
    writeEvent(em, 'policy.cancellation_scheduled', ending, at);
    return;
  }
  writeEvent(em, 'policy.cancelled', ending, at);
  if (plan.changes.lapse === true) writeEvent(em, 'policy.lapsed', ending, at);
}

function publishWithdrawal(
  em: EntityManager,
  { id: policyId, policyNumber, grossPremiumCents }: Policy,
  pending: Cancellation,
  { replacedBy, at }: { replacedBy: string | null; at: Date },
): void {
  const cancellation = cancellationOf(pending);
  const { effectiveDate } = cancellation;
  const facts = { policyId, policyNumber, grossPremium: toDollars(grossPremiumCents), effectiveDate };
  const data = { ...facts, transactionId: pending.id, cancellation, replacedBy };
  writeEvent(em, 'policy.cancellation_withdrawn', data, at);
}

/** `data` of an event that concerns the term as a whole. */
export function termData({ id: policyId, policyNumber, grossPremiumCents, effectiveDate, expirationDate }: Policy) {
  return { policyId, policyNumber, grossPremium: toDollars(grossPremiumCents), effectiveDate, expirationDate };
}

function transactionData(policy: Policy, plan: ChangePlan, transactionId: string): PolicyTransactionData {
  return {
    policyId: policy.id,
    policyNumber: policy.policyNumber,
    grossPremium: toDollars(policy.grossPremiumCents),
    effectiveDate: plan.effectiveDate,
    premiumChange: toDollars(plan.premiumChangeCents),
    transactionId,
  };
}
