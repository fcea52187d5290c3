/**
 * An appointment's steps: recorded, moved, expired. Each writes the row, the audit row and the filing that the state
 * requires, in one transaction. Contract 3.7.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppointmentChanges, AppointmentOutcome, AppointPayload } from '../../contracts/appointment.ts';
import type { DueCommand, EntityRef } from '../../contracts/machinery/command.ts';
import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { isUniqueViolation } from '../../db/faults.ts';
import { findAppointment, lockAppointment } from '../../db/queries/distribution/appointments.ts';
import {
  addAppointmentFiling,
  keepAppointmentRenewal,
  moveAppointmentFiling,
  withdrawAppointmentFiling,
} from '../../db/queries/distribution/producer-filings.ts';
import { lockProducer } from '../../db/queries/distribution/producers.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../domain/audit.ts';
import {
  appointmentExpiry,
  appointmentFilingDue,
  appointmentRenewalDue,
  changedAppointmentStatus,
  ensureInOrder,
  isOver,
} from '../../domain/distribution/appointment.ts';
import { ensureAppointable } from '../../domain/distribution/producer.ts';
import { DomainError } from '../../domain/errors.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { type BusinessDay, businessDay } from '../../plans/platform/business-day.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { commandActivity, type Deps, transaction } from '../context.ts';
import { ensureExpected } from '../expected-version.ts';

/**
 * Records a producer's appointment.
 * @throws DomainError not_found, already_exists, validation_failed, invalid_state_transition for a terminated producer
 */
export const createAppointment = (deps: Deps) =>
  commandActivity<AppointPayload, Appointment, AppointmentOutcome>(deps, 'createAppointment', {
    lock: lockAppointment,
    work: async (em, command, existing) => {
      if (existing !== null) throw new DomainError('already_exists', 'This appointment already exists.');
      const { entityId: id, orgId, payload } = command;
      (await judgeOf(em, command, 'appointment:create'))({ orgId });
      // Locked: a termination ends the appointments that it finds.
      const producer = await lockProducer(em, payload.producerId);
      if (producer === null) throw new DomainError('not_found', 'No such producer.');
      ensureAppointable(producer.status);
      const day = await businessDay(em, orgId, deps.now());
      const facts = { ...payload, effectiveDate: startOf(payload, day) };
      ensureInOrder(facts.effectiveDate, facts.expirationDate);
      const appointment = em.create(Appointment, { id, ...facts }, { persist: true });
      await flushUnique(em);
      const environmentIsSandbox = deps.environment === 'sandbox';
      const due = appointmentFilingDue({ ...facts, today: day.today, environmentIsSandbox });
      if (due !== null) addAppointmentFiling(em, appointment, due);
      await keepAppointmentRenewal(em, appointment, appointmentRenewalDue({ ...appointment, environmentIsSandbox }));
      writeAudit(em, auditOf(command, 'appointment:create', 'appointment', auditedChanges(null, facts)));
      return appointmentOutcome(appointment, day);
    },
  });

/**
 * Moves an appointment, or changes its dates.
 * @throws DomainError not_found, precondition_failed, invalid_state_transition, validation_failed
 */
export const changeAppointment = (deps: Deps) =>
  commandActivity<AppointmentChanges, Appointment, AppointmentOutcome>(deps, 'changeAppointment', {
    lock: lockAppointment,
    work: async (em, command, appointment) => {
      if (appointment === null) throw new DomainError('not_found', 'There is no such appointment.');
      ensureExpected(command, appointment);
      const { orgId, payload } = command;
      (await judgeOf(em, command, 'appointment:update'))({ orgId });
      const day = await businessDay(em, orgId, deps.now());
      const before = factsOf(appointment);
      const status = changedAppointmentStatus(appointment.status, payload.status);
      const forCause = status === 'terminated' ? (payload.forCause ?? false) : null;
      Object.assign(appointment, { ...datesOf(payload), status, forCause });
      appointment.effectiveDate = startOf(appointment, day);
      ensureInOrder(appointment.effectiveDate, appointment.expirationDate);
      if (isOver(status)) await withdrawAppointmentFiling(em, appointment.id);
      else await moveFilings(em, deps, appointment, { payload, day });
      await em.flush();
      const changes = auditedChanges(before, factsOf(appointment));
      writeAudit(em, auditOf(command, 'appointment:update', 'appointment', changes));
      return appointmentOutcome(appointment, day);
    },
  });

/** Ends an appointment on its day. One whose end has since moved continues and returns its new day. */
export const expireAppointment =
  (deps: Deps) =>
  ({ orgId, entityId, today }: DueCommand): Promise<AppointmentOutcome> =>
    transaction(deps, { kind: 'expireAppointment', orgId }, async (em) => {
      const appointment = await lockAppointment(em, entityId);
      if (appointment === null) throw new DomainError('not_found', 'There is no such appointment.');
      const day = await businessDay(em, orgId, deps.now());
      const expiresOn = appointmentExpiry(appointment);
      if (expiresOn === null || expiresOn > today) return appointmentOutcome(appointment, day);
      const before = factsOf(appointment);
      appointment.status = changedAppointmentStatus(appointment.status, 'expired');
      await withdrawAppointmentFiling(em, entityId);
      await em.flush();
      const origin = { actor: SYSTEM, requestId: null, entityId };
      const changes = auditedChanges(before, factsOf(appointment));
      writeAudit(em, auditOf(origin, 'appointment:expire', 'appointment', changes));
      return appointmentOutcome(appointment, day);
    });

/** Reads an appointment for a workflow that starts without its state; null when there is none. */
export const readAppointment =
  (deps: Deps) =>
  ({ orgId, entityId }: EntityRef): Promise<AppointmentOutcome | null> =>
    transaction(deps, { kind: 'readAppointment', orgId }, async (em) => {
      const appointment = await findAppointment(em, entityId);
      return appointment && appointmentOutcome(appointment, await businessDay(em, orgId, deps.now()));
    });

/** The filing is due a set number of days after the effective date, the renewal before the end, even if those move. */
async function moveFilings(
  em: EntityManager,
  deps: Deps,
  appointment: Appointment,
  { payload, day }: { payload: AppointmentChanges; day: BusinessDay },
): Promise<void> {
  const environmentIsSandbox = deps.environment === 'sandbox';
  const due = appointmentFilingDue({ ...appointment, today: day.today, environmentIsSandbox });
  if (payload.effectiveDate !== undefined && due !== null) await moveAppointmentFiling(em, appointment, due);
  await keepAppointmentRenewal(em, appointment, appointmentRenewalDue({ ...appointment, environmentIsSandbox }));
}

/** An appointment that becomes active without a date is effective today. */
function startOf({ status, effectiveDate }: Pick<Appointment, 'status' | 'effectiveDate'>, { today }: BusinessDay) {
  return effectiveDate ?? (status === 'active' ? today : null);
}

function datesOf({ effectiveDate, expirationDate }: AppointmentChanges): Partial<Appointment> {
  return {
    ...(effectiveDate === undefined ? {} : { effectiveDate }),
    ...(expirationDate === undefined ? {} : { expirationDate }),
  };
}

function factsOf({ status, effectiveDate, expirationDate, forCause }: Appointment) {
  return { status, effectiveDate, expirationDate, forCause };
}

/** @throws DomainError already_exists for a second live appointment of the same kind */
function flushUnique(em: EntityManager): Promise<void> {
  return em.flush().catch((error: unknown) => {
    if (!isUniqueViolation(error, 'appointments_unique')) throw error;
    throw new DomainError('already_exists', 'This carrier has already appointed the producer for this state and line.');
  });
}

function appointmentOutcome(appointment: Appointment, { clockOffsetDays }: BusinessDay): AppointmentOutcome {
  const { id: appointmentId, status, version } = appointment;
  return { appointmentId, status, expiresOn: appointmentExpiry(appointment), version, clockOffsetDays };
}
