// The events of a policy change, added to the transaction that writes it: what took effect, what was announced for a
// later day, and what will not happen any more. Contract 3.2, 3.6.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import type { PolicyTransactionData } from '../../domain/events.ts';
import { toDollars } from '../../domain/money.ts';
import { cancellationOf } from '../../domain/policy/segments.ts';
import { type Cancellation, standingCancellation } from '../../domain/policy/stack.ts';
import type { ChangePlan } from '../../plans/policy/change-plan.ts';

/** A change that is being written. `issued` is set when it is a cancellation whose day has come. */
interface Published {
  policy: Policy;
  plan: ChangePlan;
  issued?: string;
}

interface PublishedRows {
  transactionId: string;
  /** The cancellation that was issued again with new figures, or null. */
  rescheduledId: string | null;
  at: Date;
}

/** Publishes a change. The policy is as the change leaves it. */
export function publishChange(em: EntityManager, { policy, plan, issued }: Published, rows: PublishedRows): void {
  const { transactionId, rescheduledId, at } = rows;
  const data = transactionData(policy, plan, transactionId);
  const pending = issued === undefined ? standingCancellation(plan.stack) : null;
  const withdraw = (replacedBy: string | null) => {
    if (pending !== null) publishWithdrawal(em, policy, pending, { replacedBy, at });
  };
  switch (plan.type) {
    case 'endorsement': {
      const { reverses } = plan;
      writeEvent(em, 'policy.endorsed', { ...data, ...(reverses === undefined ? {} : { reverses }) }, at);
      if (plan.rescheduled === null || rescheduledId === null) return;
      withdraw(rescheduledId);
      publishCancellation(em, plan.rescheduled, transactionData(policy, plan.rescheduled, rescheduledId), at);
      return;
    }
    case 'cancellation':
      withdraw(transactionId);
      publishCancellation(em, plan, data, at);
      return;
    case 'audit': {
      const actualRevenue = toDollars(plan.changes.actualRevenueCents);
      writeEvent(em, 'policy.audited', { ...data, actualRevenue }, at);
      return;
    }
    case 'reinstatement':
      if (plan.changes.withdrawal === true) withdraw(null);
      else writeEvent(em, 'policy.reinstated', data, at);
  }
}

/** A lapse is a cancellation too: who subscribes only to cancellations hears of it. */
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
