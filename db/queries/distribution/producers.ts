// Queries on producers and their appointments.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { Appointment } from '../../entities/distribution/appointment.ts';
import { Producer } from '../../entities/distribution/producer.ts';

/** Reads a producer, or null. */
export function findProducer(em: EntityManager, id: string): Promise<Producer | null> {
  return em.findOne(Producer, { id });
}

/** Whether a producer is active and appointed, by any carrier, for a line in a state on a date. */
export async function isAppointed(
  em: EntityManager,
  question: { producerId: string; state: string; lineOfBusiness: string; date: BusinessDate },
): Promise<boolean> {
  const { producerId, state, lineOfBusiness, date } = question;
  const producer = await em.findOne(Producer, { id: producerId, status: 'active' });
  if (!producer) return false;
  const appointment = await em.findOne(Appointment, {
    producerId,
    state,
    lineOfBusiness,
    status: 'active',
    $and: [
      { $or: [{ effectiveDate: null }, { effectiveDate: { $lte: date } }] },
      { $or: [{ expirationDate: null }, { expirationDate: { $gt: date } }] },
    ],
  });
  return appointment !== null;
}
