/**
 * An appointment from application to end: commands one after the other, and its expiration day. The row is the truth
 * and activities write it. Contract 3.7.
 */
import { continueAsNew, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import {
  type AppointmentWorkflowInput,
  appointUpdate,
  type CarriedAppointment,
  changeAppointmentUpdate,
} from '../contracts/appointment.ts';
import { changedAppointmentStatus, isOver } from '../domain/distribution/appointment.ts';
import { Entity } from './machinery/entity.ts';
import { DUE_STEP, ONE_TRANSACTION } from './machinery/options.ts';

const { createAppointment, changeAppointment } = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { readAppointment, expireAppointment } = proxyLocalActivities<Activities>(DUE_STEP);

export async function appointmentWorkflow(input: AppointmentWorkflowInput): Promise<void> {
  const { orgId, appointmentId: entityId } = input;
  const appointment: Entity<CarriedAppointment> = new Entity<CarriedAppointment>(
    {
      ...{ orgId, entityType: 'appointment', entityId },
      load: () => readAppointment({ orgId, entityId }),
      dueSteps: ({ expiresOn }) => {
        const run = () => expireAppointment({ orgId, entityId, today: appointment.clock.today() });
        return expiresOn === null ? [] : [{ on: expiresOn, what: 'expires', run }];
      },
      isOver: ({ status }) => isOver(status),
      isChangedByOthers: false,
    },
    input,
  );
  acceptCommands(appointment);
  if ((await appointment.serve()) !== 'continue') return;
  const { state, standing } = appointment;
  await continueAsNew<typeof appointmentWorkflow>({ ...input, ...(state ? { carried: state } : {}), standing });
}

function acceptCommands(appointment: Entity<CarriedAppointment>): void {
  appointment.accept(appointUpdate, {
    description: 'Records an appointment, or the application for one.',
    // The row decides: an attempt whose workflow task was lost may have written it, and it has since been read.
    validate: () => {},
    step: createAppointment,
  });
  appointment.accept(changeAppointmentUpdate, {
    description: 'Moves the appointment to another status, or changes its dates.',
    validate: ({ payload }) => {
      if (appointment.state) changedAppointmentStatus(appointment.state.status, payload.status);
    },
    step: changeAppointment,
  });
}
