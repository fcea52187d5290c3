/**
 * Writes the rows of a policy change: invoices, authority usage, the transaction, the policy as its transactions leave
 * it, audit and events. Decides nothing: the plan was made under the same locks. Contract 3.2, 3.6.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { type IssuedTransaction, PolicyTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { TransactionBilling } from '../../db/entities/policy/transaction-billing.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import type { LockedUsage } from '../../db/queries/authority/authority.ts';
import { commissionBasis } from '../../db/queries/billing/commission-basis.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { auditedChanges } from '../../domain/audit.ts';
import type { CommissionTerms } from '../../domain/billing/commission.ts';
import { NEVER_BEHIND } from '../../domain/billing/delinquency-clock.ts';
import { motorCoverageEndsOn } from '../../domain/insight/fmcsa-notice.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import { projectPolicy } from '../../domain/policy/segments.ts';
import {
  nextSequence,
  type StackedTransaction,
  standingCancellation,
  waitingCancellation,
} from '../../domain/policy/stack.ts';
import type { BusinessDay } from '../../plans/platform/business-day.ts';
import { type ChangePlan, noBilling } from '../../plans/policy/change-plan.ts';
import { auditOf } from '../audit.ts';
import { moveUsage } from '../authority/policy-authority.ts';
import { recheckCoverage } from '../claim/rechecked-coverage.ts';
import type { Deps } from '../context.ts';
import { addChangeFilings } from '../insight/change-filings.ts';
import { keepFmcsaNotice } from '../insight/fmcsa-notices.ts';
import { keepNonRenewalNotice } from '../insight/nonrenewal-notices.ts';
import { changeInvoices, persistBilling } from './policy-billing.ts';
import { publishChange } from './policy-events.ts';

/** A change with everything needed to carry it out; the policy and the authority usage are locked. */
export interface PolicyChange {
  origin: { actor: ActorRef; requestId: string | null };
  policy: Policy;
  usage: LockedUsage | null;
  day: BusinessDay;
  plan: ChangePlan;
  /** The audit action: `policy:endorse`. */
  action: string;
  /** The earlier transaction whose day has come; by default a new one is issued. */
  issued?: string;
  /** Who requested the resulting refunds; by default the origin's actor. */
  requestedBy?: readonly ActorRef[];
}

/** The transaction, the refunds whose sagas must start, and the next term if it ended too. */
export interface PersistedChange {
  transactionId: string;
  refundIds: string[];
  endedTermId?: string | null;
}

/** Persists a change. Existing rows are flushed, so that the policy's version is known. */
export async function persistChange(em: EntityManager, deps: Deps, change: PolicyChange): Promise<PersistedChange> {
  const { policy, plan, day, usage } = change;
  const { stack } = plan;
  const origin = { ...change.origin, entityId: policy.id };
  const at = new Date(deps.now());
  const transactionId = change.issued ?? newId('policyTransaction');
  const carriedOut = plan.isScheduled ? { ...plan, billing: noBilling() } : plan;
  const { requestedBy = [origin.actor] } = change;
  const returnsUnapplied = endsFromInception(plan);
  const billing = { origin, requestedBy, policy, transactionId, plan: carriedOut, returnsUnapplied, day, at };
  const changed = await changeInvoices(em, billing);
  const crossing = plan.isScheduled ? null : await moveUsage(em, usage, plan.premiumChangeCents);

  const issued = change.issued === undefined ? issuedRows(plan, { transactionId, stack, day }) : [];
  const before = auditedFacts(policy);
  const endedOn = motorCoverageEndsOn(policy);
  project(policy, [...stack, ...issued.map(({ row }) => row)], day);
  if (plan.type === 'non_renewal') policy.nonRenewal = plan.changes;
  if (plan.type === 'non_renewal_withdrawal') policy.nonRenewal = null;
  if (plan.type === 'payment_plan') policy.installmentPlan = plan.changes.installmentPlan;
  // What is shown of a policy also depends on its stack: each change counts a version, whether or not a column changes.
  policy.updatedAt = at;
  await em.flush();

  const commission = await commissionOf(em, change, stack);
  const billed = await persistBilling(em, deps, billing, { billed: changed, commission });
  for (const { row, plan } of issued) {
    addRow(em, PolicyTransaction, transactionRow(row, { change, plan, commission, at }));
  }
  if (!plan.isScheduled) {
    addRow(em, TransactionBilling, { transactionId, ...billed.effect });
    const { effectiveDate, premiumChangeCents } = plan;
    const filed = { transactionId, effectiveDate, premiumChangeCents, issuedOn: day.today };
    await addChangeFilings(em, policy, { ...filed, environment: deps.environment });
  }
  const takesBackNotice = plan.type === 'non_renewal_withdrawal';
  const step = { environment: deps.environment, today: day.today, actorId: origin.actor.id, transactionId };
  await keepNonRenewalNotice(em, policy, { ...step, takesBackNotice });
  await keepFmcsaNotice(em, policy, step, endedOn);
  const changes = { ...auditedChanges(before, auditedFacts(policy)), transactionId };
  writeAudit(em, auditOf(origin, change.action, 'policy', changes));
  publishChange(em, change, { transactionId, rows: issued.map(({ row }) => row), at });
  if (crossing !== null) writeEvent(em, 'da.limit_approaching', crossing, at);
  const { actor, requestId } = origin;
  await recheckCoverage(em, policy, { actor, requestId, on: day.today });
  return { transactionId, refundIds: billed.refundIds };
}

/** A policy that was never in force keeps none of the insured's money: unapplied money is returned too. */
function endsFromInception(plan: ChangePlan): boolean {
  return plan.type === 'cancellation' && plan.changes.method === 'flat' && !plan.isScheduled;
}

/** The rows that a plan issues: its own, and the scheduled cancellations with their new figures. */
function issuedRows(
  plan: ChangePlan,
  { transactionId, stack, day }: { transactionId: string; stack: readonly StackedTransaction[]; day: BusinessDay },
) {
  const rowOf = (plan: ChangePlan, id: string, sequence: number): { row: StackedTransaction; plan: ChangePlan } => {
    const { billing: _b, isScheduled: _i, rescheduled: _r, stack: _s, figures: _f, ...issued } = plan;
    return { plan, row: { ...issued, id, sequence, issuedOn: day.today } };
  };
  const again = plan.rescheduled.map((each, index) => {
    return rowOf(each, newId('policyTransaction'), nextSequence(stack) + 1 + index);
  });
  return [rowOf(plan, transactionId, nextSequence(stack)), ...again];
}

/** Makes the policy row agree with its transactions. */
function project(policy: Policy, stack: readonly StackedTransaction[], { today }: BusinessDay): void {
  const { effectiveDate, expirationDate, lineOfBusiness, surplusLinesRates, renewalPolicyId } = policy;
  const { terms, ...projected } = projectPolicy(stack, {
    term: { effectiveDate, expirationDate },
    basis: { lineOfBusiness, rates: surplusLinesRates },
    renewalPolicyId,
    today,
  });
  Object.assign(policy, projected, terms);
  if (standingCancellation(stack)?.changes.reason === 'non_payment' && policy.status === 'pending_cancellation') {
    // Whether announced by hand or by the calendar, it is a notice: paying what is past due rescinds it.
    const known = policy.delinquency ?? NEVER_BEHIND;
    const endsAnywayOn = waitingCancellation(stack)?.effectiveDate ?? null;
    policy.delinquency = { ...known, noticeOn: known.noticeOn ?? today, endsAnywayOn };
    return;
  }
  if (!policy.delinquency?.noticeOn) return;
  // The notice is withdrawn; if coverage continues with no end date pending, the insured gets a new grace period.
  const graceFrom = policy.status === 'pending_cancellation' ? policy.delinquency.graceFrom : today;
  policy.delinquency = { ...policy.delinquency, noticeOn: null, graceFrom, endsAnywayOn: null };
}

/**
 * An endorsement's or audit's premium is shared at current rates; ending or restoring coverage, or voiding an
 * endorsement, moves premium at the original rates.
 */
async function commissionOf(
  em: EntityManager,
  { policy, plan, day }: PolicyChange,
  stack: readonly IssuedTransaction[],
): Promise<CommissionTerms | null> {
  const [first] = stack;
  const voided = stack.find(({ id }) => id === plan.reverses);
  if (voided !== undefined && voided.commission !== null) return voided.commission;
  const isNewPremium = plan.type === 'endorsement' || plan.type === 'audit';
  if (!isNewPremium && first && first.commission !== null) return first.commission;
  const { lineOfBusiness, producerId } = policy;
  return commissionBasis(em, { lineOfBusiness, producerId, on: day.today });
}

interface RowFacts {
  change: PolicyChange;
  plan: ChangePlan;
  commission: CommissionTerms | null;
  at: Date;
}

function transactionRow(row: StackedTransaction, { change, plan, commission, at }: RowFacts) {
  const { id: policyId, producerId } = change.policy;
  const { reason, totalChangeCents, grossPremiumAfterCents, before, daFlags } = plan;
  return {
    ...{ ...row, reapplied: [...row.reapplied], policyId, producerId, issuedAt: at },
    ...{ reason, totalChangeCents, grossPremiumAfterCents, before, daFlags, commission },
    actor: change.origin.actor,
  };
}

function auditedFacts(policy: Policy): object {
  const { status, grossPremiumCents, totalDueCents, cancellation, nonRenewal, limitCents, deductibleCents } = policy;
  const { annualRevenueCents, insuredName, insuredAddress, installmentPlan } = policy;
  const money = { status, grossPremiumCents, totalDueCents, cancellation, nonRenewal, installmentPlan };
  return { ...money, limitCents, deductibleCents, annualRevenueCents, insuredName, insuredAddress };
}
