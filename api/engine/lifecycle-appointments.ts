/** Commands on an appointment. Part of `lifecycle.ts`. */
import {
  type AppointmentChanges,
  type AppointmentOutcome,
  type AppointPayload,
  appointUpdate,
  changeAppointmentUpdate,
} from '../../contracts/appointment.ts';
import { type Command, rowChangedSignal } from '../../contracts/machinery/command.ts';
import { appointmentWorkflowId } from '../../contracts/machinery/start.ts';
import { appointmentTarget } from '../../contracts/machinery/targets.ts';
import type { Gateway } from './gateway.ts';

/** `entityId` is the appointment's id. Each may throw `DomainError` not_found and validation_failed too. */
export interface AppointmentLifecycle {
  /** Starts the appointment's workflow. @throws DomainError already_exists */
  createAppointment(command: Command<AppointPayload>): Promise<AppointmentOutcome>;
  /** @throws DomainError invalid_state_transition, precondition_failed */
  changeAppointment(command: Command<AppointmentChanges>): Promise<AppointmentOutcome>;
  /** Makes the workflows of appointments whose rows ended elsewhere read them, and so end too. */
  endedAppointments(orgId: string, appointmentIds: readonly string[]): Promise<void>;
}

/** Builds the commands on a gateway. */
export function appointmentLifecycle(gateway: Gateway, deadlineMs: number): AppointmentLifecycle {
  return {
    createAppointment: (command) => gateway.start(targetOf(command), appointUpdate, command, deadlineMs),
    changeAppointment: (command) => gateway.deliver(targetOf(command), changeAppointmentUpdate, command, deadlineMs),
    endedAppointments: async (orgId, appointmentIds) => {
      for (const id of appointmentIds) {
        await gateway.signal(appointmentWorkflowId(orgId, id), rowChangedSignal, deadlineMs);
      }
    },
  };
}

function targetOf({ orgId, entityId }: Command<unknown>) {
  return appointmentTarget(orgId, entityId);
}
