// Queries on the appointments of producers.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Appointment } from '../../entities/distribution/appointment.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

export interface AppointmentFilter {
  producerId: string;
  status?: string;
  state?: string;
  lineOfBusiness?: string;
}

/** Reads an appointment, or null. */
export function findAppointment(em: EntityManager, id: string): Promise<Appointment | null> {
  return findById(em, Appointment, id);
}

/** Reads an appointment and locks its row until the transaction ends; null when there is none. */
export function lockAppointment(em: EntityManager, id: string): Promise<Appointment | null> {
  return lockById(em, Appointment, id);
}

/**
 * Reads a page of a producer's appointments, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listAppointments(
  em: EntityManager,
  filter: AppointmentFilter,
  page: PageRequest,
): Promise<Page<Appointment>> {
  const { producerId, status, state, lineOfBusiness } = filter;
  return pageOf(em, Appointment, [equalTo({ producerId, status, state, lineOfBusiness })], page);
}
