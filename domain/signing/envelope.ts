// Signing envelopes: their states, and what an event of the provider makes of one. Spec 3.2.
import { addDays, type BusinessDate, minDate } from '../dates.ts';
import type { DomainError } from '../errors.ts';
import { refusedMove } from '../transition.ts';

export const ENVELOPE_STATUSES = ['created', 'sent', 'viewed', 'completed', 'declined', 'voided', 'expired'] as const;

export type EnvelopeStatus = (typeof ENVELOPE_STATUSES)[number];

/** What a provider may say about an envelope. */
export type ReportedStatus = Exclude<EnvelopeStatus, 'created'>;

/** A status after which nothing more happens. */
export type EnvelopeEnd = Exclude<ReportedStatus, 'sent' | 'viewed'>;

/**
 * The names that providers give to their events. Spec 3.2 has the first group; the others are the providers' own. That
 * one of several signers has signed is in none of their own: the envelope is completed by the last.
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

/** Gives the status that an event reports, or null for an event that changes none. Spec 3.2. */
export function reportedStatus(event: string): ReportedStatus | null {
  return Object.hasOwn(STATUS_BY_EVENT, event) ? (STATUS_BY_EVENT[event] ?? null) : null;
}

/** Whether nothing more can happen to an envelope. */
export function hasEnvelopeEnded(status: EnvelopeStatus): status is EnvelopeEnd {
  return !['created', 'sent', 'viewed'].includes(status);
}

/**
 * Gives the status after a report: the reported one, whichever came before, until the envelope has ended. A late event
 * undoes neither a signed file nor an end that has been acted on. An overdue envelope that is taken back has expired:
 * we take it back, and the provider's report may be quicker than our own note. Spec 3.2.
 */
export function envelopeStatusAfter(
  current: EnvelopeStatus,
  reported: ReportedStatus,
  isOverdue = false,
): EnvelopeStatus {
  if (hasEnvelopeEnded(current)) return current;
  return reported === 'voided' && isOverdue ? 'expired' : reported;
}

/** Somebody who is to sign. */
export interface Signer {
  name: string;
  email: string;
}

/** An envelope that nobody has signed by then has expired, counted from the business date on which it was made. */
const EXPIRES_AFTER_DAYS = 30;
/** Signers who have not signed are reminded this often. */
const REMINDED_EVERY_DAYS = 7;

/** Gives the business date on which an envelope made today expires. */
export function envelopeExpiry(today: BusinessDate): BusinessDate {
  return addDays(today, EXPIRES_AFTER_DAYS);
}

/** Gives the business date of the next step after one today: a reminder, or the expiry where that comes first. */
export function nextStepAfter(today: BusinessDate, expiresOn: BusinessDate): BusinessDate {
  return minDate(addDays(today, REMINDED_EVERY_DAYS), expiresOn);
}

/**
 * Refuses to void an envelope that has come to an end.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`
 */
export function ensureEnvelopeVoidable(status: EnvelopeStatus): void {
  if (hasEnvelopeEnded(status)) throw refusedVoid(status);
}

/** The refusal to void an envelope that has this status. */
export function refusedVoid(status: EnvelopeStatus): DomainError {
  return refusedMove('envelope', status, 'void', []);
}
