// Ends a producer's appointments along with their contract. The caller notifies their workflows.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { auditedChanges } from '../../../domain/audit.ts';
import { Appointment } from '../../entities/distribution/appointment.ts';
import { type AuditFact, writeAudit } from '../platform/audit.ts';
import { withdrawAppointmentFiling } from './producer-filings.ts';

/** Terminates every live appointment of a locked producer. @returns their ids */
export async function endAppointments(
  em: EntityManager,
  { id: producerId }: { id: string },
  by: Pick<AuditFact, 'actor' | 'requestId'>,
): Promise<string[]> {
  const live = await em.find(
    Appointment,
    { producerId, status: { $in: ['pending', 'active', 'suspended'] } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  for (const appointment of live) {
    const before = { status: appointment.status };
    Object.assign(appointment, { status: 'terminated', forCause: false });
    await withdrawAppointmentFiling(em, appointment.id);
    const changes = auditedChanges(before, { status: 'terminated' });
    const entity = { entityType: 'appointment', entityId: appointment.id };
    writeAudit(em, { ...by, action: 'appointment:update', ...entity, changes });
  }
  return live.map(({ id }) => id);
}
