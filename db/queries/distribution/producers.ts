// Queries on producers and their appointments.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { Producer } from '../../entities/distribution/producer.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';

/** Reads a producer, or null. */
export function findProducer(em: EntityManager, id: string): Promise<Producer | null> {
  return em.findOne(Producer, { id });
}

const APPOINTED = {
  name: 'appointed',
  text: `select from producers p join appointments a on a.org_id = p.org_id and a.producer_id = p.id
    where p.org_id = $1 and p.id = $2 and p.status = 'active' and a.state = $3 and a.line_of_business = $4
      and a.status = 'active' and (a.effective_date is null or a.effective_date <= $5)
      and (a.expiration_date is null or a.expiration_date > $5)
    limit 1`,
};

/** Whether a producer is active and appointed, by any carrier, for a line in a state on a date. */
export async function isAppointed(
  em: EntityManager,
  question: { producerId: string; state: string; lineOfBusiness: string; date: BusinessDate },
): Promise<boolean> {
  const { producerId, state, lineOfBusiness, date } = question;
  const values = [organizationOf(em), producerId, state, lineOfBusiness, date];
  return (await preparedRows(em, APPOINTED, values)).length > 0;
}
