// Signing envelopes: their states, and how a provider's events change them. Spec 3.2.
import { addDays, type BusinessDate, minDate } from '../dates.ts';
import type { DomainError } from '../errors.ts';
import { refusedMove } from '../transition.ts';

export const ENVELOPE_STATUSES = ['created', 'sent', 'viewed', 'completed', 'declined', 'voided', 'expired'] as const;

export type EnvelopeStatus = (typeof ENVELOPE_STATUSES)[number];

/** The reports that a provider may make about an envelope. */
export type ReportedStatus = Exclude<EnvelopeStatus, 'created'>;

/** Statuses after which nothing more happens. */
export type EnvelopeEnd = Exclude<ReportedStatus, 'sent' | 'viewed'>;

/**
 * The providers' event names. The first group is from Spec 3.2; the others are the providers' own. Theirs include no
 * event for one of several signers: the last signer completes the envelope.
 */
const STATUS_BY_EVENT: Readonly<Record<string, ReportedStatus>> = {
  DOCUMENT_COMPLETED: 'completed',
  DOCUMENT_SIGNED: 'completed',
  DOCUMENT_REJECTED: 'declined',
  DOCUMENT_DECLINED: 'declined',
  DOCUMENT_CANCELLED: 'voided',
  DOCUMENT_VOIDED: 'voided',
  DOCUMENT_OPENED: 'viewed',
  DOCUMENT_SENT: 'sent',
  DOCUMENT_EXPIRED: 'expired',
  RECIPIENT_EXPIRED: 'expired',

  Sent: 'sent',
  Viewed: 'viewed',
  Completed: 'completed',
  Declined: 'declined',
  Revoked: 'voided',
  Expired: 'expired',

  'envelope-sent': 'sent',
  'envelope-delivered': 'viewed',
  'envelope-completed': 'completed',
  'envelope-declined': 'declined',
  'envelope-voided': 'voided',
};

/** Returns the status that an event reports, or null for an event that changes none. Spec 3.2. */
export function reportedStatus(event: string): ReportedStatus | null {
  return Object.hasOwn(STATUS_BY_EVENT, event) ? (STATUS_BY_EVENT[event] ?? null) : null;
}

/** Whether nothing more can happen to an envelope. */
export function hasEnvelopeEnded(status: EnvelopeStatus): status is EnvelopeEnd {
  return !['created', 'sent', 'viewed'].includes(status);
}

/**
 * Returns the status after a report: the reported one, whatever came before, until the envelope has ended. A late
 * event undoes neither a signed file nor an end already acted on. A voided overdue envelope counts as expired: we void
 * it, and the provider's report may arrive before our own record. Spec 3.2.
 */
export function envelopeStatusAfter(
  current: EnvelopeStatus,
  reported: ReportedStatus,
  isOverdue = false,
): EnvelopeStatus {
  if (hasEnvelopeEnded(current)) return current;
  return reported === 'voided' && isOverdue ? 'expired' : reported;
}

/** A signer. */
export interface Signer {
  name: string;
  email: string;
}

/** Days after which an unsigned envelope expires, counted from the business date on which it was created. */
const EXPIRES_AFTER_DAYS = 30;
/** How often signers who have not signed are reminded. */
const REMINDED_EVERY_DAYS = 7;

/** Returns the business date on which an envelope created today expires. */
export function envelopeExpiry(today: BusinessDate): BusinessDate {
  return addDays(today, EXPIRES_AFTER_DAYS);
}

/** Returns the business date of the next step after one today: a reminder, or expiration if that comes first. */
export function nextStepAfter(today: BusinessDate, expiresOn: BusinessDate): BusinessDate {
  return minDate(addDays(today, REMINDED_EVERY_DAYS), expiresOn);
}

/**
 * Refuses to void an envelope that has ended.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`
 */
export function ensureEnvelopeVoidable(status: EnvelopeStatus): void {
  if (hasEnvelopeEnded(status)) throw refusedVoid(status);
}

/** The refusal to void an envelope with this status. */
export function refusedVoid(status: EnvelopeStatus): DomainError {
  return refusedMove('envelope', status, 'void', []);
}
