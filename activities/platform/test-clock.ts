/**
 * The organization's test clock: whether it may move, which day it stops at next, and which workflows to wake there.
 * Contract 3.9.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { heartbeat } from '@temporalio/activity';
import type { AdvanceTestClock, NextTestClockStep, TestClockStep, WakeCommand, Woken } from '../../contracts/clock.ts';
import { Claim } from '../../db/entities/claim/claim.ts';
import { Appointment } from '../../db/entities/distribution/appointment.ts';
import type { Organization } from '../../db/entities/platform/organization.ts';
import { Policy } from '../../db/entities/policy/policy.ts';
import { SigningEnvelope } from '../../db/entities/signing/signing-envelope.ts';
import { Submission } from '../../db/entities/submission/submission.ts';
import { earliestReferralStep } from '../../db/queries/authority/referrals.ts';
import { earliestFilingStep } from '../../db/queries/insight/filings.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { lockOrganization } from '../../db/queries/platform/organizations.ts';
import { nextClockStep } from '../../domain/billing/delinquency-clock.ts';
import { businessDateAt } from '../../domain/business-day.ts';
import { addDays, type BusinessDate, daysBetween, maxDate, minDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import { isOpen, SUBMISSION_STATUSES } from '../../domain/submission/submission.ts';
import { delinquentClocks } from '../../plans/billing/delinquency-facts.ts';
import { auditOf } from '../audit.ts';
import { earliestAutopayDue, makeDueCharges } from '../billing/autopay/due-charges.ts';
import { commandActivity, type Deps, type EntityName, transaction } from '../context.ts';
import { awaitStatusLetters } from '../document/awaited-letters.ts';
import { announceDeadlines } from '../insight/deadlines.ts';
import { earliestMonthToOpen, openMonthlyBordereaux } from '../insight/monthly-bordereaux.ts';
import { earliestRenewalDue, makeDueRenewals } from '../renewal/renewal-days.ts';

const OPEN_STATUSES = SUBMISSION_STATUSES.filter(isOpen);
const PAGE = 50;
const AT_ONCE = 8;

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

/** Moves the clock to the next day on which something is due, at most to the target date. */
export const stepTestClock =
  (deps: Deps) =>
  ({ orgId, advanceTo, isPassing }: NextTestClockStep): Promise<TestClockStep> =>
    transaction(deps, { kind: 'stepTestClock', orgId }, async (em) => {
      const organization = await lockOrganization(em, orgId);
      const today = businessDateOf(organization, deps.now());
      const due = await earliestDue(em, today, {
        ...(isPassing ? { from: addDays(today, 1) } : {}),
        until: advanceTo,
      });
      // What fell due before today is done today.
      const date = maxDate(today, due === null ? advanceTo : minDate(due, advanceTo));
      if (organization !== null) organization.clockOffsetDays += daysBetween(today, date);
      await em.flush();
      return { date, clockOffsetDays: organization?.clockOffsetDays ?? 0, isDue: due !== null };
    });

/** Wakes the workflow of everything due by a date, and waits until each has finished. */
export const wakeDueEntities =
  (deps: Deps) =>
  async ({ orgId, date, clockOffsetDays }: WakeCommand): Promise<Woken> => {
    // First: a bill that its card pays on the due date must not become past due.
    let undone = await makeDueCharges(deps, { orgId });
    for (const find of [dueSubmissions, duePolicies, delinquentPolicies, dueClaims, dueAppointments, dueEnvelopes]) {
      for (let after = '', page: EntityName[] | null = null; page === null || page.length === PAGE; ) {
        page = await transaction(deps, { kind: 'wakeDueEntities', orgId }, (em) => find(em, orgId, date, after));
        undone += await wake(deps, page, clockOffsetDays);
        after = page.at(-1)?.id ?? after;
      }
    }
    await awaitStatusLetters(deps, { orgId, date });
    await makeDueRenewals(deps, { orgId, date });
    const bordereaux = await openMonthlyBordereaux(deps)({ orgId });
    for (const bordereauId of bordereaux) await deps.engine.makeBordereau({ orgId, bordereauId });
    await announceDeadlines(deps)({ orgId });
    return { undone };
  };

/** Answers how many have not done all that is due. */
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

/** The days from `from`, or from ever, to `until`. */
interface Days {
  from?: BusinessDate;
  until: BusinessDate;
}

const within = ({ from, until }: Days) => (from ? { $gte: from, $lte: until } : { $lte: until });

// Everything that happens by itself on a date: the same dates the workflows wait for in their `dueSteps`.
const expiring = (days: Days) => ({ status: { $in: OPEN_STATUSES }, expiresOn: within(days) });
const starting = (days: Days) => ({ status: 'pending' as const, effectiveDate: within(days) });
const ending = (days: Days) => ({ status: 'active' as const, expirationDate: within(days) });
const cancelling = (days: Days) => ({
  status: 'pending_cancellation' as const,
  cancellation: { effectiveDate: within(days) },
});

const deadline = (days: Days) => ({ status: { $ne: 'closed' as const }, nextStepOn: within(days) });

const expiringAppointment = (days: Days) => ({
  status: { $in: ['active' as const, 'suspended' as const] },
  expirationDate: within(days),
});

const dueEnvelope = (days: Days) => ({ nextStepOn: within(days) });

/** The earliest of the days on which something falls due, or null. */
async function earliestDue(em: EntityManager, today: BusinessDate, days: Days): Promise<BusinessDate | null> {
  const [submission] = await em.find(Submission, expiring(days), { limit: 1, orderBy: { expiresOn: 'asc' } });
  const [start] = await em.find(Policy, starting(days), { limit: 1, orderBy: { effectiveDate: 'asc' } });
  const [end] = await em.find(Policy, ending(days), { limit: 1, orderBy: { expirationDate: 'asc' } });
  const [cancellation] = await em.find(Policy, cancelling(days), {
    limit: 1,
    orderBy: { cancellation: { effectiveDate: 'asc' } },
  });
  const [claim] = await em.find(Claim, deadline(days), { limit: 1, orderBy: { nextStepOn: 'asc' } });
  const [appointment] = await em.find(Appointment, expiringAppointment(days), {
    limit: 1,
    orderBy: { expirationDate: 'asc' },
  });
  const [envelope] = await em.find(SigningEnvelope, dueEnvelope(days), { limit: 1, orderBy: { nextStepOn: 'asc' } });
  const clocks = await delinquentClocks(em, days.until);
  const dates = [
    ...clocks.map((clock) => nextClockStep(clock, today)?.on),
    submission?.expiresOn,
    start?.effectiveDate,
    end?.expirationDate,
    cancellation?.cancellation?.effectiveDate,
    claim?.nextStepOn,
    appointment?.expirationDate,
    envelope?.nextStepOn,
    await earliestRenewalDue(em, days.until),
    await earliestAutopayDue(em, days, today),
    await earliestFilingStep(em, days),
    await earliestReferralStep(em, days),
    await earliestMonthToOpen(em, days.until),
  ];
  const { from = '', until } = days;
  return dates.reduce<BusinessDate | null>(
    (least, date) => (date && date >= from && date <= until && (!least || date < least) ? date : least),
    null,
  );
}

async function dueSubmissions(
  em: EntityManager,
  orgId: string,
  date: BusinessDate,
  after: string,
): Promise<EntityName[]> {
  const where = { ...expiring({ until: date }), id: { $gt: after } };
  const rows = await em.find(Submission, where, { fields: ['id'], orderBy: { id: 'asc' }, limit: PAGE });
  return rows.map(({ id }) => ({ kind: 'submission', orgId, id }));
}

async function duePolicies(em: EntityManager, orgId: string, date: BusinessDate, after: string): Promise<EntityName[]> {
  const where = { $or: [starting, ending, cancelling].map((due) => due({ until: date })), id: { $gt: after } };
  const rows = await em.find(Policy, where, { fields: ['id'], orderBy: { id: 'asc' }, limit: PAGE });
  return rows.map(({ id }) => ({ kind: 'policy', orgId, id }));
}

async function dueClaims(em: EntityManager, orgId: string, date: BusinessDate, after: string): Promise<EntityName[]> {
  const where = { ...deadline({ until: date }), id: { $gt: after } };
  const rows = await em.find(Claim, where, { fields: ['id'], orderBy: { id: 'asc' }, limit: PAGE });
  return rows.map(({ id }) => ({ kind: 'claim', orgId, id }));
}

async function dueAppointments(
  em: EntityManager,
  orgId: string,
  date: BusinessDate,
  after: string,
): Promise<EntityName[]> {
  const where = { ...expiringAppointment({ until: date }), id: { $gt: after } };
  const rows = await em.find(Appointment, where, { fields: ['id'], orderBy: { id: 'asc' }, limit: PAGE });
  return rows.map(({ id }) => ({ kind: 'appointment', orgId, id }));
}

async function dueEnvelopes(
  em: EntityManager,
  orgId: string,
  date: BusinessDate,
  after: string,
): Promise<EntityName[]> {
  const where = { ...dueEnvelope({ until: date }), id: { $gt: after } };
  const rows = await em.find(SigningEnvelope, where, { fields: ['id'], orderBy: { id: 'asc' }, limit: PAGE });
  return rows.map(({ id }) => ({ kind: 'envelope', orgId, id }));
}

async function delinquentPolicies(
  em: EntityManager,
  orgId: string,
  date: BusinessDate,
  after: string,
): Promise<EntityName[]> {
  const isDue = (on: BusinessDate | undefined) => on !== undefined && on <= date;
  const clocks = await delinquentClocks(em, date);
  const due = clocks.filter((clock) => clock.id > after && isDue(nextClockStep(clock, date)?.on));
  return due.slice(0, PAGE).map(({ id }) => ({ kind: 'policy', orgId, id }));
}
