/**
 * What unpaid premium does to a policy: past due, notice of cancellation, lapse, withdrawal of the notice once
 * everything past due is paid, and the end of a renewal offer. Each step is recomputed from the rows, under the lock
 * that payments also take. Contract 3.2 "Delinquency".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../contracts/billing.ts';
import type { DueCommand } from '../../contracts/machinery/command.ts';
import type { Notice } from '../../contracts/notice.ts';
import type { DelinquencyOutcome } from '../../contracts/policy.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { writeNewRows } from '../../db/new-rows.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { saveCommand } from '../../db/queries/platform/commands.ts';
import { lockPolicyAfterPrior } from '../../db/queries/policy/policies.ts';
import { type DelinquencyRecord, NEVER_BEHIND } from '../../domain/billing/delinquency-clock.ts';
import { addDays } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { type NamedStep, nextStepOf } from '../../plans/billing/delinquency-facts.ts';
import { unfinishedPayments } from '../../plans/billing/unfinished-payments.ts';
import { type BusinessDay, businessDay } from '../../plans/platform/business-day.ts';
import { planLapse } from '../../plans/policy/cancellation-plan.ts';
import type { ChangePlan } from '../../plans/policy/change-plan.ts';
import { policyOutcome } from '../../plans/policy/policy-outcome.ts';
import { planRescission } from '../../plans/policy/reinstatement-plan.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';
import { lockPolicyUsage } from '../money-locks.ts';
import { noticeDue } from '../notice/due-notices.ts';
import { endedEarlier, endIfDue } from '../policy/cancellation-day.ts';
import { type PersistedChange, persistChange } from '../policy/policy-rows.ts';
import { endOffer } from '../renewal/renewal-offers.ts';
import { applyHeldMoney } from './payments/held-money.ts';

const BY_CALENDAR = { actor: SYSTEM, requestId: null };
const NOTHING_ISSUED: PersistedChange = { transactionId: '', refundIds: [] };

/** Takes the step that the rows call for, if one is due. A second run returns what the first left undone. */
export const takeDelinquencyStep =
  (deps: Deps) =>
  ({ orgId, entityId }: DueCommand): Promise<DelinquencyOutcome> =>
    transaction(deps, { kind: 'takeDelinquencyStep', orgId }, async (em) => {
      // When a renewal offer ends, the term before it is free again.
      const policy = await lockPolicyAfterPrior(em, entityId);
      if (policy === null) throw new DomainError('not_found', 'There is no such policy.');
      const day = await businessDay(em, orgId, deps.now());
      const taken = await takeStepIfDue(em, deps, policy, day);
      await writeNewRows(em);
      const { transactionId, refundIds, endedTermId = null } = taken ?? (await lastTaken(em, policy));
      const notice = taken ? await noticeDue(em, policy.id, taken.notice) : noticeOf(policy, day);
      const applied = await unfinishedPayments(em, policy.id);
      const outcome = { ...(await policyOutcome(em, policy, day)), transactionId, refundIds, endedTermId, notice };
      return applied.length === 0 ? outcome : { ...outcome, applied };
    });

/** What a step has written, and the notice that the insured receives; null if their own money has paid. */
interface TakenStep extends PersistedChange {
  notice: Notice | null;
  applied: PaymentOutcome[];
}

/** The steps that demand payment, or end coverage for non-payment. */
const ASKING: readonly NamedStep['step'][] = ['past_due', 'notice', 'lapse', 'not_taken'];

/**
 * Takes a locked policy's due step, if there is one, once the insured's own money has paid what it can. The caller
 * writes the new rows, because the next step must be able to read them.
 */
async function takeStepIfDue(
  em: EntityManager,
  deps: Deps,
  policy: Policy,
  day: BusinessDay,
): Promise<TakenStep | null> {
  const { today } = day;
  let due = await nextStepOf(em, policy, today);
  if (due === null || due.on > today) return null;
  const applied = ASKING.includes(due.step) ? await applyHeld(em, deps, policy, day) : [];
  if (applied.length > 0) due = await nextStepOf(em, policy, today);
  if (due === null || due.on > today) return { ...NOTHING_ISSUED, notice: null, applied };
  const notice = { kind: due.step, on: today };
  remember(policy, { last: { step: due.step, on: today } });
  return { ...(await take(em, deps, { policy, day, due })), notice, applied };
}

async function applyHeld(em: EntityManager, deps: Deps, policy: Policy, day: BusinessDay): Promise<PaymentOutcome[]> {
  await lockPolicyUsage(em, policy);
  const dueBy = addDays(day.today, -1);
  return applyHeldMoney(em, deps, policy, { origin: BY_CALENDAR, day, dueBy, takesBackChecks: true });
}

/** Takes and writes every due step of a locked policy; null when none is due. */
export async function takeStepsDue(
  em: EntityManager,
  deps: Deps,
  policy: Policy,
  day: BusinessDay,
): Promise<(Pick<PersistedChange, 'refundIds' | 'endedTermId'> & { applied: PaymentOutcome[] }) | null> {
  const refundIds: string[] = [];
  const applied: PaymentOutcome[] = [];
  let endedTermId: string | null = null;
  let taken = await takeStepIfDue(em, deps, policy, day);
  if (taken === null) return null;
  for (; taken !== null; taken = await takeStepIfDue(em, deps, policy, day)) {
    refundIds.push(...taken.refundIds);
    applied.push(...taken.applied);
    endedTermId ??= taken.endedTermId ?? null;
    await writeNewRows(em);
  }
  return { refundIds, endedTermId, applied };
}

interface Due {
  policy: Policy;
  day: BusinessDay;
  due: NamedStep;
}

async function take(em: EntityManager, deps: Deps, { policy, day, due }: Due): Promise<PersistedChange> {
  const { today } = day;
  switch (due.step) {
    case 'past_due':
      return markPastDue(em, policy, { on: today, invoiceIds: due.invoiceIds });
    case 'notice': {
      const usage = await lockPolicyUsage(em, policy);
      const plan = await planLapse(em, policy, due.lapsesOn, today);
      remember(policy, { noticeOn: today });
      return persistChange(em, deps, { ...issue(policy, day, plan), usage, action: 'policy:notice_of_cancellation' });
    }
    case 'move': {
      const usage = await lockPolicyUsage(em, policy);
      const plan = await planLapse(em, policy, due.lapsesOn, today);
      return persistChange(em, deps, { ...issue(policy, day, plan), usage, action: 'policy:move_lapse' });
    }
    case 'withdraw':
    case 'rescind': {
      const usage = await lockPolicyUsage(em, policy);
      const plan = await planRescission(em, policy, today);
      return persistChange(em, deps, { ...issue(policy, day, plan), usage, action: 'policy:rescind_notice' });
    }
    case 'lapse':
      return keep(em, await lapse(em, deps, policy, day));
    case 'not_taken':
      return keep(em, await endOffer(em, deps, policy, day));
  }
}

const issue = (policy: Policy, day: BusinessDay, plan: ChangePlan) => ({ origin: BY_CALENDAR, policy, day, plan });

async function markPastDue(
  em: EntityManager,
  policy: Policy,
  pastDue: { on: string; invoiceIds: string[] },
): Promise<PersistedChange> {
  remember(policy, { remindedUntil: pastDue.on });
  await em.flush();
  writeAudit(em, auditOf({ ...BY_CALENDAR, entityId: policy.id }, 'policy:past_due', 'policy', { ...pastDue }));
  return NOTHING_ISSUED;
}

async function lapse(em: EntityManager, deps: Deps, policy: Policy, day: BusinessDay): Promise<PersistedChange> {
  const ended = await endIfDue(em, deps, policy, day);
  if (ended === null) throw new TypeError('A due lapse must end coverage');
  return ended;
}

/** Stores the end of coverage under the cancellation's id, with the refunds whose sagas must start. */
function keep(em: EntityManager, ended: PersistedChange): PersistedChange {
  saveCommand(em, ended.transactionId, 'takeDelinquencyStep', ended);
  return ended;
}

function lastTaken(em: EntityManager, policy: Policy): Promise<PersistedChange> | PersistedChange {
  return policy.status === 'lapsed' || policy.status === 'cancelled' ? endedEarlier(em, policy) : NOTHING_ISSUED;
}

/** The notice for today's step. */
function noticeOf({ delinquency }: Policy, { today }: BusinessDay): Notice | null {
  const last = delinquency?.last ?? null;
  return last?.on === today ? { kind: last.step, on: last.on } : null;
}

function remember(policy: Policy, changes: Partial<DelinquencyRecord>): void {
  policy.delinquency = { ...NEVER_BEHIND, ...policy.delinquency, ...changes };
}
