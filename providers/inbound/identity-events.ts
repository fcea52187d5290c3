// Identity verifier events, from the bytes on the wire to the few facts that are passed on. Spec 6.5.
import type { IdentityEvent } from '../../contracts/inbound.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { type EventFields, eventFrom, unusable } from './event-fields.ts';
import { type SignedBody, verifySignatureSets } from './timed-signature.ts';

export const INQUIRY_COMPLETED = 'inquiry.completed';

/** The sender can be configured for either spelling of keys. */
const REFERENCE_KEYS = ['reference-id', 'referenceId', 'reference_id'] as const;
const COMPLETED_KEYS = ['completed-at', 'completedAt', 'completed_at'] as const;

/**
 * Verifies an event and reduces it.
 * @throws DomainError unauthenticated for a bad signature, validation_failed for a stale or unusable event,
 * malformed_json for signed bytes that are not JSON
 */
export function readIdentityEvent(signed: SignedBody): IdentityEvent {
  verifySignatureSets(signed);
  const event = eventFrom(signed.body);
  const data = event.inner('data');
  const attributes = data?.inner('attributes') ?? null;
  const [eventId, type] = [data?.id('id') ?? null, attributes?.text('name') ?? null];
  if (eventId === null) throw unusable('data.id');
  if (type === null) throw unusable('data.attributes.name');
  const inquiry = type === INQUIRY_COMPLETED ? inquiryOf(event, attributes) : null;
  return { eventId, type, ...factsOf(inquiry, eventId) };
}

/** The event's object, or one included with it. */
function inquiryOf(event: EventFields, attributes: EventFields | null): EventFields | null {
  const payload = attributes?.objectOrNull('payload') ?? null;
  const candidates = [
    payload?.objectOrNull('data') ?? [],
    payload?.objects('included') ?? [],
    event.objects('included'),
  ];
  return candidates.flat().find((each) => each.raw('type') === 'inquiry') ?? null;
}

function factsOf(inquiry: EventFields | null, eventId: string) {
  const attributes = inquiry?.objectOrNull('attributes') ?? null;
  const reference = REFERENCE_KEYS.map((key) => attributes?.raw(key)).find((value) => typeof value === 'string');
  return {
    inquiryId: inquiry?.id('id') ?? eventId,
    producerId: isId(reference, ID_PREFIXES.producer) ? reference : null,
    completedAt: completionOf(attributes),
  };
}

function completionOf(attributes: EventFields | null): string | null {
  if (attributes === null) return null;
  const [completedAt = null] = COMPLETED_KEYS.flatMap((key) => attributes.instant(key) ?? []);
  return completedAt === null ? null : completedAt.toISOString();
}
