/**
 * Effect of a completed identity check: the producer is verified and active, whatever their previous status. Spec 3.3,
 * 6.5.2.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { IdentityEvent, IdentityOutcome } from '../../contracts/inbound.ts';
import { keepRenewals } from '../../db/queries/distribution/producer-filings.ts';
import { lockProducer } from '../../db/queries/distribution/producers.ts';
import { ownerOfProducer, recordInboundEvent } from '../../db/queries/inbound/inbound-events.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import type { ProducerStatus } from '../../domain/distribution/producer.ts';
import type { ActorRef } from '../../domain/permissions.ts';
import { auditOf } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';

const PROVIDER = 'identity-verifier';
const VERIFIER: ActorRef = { kind: 'machine', id: PROVIDER, role: 'superadmin' };

/** Records an event once. A reference that names no producer changes nothing. */
export const recordIdentityEvent =
  (deps: Deps) =>
  async (event: IdentityEvent): Promise<{ outcome: IdentityOutcome; orgId: string | null }> => {
    const { producerId } = event;
    const orgId =
      producerId === null
        ? null
        : await deps.database.acrossOrgs('whose producer an event is about', (em) => ownerOfProducer(em, producerId));
    const step = { kind: 'recordIdentityEvent', orgId: orgId ?? PLATFORM_SCOPE };
    const outcome = await transaction(deps, step, (em) => verify(em, deps, event));
    return { outcome, orgId };
  };

async function verify(em: EntityManager, deps: Deps, event: IdentityEvent): Promise<IdentityOutcome> {
  const { eventId: id, type, producerId, inquiryId } = event;
  const producer = producerId === null ? null : await lockProducer(em, producerId);
  const outcome = producer === null ? 'unmatched' : outcomeFor(producer.status);
  const isNew = await recordInboundEvent(em, { provider: PROVIDER, id, type, outcome, paymentId: null });
  if (!isNew) return 'known';
  if (producer === null) return outcome;
  const before = { status: producer.status, inquiryId: producer.identity?.inquiryId ?? null };
  const completedAt = event.completedAt ?? new Date(deps.now()).toISOString();
  em.assign(producer, { identity: { inquiryId, completedAt } });
  producer.status = 'active';
  // Ending a contract withdraws renewal filings; restore them.
  await keepRenewals(em, [producer], deps.environment);
  const changes = {
    status: { before: before.status, after: producer.status },
    inquiryId: { before: before.inquiryId, after: inquiryId },
  };
  const origin = { actor: VERIFIER, requestId: null, entityId: producer.id };
  writeAudit(em, auditOf(origin, 'producer:verify_identity', 'producer', changes));
  await em.flush();
  return outcome;
}

function outcomeFor(before: ProducerStatus): IdentityOutcome {
  return before === 'active' ? 'recorded' : 'activated';
}
