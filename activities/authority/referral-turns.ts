/**
 * What the calendar does to undecided referrals. Each is read under its submission's or policy's lock, as in every
 * step on it, so a decision and the calendar take turns and a second run finds nothing to do. Decision 0117.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { heartbeat } from '@temporalio/activity';
import { type DueReferral, dueReferrals, findReferral, noteReminder } from '../../db/queries/authority/referrals.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { lockPolicy } from '../../db/queries/policy/policies.ts';
import { lockSubmission } from '../../db/queries/submission/submissions.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { nextReferralStatus, OPEN_REFERRAL_STATUSES } from '../../domain/authority/referral.ts';
import { turnReferral } from '../../domain/authority/referral-calendar.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';

const PAGE = 50;

/**
 * Sends reminders for, or expires, the referrals due in an organization today. A failure does not hold up the others.
 * @returns how many referrals were due
 * @throws the first failure, after all have had their turn
 */
export async function turnReferrals(deps: Deps, orgId: string): Promise<number> {
  const step = { kind: 'turnReferrals', orgId };
  const failures: unknown[] = [];
  let turned = 0;
  for (let after = '', page: DueReferral[] | null = null; page === null || page.length === PAGE; ) {
    page = await transaction(deps, step, async (em) => {
      const { today } = await businessDay(em, orgId, deps.now());
      return dueReferrals(em, { today, after, limit: PAGE });
    });
    for (const due of page) {
      await transaction(deps, step, (em) => turn(em, orgId, due, deps.now())).catch((error) => failures.push(error));
      heartbeat();
    }
    turned += page.length;
    after = page.at(-1)?.id ?? after;
  }
  if (failures.length > 0) throw failures[0];
  return turned;
}

async function turn(em: EntityManager, orgId: string, due: DueReferral, nowMs: number): Promise<void> {
  const { id: referralId, submissionId, policyId } = due;
  if (submissionId !== null) await lockSubmission(em, submissionId);
  if (policyId !== null) await lockPolicy(em, policyId);
  const { today } = await businessDay(em, orgId, nowMs);
  const referral = await findReferral(em, referralId);
  if (referral === null || !OPEN_REFERRAL_STATUSES.includes(referral.status)) return;
  const step = turnReferral(referral, today);
  if (step === null) return;
  const { expiresOn, status } = referral;
  const data = { referralId, submissionId, policyId, expiresOn, daysLeft: step.daysLeft };
  if (step.kind === 'reminded') {
    await noteReminder(em, referralId, step.nextStepOn);
    writeEvent(em, 'referral.reminder', data, new Date(nowMs));
  } else {
    referral.status = nextReferralStatus(status, 'expire');
    const origin = { actor: SYSTEM, requestId: null, entityId: referralId };
    writeAudit(em, auditOf(origin, 'referral:expire', 'referral', auditedChanges({ status }, { status: 'expired' })));
    writeEvent(em, 'referral.expired', data, new Date(nowMs));
  }
  await em.flush();
}
