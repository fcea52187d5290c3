// The status that a provider's event gives an envelope. Expected values are those of the specification and of the
// providers' own lists of events.
import test from 'ava';
import {
  type EnvelopeStatus,
  envelopeStatusAfter,
  type ReportedStatus,
  reportedStatus,
} from '../../../domain/signing/envelope.ts';

const REPORTED: Record<string, ReportedStatus | null> = {
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
  // One of several signers has signed.
  Signed: null,
  'recipient-completed': null,
  Verification: null,
  document_completed: null,
  toString: null,
  '': null,
};

test('each event of the specification and of the providers reports its status, and any other reports none', (t) => {
  for (const [event, status] of Object.entries(REPORTED)) t.is(reportedStatus(event), status, event);
});

const OPEN: EnvelopeStatus[] = ['created', 'sent', 'viewed'];
const ENDED: EnvelopeStatus[] = ['completed', 'declined', 'voided', 'expired'];
const REPORTS: ReportedStatus[] = ['sent', 'viewed', 'completed', 'declined', 'voided', 'expired'];

test('an open envelope takes whatever status is reported, and one that has ended keeps its own', (t) => {
  for (const reported of REPORTS) {
    for (const status of OPEN) t.is(envelopeStatusAfter(status, reported), reported, `${status}, ${reported}`);
    for (const status of ENDED) {
      for (const isOverdue of [false, true]) {
        t.is(envelopeStatusAfter(status, reported, isOverdue), status, `${status}, ${reported}`);
      }
    }
  }
});

test('an overdue envelope that is reported as voided has expired', (t) => {
  for (const status of OPEN) {
    t.is(envelopeStatusAfter(status, 'voided', true), 'expired', status);
    t.is(envelopeStatusAfter(status, 'completed', true), 'completed', status);
  }
});
