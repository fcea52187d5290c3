/** Effect of an e-signature provider event: the envelope takes its status, unless already final. Spec 6.7. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SigningEvent, SigningOutcome } from '../../contracts/inbound.ts';
import type { SigningEnvelope } from '../../db/entities/signing/signing-envelope.ts';
import { recordInboundEvent } from '../../db/queries/inbound/inbound-events.ts';
import { lockEnvelope, ownerOfEnvelope } from '../../db/queries/signing/signing-envelopes.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { envelopeStatusAfter, reportedStatus } from '../../domain/signing/envelope.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { type Deps, transaction } from '../context.ts';
import { ESIGN_PROVIDER, moveEnvelope } from '../signing/envelope-rows.ts';

const PROVIDER = 'e-signature';

export interface HandledSigningEvent {
  outcome: SigningOutcome;
  orgId: string | null;
  /** The envelope whose workflow must read its row. */
  envelopeId: string | null;
}

/** Records an event once. A late one is recorded and changes nothing; an unknown envelope has no owner. */
export const recordSigningEvent =
  (deps: Deps) =>
  async (event: SigningEvent): Promise<HandledSigningEvent> => {
    const owner = await deps.database.acrossOrgs('whose envelope an event is about', (em) =>
      ownerOfEnvelope(em, event),
    );
    const step = { kind: 'recordSigningEvent', orgId: owner?.orgId ?? PLATFORM_SCOPE };
    const outcome = await transaction(deps, step, (em) => apply(em, deps, event, owner?.id ?? null));
    return { outcome, orgId: owner?.orgId ?? null, envelopeId: owner?.id ?? null };
  };

async function apply(
  em: EntityManager,
  deps: Deps,
  event: SigningEvent,
  envelopeId: string | null,
): Promise<SigningOutcome> {
  const { eventId: id, type, happenedAt } = event;
  const envelope = envelopeId === null ? null : await lockEnvelope(em, envelopeId);
  const reported = reportedStatus(type);
  const status =
    envelope && reported && envelopeStatusAfter(envelope.status, reported, await isOverdue(em, envelope, deps.now()));
  const outcome = envelope === null ? 'unmatched' : status === envelope.status ? 'ignored' : 'changed';
  const isNew = await recordInboundEvent(em, { provider: PROVIDER, id, type, outcome, paymentId: null });
  if (!isNew) return 'known';
  if (envelope === null || status === null || outcome !== 'changed') return outcome;
  // Found by our own id: the provider's id is not noted yet.
  envelope.externalId ??= event.externalIds[0] ?? null;
  moveEnvelope(em, envelope, { status, at: new Date(happenedAt), actor: ESIGN_PROVIDER, requestId: null });
  await em.flush();
  return outcome;
}

/** Whether its last day has come without a command to void it. */
async function isOverdue(
  em: EntityManager,
  { orgId, expiresOn, voidReason }: SigningEnvelope,
  nowMs: number,
): Promise<boolean> {
  const { today } = await businessDay(em, orgId, nowMs);
  return today >= expiresOn && voidReason === null;
}
