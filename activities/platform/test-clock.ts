/**
 * The organization's test clock: whether it may move, where it stops next, and which workflows to wake there. Contract
 * 3.9.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure, heartbeat } from '@temporalio/activity';
import type { AdvanceTestClock, TestClockLeg } from '../../contracts/clock.ts';
import type { Organization } from '../../db/entities/platform/organization.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { dueRows, earliestDueRow } from '../../db/queries/platform/due-rows.ts';
import { lockOrganization } from '../../db/queries/platform/organizations.ts';
import { nextClockStep } from '../../domain/billing/delinquency-clock.ts';
import { businessDateAt } from '../../domain/business-day.ts';
import { addDays, type BusinessDate, daysBetween, maxDate, minDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { delinquentClocks } from '../../plans/billing/delinquency-facts.ts';
import { earliestRenewalDue } from '../../plans/renewal/renewal-due.ts';
import { auditOf } from '../audit.ts';
import { earliestAutopayDue, makeDueCharges } from '../billing/autopay/due-charges.ts';
import { commandActivity, type Deps, type EntityName, transaction } from '../context.ts';
import { awaitStatusLetters } from '../document/awaited-letters.ts';
import { announceDeadlines } from '../insight/deadlines.ts';
import { earliestMonthToOpen, openMonthlyBordereaux } from '../insight/monthly-bordereaux.ts';
import { makeDueRenewals } from '../renewal/renewal-days.ts';

const AT_ONCE = 8;

/** After this many dates the workflow records the clock's progress. */
const DATES_PER_LEG = 30;

/** A date on which ever more falls due is a bug in a rule, not a busy day. */
const MAX_ROUNDS_PER_DATE = 5;

/** Accepts a clock move; a repeated command finds it accepted and continues from the current date. */
export const acceptClockAdvance = (deps: Deps) =>
  commandActivity<AdvanceTestClock, Organization, AdvanceTestClock>(deps, 'advanceTestClock', {
    lock: lockOrganization,
    work: async (em, command, organization) => {
      const { advanceTo } = command.payload;
      const today = businessDateOf(organization, deps.now());
      if (advanceTo <= today) {
        throw new DomainError('invalid_state_transition', `The clock is at ${today} and can only move forward.`, {
          resource: 'test_clock',
          from: today,
          action: 'advance',
          allowed: [],
        });
      }
      const changes = { date: { before: today, after: advanceTo } };
      writeAudit(em, auditOf(command, 'test_clock:advance', 'organization', changes));
      return { advanceTo };
    },
  });

/** The organization whose clock moves, and the target day. */
interface Walk extends AdvanceTestClock {
  orgId: string;
}

/**
 * Walks the clock toward a day, stopping at each date on which something falls due, in order, to wake the entities
 * concerned. Progress is stored date by date, so a lost attempt resumes where it was.
 * @throws ApplicationFailure `internal_error` when one date never ends
 */
export const walkTestClock =
  (deps: Deps) =>
  async (walk: Walk): Promise<TestClockLeg> => {
    let undone = 0;
    let rounds = 0;
    let standing = '';
    for (let dates = 0; dates < DATES_PER_LEG; dates += 1) {
      // A step that keeps failing is listed for the operator and holds up nothing else.
      const isPassing = undone > 0 && rounds === MAX_ROUNDS_PER_DATE;
      const { date, clockOffsetDays, isDue } = await step(deps, { ...walk, isPassing });
      if (!isDue) return { date, isThere: true };
      heartbeat(date);
      rounds = date === standing ? rounds + 1 : 1;
      if (rounds > MAX_ROUNDS_PER_DATE) {
        throw ApplicationFailure.nonRetryable(`What falls due on ${date} never ends`, 'internal_error');
      }
      standing = date;
      undone = await wakeDueEntities(deps, { orgId: walk.orgId, date, clockOffsetDays });
    }
    return { date: standing, isThere: false };
  };

/** The clock's date after a step, and whether something falls due then. */
interface Step {
  date: BusinessDate;
  clockOffsetDays: number;
  isDue: boolean;
}

/** Moves the clock to the next day on which something is due, but not past the target date. */
function step(deps: Deps, { orgId, advanceTo, isPassing }: Walk & { isPassing: boolean }) {
  return transaction(deps, { kind: 'stepTestClock', orgId }, async (em): Promise<Step> => {
    const organization = await lockOrganization(em, orgId);
    const today = businessDateOf(organization, deps.now());
    const due = await earliestDue(em, today, {
      ...(isPassing ? { from: addDays(today, 1) } : {}),
      until: advanceTo,
    });
    // Overdue work is done today.
    const date = maxDate(today, due === null ? advanceTo : minDate(due, advanceTo));
    if (organization !== null) organization.clockOffsetDays += daysBetween(today, date);
    await em.flush();
    return { date, clockOffsetDays: organization?.clockOffsetDays ?? 0, isDue: due !== null };
  });
}

/** The clock offset to hand to workflows, and the date by which something is due. */
interface Waking {
  orgId: string;
  date: BusinessDate;
  clockOffsetDays: number;
}

/**
 * Wakes the workflows of everything due by a date, and waits until each has finished.
 * @returns how many entities still have a due step: it failed, or an operator has skipped it
 */
async function wakeDueEntities(deps: Deps, { orgId, date, clockOffsetDays }: Waking): Promise<number> {
  // Charges come first: a bill paid by card on its due date must not become past due.
  let undone = await makeDueCharges(deps, { orgId });
  const due = await transaction(deps, { kind: 'wakeDueEntities', orgId }, (em) => dueEntities(em, orgId, date));
  undone += await wake(deps, due, clockOffsetDays);
  await awaitStatusLetters(deps, { orgId, date });
  await makeDueRenewals(deps, { orgId, date });
  const bordereaux = await openMonthlyBordereaux(deps)({ orgId });
  for (const bordereauId of bordereaux) await deps.engine.makeBordereau({ orgId, bordereauId });
  await announceDeadlines(deps)({ orgId });
  return undone;
}

/** Returns how many have not done everything due. */
async function wake(deps: Deps, entities: readonly EntityName[], clockOffsetDays: number): Promise<number> {
  let undone = 0;
  for (let i = 0; i < entities.length; i += AT_ONCE) {
    const some = entities.slice(i, i + AT_ONCE);
    const woken = await Promise.all(some.map((entity) => deps.engine.advanceClock(entity, clockOffsetDays)));
    undone += woken.filter(({ isDone }) => !isDone).length;
    heartbeat();
  }
  return undone;
}

function businessDateOf(organization: Organization | null, nowMs: number): BusinessDate {
  if (organization === null) throw new DomainError('not_found', 'There is no such organization.');
  return businessDateAt(nowMs, organization.clockOffsetDays);
}

/** The days from `from`, if given, to `until`. */
interface Days {
  from?: BusinessDate;
  until: BusinessDate;
}

/** The earliest of the days on which something falls due, or null. */
async function earliestDue(em: EntityManager, today: BusinessDate, days: Days): Promise<BusinessDate | null> {
  const { from = '', until } = days;
  const clocks = await delinquentClocks(em, until);
  const dates = [
    await earliestDueRow(em, days),
    ...clocks.map((clock) => nextClockStep(clock, today)?.on),
    await earliestRenewalDue(em, until),
    await earliestAutopayDue(em, days, today),
    await earliestMonthToOpen(em, until),
  ];
  return dates.reduce<BusinessDate | null>(
    (least, date) => (date && date >= from && date <= until && (!least || date < least) ? date : least),
    null,
  );
}

/** The entities a date wakes, each once: those waiting for the date, then policies with past-due bills. */
async function dueEntities(em: EntityManager, orgId: string, date: BusinessDate): Promise<EntityName[]> {
  const rows = await dueRows(em, date);
  const known = new Set(rows.map(({ id }) => id));
  const clocks = await delinquentClocks(em, date);
  const delinquent = clocks.filter((clock) => !known.has(clock.id) && isDueBy(date, nextClockStep(clock, date)?.on));
  return [...rows, ...delinquent.map(({ id }) => ({ kind: 'policy' as const, id }))].map((row) => ({ ...row, orgId }));
}

const isDueBy = (date: BusinessDate, on: BusinessDate | undefined) => on !== undefined && on <= date;
