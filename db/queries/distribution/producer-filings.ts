// A producer's filings, kept in sync with their subjects: licenses to renew, appointments to file. They are announced
// with all other filings. Contract 3.7.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../../../config.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { renewalChanges } from '../../../domain/distribution/license.ts';
import { firstDeadlineStep } from '../../../domain/insight/deadlines.ts';
import type { Appointment } from '../../entities/distribution/appointment.ts';
import type { Producer } from '../../entities/distribution/producer.ts';
import { Filing, type FilingStatus } from '../../entities/insight/filing.ts';
import { addRow } from '../../new-rows.ts';

const LICENCE_RENEWAL = 'licence_renewal';
const APPOINTMENT_FILING = 'appointment_filing';
const APPOINTMENT_RENEWAL = 'appointment_renewal';

/** Syncs the open renewals of producers (whose rows are locked or new) with their licenses. A sandbox requires none. */
export async function keepRenewals(
  em: EntityManager,
  producers: readonly Readonly<Producer>[],
  environment: Environment,
): Promise<void> {
  if (environment === 'sandbox') return;
  const ids = producers.map(({ id }) => id);
  const open = await em.find(Filing, { producerId: { $in: ids }, kind: LICENCE_RENEWAL, status: 'open' });
  const openOf = Map.groupBy(open, ({ producerId }) => producerId);
  const added = producers.flatMap(({ id: producerId, licenses, status }) => {
    const changes = renewalChanges(openOf.get(producerId) ?? [], status === 'terminated' ? [] : licenses);
    end(changes.filed, 'filed');
    end(changes.withdrawn, 'withdrawn');
    return changes.added.map((due) => ({ producerId, ...due }));
  });
  // A license has one open row: the old one ends before the new one is written.
  await em.flush();
  for (const due of added) addRow(em, Filing, { kind: LICENCE_RENEWAL, ...due });
}

/** Adds the filing of a new appointment. */
export function addAppointmentFiling(em: EntityManager, appointment: Appointment, dueDate: BusinessDate): void {
  const { id: appointmentId, producerId, state } = appointment;
  addRow(em, Filing, { producerId, appointmentId, kind: APPOINTMENT_FILING, state, dueDate });
}

/** Moves the open filing of an appointment to another due date, and its reminders with it. */
export async function moveAppointmentFiling(
  em: EntityManager,
  { id: appointmentId }: Appointment,
  dueDate: BusinessDate,
): Promise<void> {
  const filing = await em.findOne(Filing, { appointmentId, kind: APPOINTMENT_FILING, status: 'open' });
  if (filing === null || filing.dueDate === dueDate) return;
  const nextStepOn = firstDeadlineStep({ dueDate });
  Object.assign(filing, { dueDate, nextStepOn, announcedDays: [], missedOn: null });
}

/**
 * Syncs the open renewal of an appointment with the last day to renew it, or null. A later day means that it has been
 * renewed.
 */
export async function keepAppointmentRenewal(
  em: EntityManager,
  { id: appointmentId, producerId, state }: Appointment,
  dueDate: BusinessDate | null,
): Promise<void> {
  const open = await em.findOne(Filing, { appointmentId, kind: APPOINTMENT_RENEWAL, status: 'open' });
  if ((open?.dueDate ?? null) === dueDate) return;
  if (open !== null) end([open], dueDate !== null && dueDate > open.dueDate ? 'filed' : 'withdrawn');
  // An appointment has one open row: the old one ends before the new one is written.
  await em.flush();
  if (dueDate !== null) addRow(em, Filing, { producerId, appointmentId, kind: APPOINTMENT_RENEWAL, state, dueDate });
}

/** Withdraws the open filings of an appointment that is rejected or has ended. */
export async function withdrawAppointmentFiling(em: EntityManager, appointmentId: string): Promise<void> {
  end(await em.find(Filing, { appointmentId, status: 'open' }), 'withdrawn');
}

function end(filings: readonly Filing[], status: FilingStatus): void {
  for (const filing of filings) filing.status = status;
}
