// An appointment's commands and outcomes, and the input of its workflow. Contract 3.7.
import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { AppointmentStatus } from '../domain/distribution/appointment.ts';
import type { Command } from './machinery/command.ts';
import type { EntityInput } from './standing.ts';

/** A new appointment, or the application for one. */
export interface AppointPayload {
  producerId: string;
  state: string;
  lineOfBusiness: string;
  carrier: string;
  status: 'pending' | 'active';
  effectiveDate: BusinessDate | null;
  expirationDate: BusinessDate | null;
  surplusLines: boolean;
}

/** Omitted fields stay unchanged. */
export interface AppointmentChanges {
  status?: AppointmentStatus;
  effectiveDate?: BusinessDate;
  expirationDate?: BusinessDate | null;
  /** Only for the status `terminated`. */
  forCause?: boolean;
}

/** What a workflow needs to know about its appointment after a step. */
export interface AppointmentOutcome {
  appointmentId: string;
  status: AppointmentStatus;
  /** The day on which it ends automatically, or null. */
  expiresOn: BusinessDate | null;
  version: number;
  clockOffsetDays: number;
}

/** What an appointment's workflow must know of its row to wait for the right day. */
export type CarriedAppointment = Omit<AppointmentOutcome, 'version'>;

export interface AppointmentWorkflowInput extends EntityInput {
  appointmentId: string;
  /** Set by continue-as-new; without it the workflow reads the row first. */
  carried?: CarriedAppointment;
}

export const appointUpdate = defineUpdate<AppointmentOutcome, [Command<AppointPayload>]>('appoint');

export const changeAppointmentUpdate = defineUpdate<AppointmentOutcome, [Command<AppointmentChanges>]>(
  'changeAppointment',
);
