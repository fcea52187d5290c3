/** Envelope rows: the only place where their status changes. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SigningEnvelope } from '../../db/entities/signing/signing-envelope.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import { type EnvelopeStatus, hasEnvelopeEnded } from '../../domain/signing/envelope.ts';
import { auditOf } from '../audit.ts';

export const ESIGN_PROVIDER: ActorRef = { kind: 'machine', id: 'e-signature', role: 'superadmin' };

/** Gives a locked envelope a status, with its audit row. */
export function moveEnvelope(
  em: EntityManager,
  envelope: SigningEnvelope,
  move: { status: EnvelopeStatus; at: Date; actor: ActorRef; requestId: string | null },
): void {
  const { status, at, actor, requestId } = move;
  const changes = { status: { before: envelope.status, after: status } };
  envelope.status = status;
  if (status === 'sent') envelope.sentAt ??= at;
  if (status === 'completed') envelope.completedAt = at;
  if (hasEnvelopeEnded(status)) envelope.nextStepOn = null;
  const origin = { actor, requestId, entityId: envelope.id };
  writeAudit(em, auditOf(origin, `envelope:${status}`, 'envelope', changes));
}
