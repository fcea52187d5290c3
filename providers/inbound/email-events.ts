// Email provider events, from the bytes on the wire to the facts that are queued. Spec 6.6.
import type { EmailEvent } from '../../contracts/inbound.ts';
import { type EventFields, eventFrom, unusable } from './event-fields.ts';
import { type SignedMessage, verifyMessage } from './message-signature.ts';

const EMAIL_EVENT = /^email\./;
const BOUNCED = 'email.bounced';
/** Bounce types after which the same address may be tried again. */
const PASSING_BOUNCES: readonly unknown[] = ['Transient', 'Undetermined'];

/**
 * Verifies a message and reduces it. Events that do not concern an e-mail are passed on without recipients.
 * @throws DomainError unauthenticated for a bad signature, validation_failed for a stale or unusable message,
 * malformed_json for signed bytes that are not JSON
 */
export function readEmailEvent(signed: SignedMessage): EmailEvent {
  const messageId = verifyMessage(signed);
  const event = eventFrom(signed.body);
  const type = event.text('type');
  if (type === null) throw unusable('type');
  const data = EMAIL_EVENT.test(type) ? event.objectOrNull('data') : null;
  return {
    messageId,
    type,
    createdAt: event.instant('created_at')?.toISOString() ?? null,
    data: { to: data?.texts('to') ?? [], subject: data?.text('subject') ?? null },
    emailId: data?.id('email_id') ?? null,
    headerId: headerIdIn(data),
    isPermanentBounce: type === BOUNCED && data !== null && isPermanent(data),
  };
}

/** `<id>` as in the header, or `id` alone. */
function headerIdIn(data: EventFields | null): string | null {
  return data?.text('message_id')?.replace(/^<(.*)>$/, '$1') ?? null;
}

/** A bounce of unstated kind counts as permanent: stopped mail can be resumed, a lost reputation cannot be restored. */
function isPermanent(data: EventFields): boolean {
  return !PASSING_BOUNCES.includes(data.objectOrNull('bounce')?.raw('type'));
}
