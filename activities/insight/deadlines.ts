/**
 * What the calendar does to filings: announces their due dates, and notes once when they pass. Each filing is read
 * under its lock, so a second run finds nothing to do. Undecided referrals are handled along with them. Contract 3.7
 * "Compliance filings".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Filing } from '../../db/entities/insight/filing.ts';
import { isPremiumDue } from '../../db/queries/insight/bordereaux.ts';
import { dueFilings, organizationsWithDueSteps } from '../../db/queries/insight/filings.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { type BusinessDate, monthOf } from '../../domain/dates.ts';
import { TRUST_REMITTANCE } from '../../domain/insight/bordereau.ts';
import { nextDeadlineStep, turnDeadline } from '../../domain/insight/deadlines.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { turnReferrals } from '../authority/referral-turns.ts';
import { type Deps, transaction } from '../context.ts';

/** Filings per transaction. */
const PAGE = 100;

/**
 * Announces what is due in an organization today.
 * @returns how many filings and referrals were due
 */
export const announceDeadlines =
  (deps: Deps) =>
  async ({ orgId }: { orgId: string }): Promise<number> => {
    let turned = 0;
    for (let page = PAGE; page === PAGE; turned += page) {
      page = await transaction(deps, { kind: 'announceDeadlines', orgId }, (em) => turnPage(em, orgId, deps.now()));
    }
    return turned + (await turnReferrals(deps, orgId));
  };

/** Reads the next organizations with something to announce, by id; an empty page is the end. */
export const organizationsWithDeadlines =
  (deps: Deps) =>
  ({ after, limit }: { after: string; limit: number }): Promise<string[]> =>
    deps.database.acrossOrgs('compliance deadlines', (em) =>
      organizationsWithDueSteps(em, { after, limit, now: new Date(deps.now()) }),
    );

async function turnPage(em: EntityManager, orgId: string, nowMs: number): Promise<number> {
  const { today } = await businessDay(em, orgId, nowMs);
  const filings = await dueFilings(em, today, PAGE);
  for (const filing of filings) {
    if (await isMoot(em, filing, today)) Object.assign(filing, { status: 'withdrawn', nextStepOn: null });
    else turn(em, filing, today, new Date(nowMs));
  }
  await em.flush();
  return filings.length;
}

/** If all of a month's premium was returned, there is nothing left to remit. */
async function isMoot(em: EntityManager, { kind, carrier, period }: Filing, today: BusinessDate): Promise<boolean> {
  if (kind !== TRUST_REMITTANCE || carrier === null || period === null || period >= monthOf(today)) return false;
  return !(await isPremiumDue(em, { carrier, period }, today));
}

function turn(em: EntityManager, filing: Filing, today: BusinessDate, at: Date): void {
  const { id: filingId, kind, state, dueDate, carrier, period } = filing;
  const step = turnDeadline(filing, today);
  if (step !== null) {
    const ofCarrier = carrier === null || period === null ? {} : { carrier, period };
    const data = { filingId, kind, state, ...ofCarrier, dueDate, daysLeft: step.daysLeft };
    if (step.kind === 'announced') {
      filing.announcedDays = step.announcedDays;
      writeEvent(em, 'compliance.deadline_approaching', data, at);
    } else {
      filing.missedOn = today;
      writeEvent(em, 'compliance.deadline_missed', data, at);
    }
  }
  filing.nextStepOn = nextDeadlineStep(filing);
}
