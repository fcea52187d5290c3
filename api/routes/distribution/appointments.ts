// Appointments: what carriers authorize a producer to sell, by state and line. Spec 4.10, Contract 3.7.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Appointment } from '../../../db/entities/distribution/appointment.ts';
import { newId } from '../../../db/ids.ts';
import { contractedCarriers } from '../../../db/queries/authority/authority.ts';
import { findAppointment, listAppointments } from '../../../db/queries/distribution/appointments.ts';
import {
  APPOINTMENT_STATUSES,
  carrierWarning,
  changedAppointmentStatus,
} from '../../../domain/distribution/appointment.ts';
import { allow } from '../../spine/access.ts';
import { namesVersion } from '../../spine/entity-tag.ts';
import { entityTag, type Reply, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import {
  businessText,
  idParam,
  idReference,
  instant,
  isoDate,
  lineOfBusiness,
  pageQuery,
  pageSchema,
  pageToWire,
  state,
} from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { ensureBeforeCommand, present } from '../rows.ts';
import { producerOfPath } from './producers.ts';

const facts = { tag: 'Producers', spec: '4.10, Contract 3.7' } as const;
const params = z.strictObject({ id: idParam('producer') });
const one = z.strictObject({ id: idParam('producer'), apptId: idParam('appointment') });
const status = z.enum(APPOINTMENT_STATUSES);
const expirationDate = isoDate.meta({ description: 'The first day without the appointment.' });

const AppointmentSchema = z
  .strictObject({
    id: idReference('appointment'),
    orgId: idReference('organization'),
    producerId: idReference('producer'),
    state: z.string(),
    lineOfBusiness: z.string(),
    carrier: z.string(),
    status,
    effectiveDate: isoDate.nullable(),
    expirationDate: isoDate.nullable(),
    surplusLines: z.boolean(),
    forCause: z.boolean().nullable().meta({ description: 'Null unless the appointment was terminated.' }),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
    warning: z.string().optional().meta({
      description:
        'In the answers that record or change it: no contract of the organization names the carrier. It says which carriers they name.',
    }),
  })
  .meta({ id: 'Appointment' });

const AppointmentCreateSchema = z
  .strictObject({
    state,
    lineOfBusiness,
    carrier: businessText,
    status: z.enum(['pending', 'active']).default('pending'),
    effectiveDate: isoDate.optional().meta({ description: 'Default: the day on which it becomes active.' }),
    expirationDate: expirationDate.optional(),
    surplusLines: z.boolean().default(false).meta({ description: 'True: no notice is filed with the state.' }),
  })
  .meta({ id: 'AppointmentCreate' });

const AppointmentChangesSchema = z
  .strictObject({
    status,
    effectiveDate: isoDate,
    expirationDate: expirationDate.nullable(),
    forCause: z.boolean().meta({ description: 'With the status `terminated`: whether it ends for cause.' }),
  })
  .partial()
  .refine(({ forCause, status: to }) => forCause === undefined || to === 'terminated', {
    ...{ error: 'forCause belongs to the status terminated.', path: ['forCause'], params: { rule: 'unknown_field' } },
  })
  .meta({ id: 'AppointmentChanges' });

const AppointmentListQuery = z.strictObject({
  ...pageQuery,
  status: status.optional(),
  state: state.optional(),
  lineOfBusiness: lineOfBusiness.optional(),
});

const listAppointmentsRoute = route({
  ...facts,
  method: 'get',
  path: '/producers/:id/appointments',
  operationId: 'listAppointments',
  summary: 'List the appointments of a producer',
  description: 'Filter by state, line or status. A producer may place business only where an appointment is active.',
  access: allow('appointment:read', producerOfPath),
  params,
  query: AppointmentListQuery,
  response: { status: 200, body: pageSchema('Appointment', AppointmentSchema) },
  errors: [],
  handler: async ({ row, query, db }) => {
    const filter = { ...query, producerId: row.id };
    return pageToWire(await db.read((em) => listAppointments(em, filter, query)), appointmentToWire);
  },
});

const getAppointment = route({
  ...facts,
  method: 'get',
  path: '/producers/:id/appointments/:apptId',
  operationId: 'getAppointment',
  isTagged: true,
  summary: 'Read an appointment',
  description:
    'It shows the carrier, the state, the line and the dates. The `ETag` of the response goes into `If-Match` when you change it.',
  access: allow('appointment:read', producerOfPath),
  params: one,
  response: { status: 200, body: AppointmentSchema },
  errors: [],
  handler: ({ params: { id, apptId }, db }) =>
    db.read(async (em) => appointmentReply(await appointmentOf(em, id, apptId))),
});

const createAppointment = route({
  ...facts,
  method: 'post',
  path: '/producers/:id/appointments',
  operationId: 'createAppointment',
  summary: 'Record an appointment, or the application for one',
  description:
    'A producer has one live appointment for each carrier, state and line. Unless it is for surplus lines, the notice to ' +
    'the state is due 15 days later, as a compliance filing. A terminated producer gets none. ' +
    'A carrier that no contract of the organization names is recorded with a `warning`.',
  access: allow('appointment:create', producerOfPath),
  params,
  body: AppointmentCreateSchema,
  response: { status: 201, body: AppointmentSchema },
  errors: ['already_exists', 'invalid_state_transition'],
  handler: async ({ row, body, db, lifecycle, command }) => {
    const id = newId('appointment', command.seedUuid);
    const { effectiveDate = null, expirationDate = null, ...rest } = body;
    await lifecycle.createAppointment(command({ ...rest, producerId: row.id, effectiveDate, expirationDate }, id));
    return db.read(async (em) => warnedReply(em, present(await findAppointment(em, id))));
  },
});

const changeAppointment = route({
  ...facts,
  method: 'patch',
  path: '/producers/:id/appointments/:apptId',
  operationId: 'changeAppointment',
  isTagged: true,
  summary: 'Change the status or the dates of an appointment',
  description: 'A status that cannot follow the current one returns 422. `forCause` applies only to a termination.',
  access: allow('appointment:update', producerOfPath),
  params: one,
  body: AppointmentChangesSchema,
  response: { status: 200, body: AppointmentSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ params: { id, apptId }, body, headers, db, lifecycle, command, ensureUnchanged }) => {
    const appointment = await db.read((em) => appointmentOf(em, id, apptId));
    ensureUnchanged(appointment);
    await ensureBeforeCommand({ db, command }, () => changedAppointmentStatus(appointment.status, body.status));
    const expectedVersion = namesVersion(headers['if-match']) ? appointment.version : undefined;
    await lifecycle.changeAppointment({ ...command(body, apptId), ...(expectedVersion ? { expectedVersion } : {}) });
    return db.read(async (em) => warnedReply(em, present(await findAppointment(em, apptId))));
  },
});

export const appointmentRoutes = [listAppointmentsRoute, createAppointment, getAppointment, changeAppointment];

/** Reads a producer's appointment. @throws DomainError not_found for another producer's */
async function appointmentOf(em: EntityManager, producerId: string, id: string): Promise<Appointment> {
  const appointment = await findAppointment(em, id);
  if (appointment?.producerId !== producerId) throw notFound('appointment');
  return appointment;
}

/** Shows an appointment just recorded or changed, with any warning about its carrier. */
async function warnedReply(em: EntityManager, appointment: Appointment): Promise<Reply> {
  const warning = carrierWarning(appointment.carrier, await contractedCarriers(em));
  return appointmentReply(appointment, warning === null ? {} : { warning });
}

function appointmentReply(appointment: Appointment, more: { warning?: string } = {}): Reply {
  const { id, version } = appointment;
  return reply({ body: { ...appointmentToWire(appointment), ...more }, etag: entityTag(id, version) });
}

function appointmentToWire(appointment: Appointment) {
  const { createdAt, updatedAt, ...same } = appointment;
  const { id, orgId, producerId, state, lineOfBusiness, carrier, status, effectiveDate, expirationDate } = same;
  return {
    ...{ id, orgId, producerId, state, lineOfBusiness, carrier, status, effectiveDate, expirationDate },
    ...{ surplusLines: same.surplusLines, forCause: same.forCause, version: same.version },
    createdAt: instantToWire(createdAt),
    updatedAt: instantToWire(updatedAt),
  };
}
