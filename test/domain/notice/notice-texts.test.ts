// What the insured reads: dates as people write them, the grounds, and what ends along with coverage.
import test from 'ava';
import type { NoticeKind } from '../../../domain/notice/notice-kind.ts';
import { type NoticeFacts, noticeText } from '../../../domain/notice/notice-texts.ts';

const FACTS: NoticeFacts = {
  organization: 'Harbor Specialty',
  insuredName: "Joe's Diner",
  policyNumber: 'GL-1',
  state: 'TX',
  lineOfBusiness: 'GL',
  reason: null,
  endsOn: '2026-03-11',
  expiresOn: '2026-09-01',
  payTo: [],
  pastDue: [{ invoiceNumber: 'INV-1', dueDate: '2026-02-09', balanceCents: 139_714 }],
};

const textOf = (kind: NoticeKind, changes: Partial<NoticeFacts> = {}) =>
  noticeText(kind, { ...FACTS, ...changes }).text.split('\n\n');

test('a cancellation and a non-renewal say when coverage ends, and why', (t) => {
  const contact = 'If you have questions about this notice, contact your agent or Harbor Specialty.';
  t.deepEqual(textOf('cancellation', { reason: 'Fraud.' }), [
    "Joe's Diner,",
    'We are cancelling your policy GL-1, effective March 11, 2026. Coverage ends at 12:01 a.m. on March 11, 2026. ' +
      'We will not cover any loss that occurs on or after that date.',
    'Reason: Fraud.',
    contact,
    'Harbor Specialty\n',
  ]);
  t.deepEqual(textOf('non_renewal', { reason: 'loss_ratio above 80%' }).slice(1, 4), [
    'We will not renew your policy GL-1. It expires on September 1, 2026. Coverage ends at 12:01 a.m. on ' +
      'September 1, 2026. We will not cover any loss that occurs on or after that date.',
    'Reason: loss_ratio above 80%',
    contact,
  ]);
});

test('a notice on a claims-made basis says that claims first made are no longer covered', (t) => {
  for (const lineOfBusiness of ['PL', 'CYBER'])
    for (const kind of ['notice', 'move', 'cancellation', 'non_renewal', 'not_taken'] as const) {
      const text = textOf(kind, { lineOfBusiness }).join(' ');
      t.true(text.includes('any claim first made on or after that date, unless an extended reporting period'), kind);
      t.false(text.includes('loss that occurs'), kind);
    }
});

test('no notice has a date in the format of programs', (t) => {
  const kinds = ['past_due', 'notice', 'move', 'withdraw', 'rescind', 'lapse', 'not_taken', 'cancellation'] as const;
  for (const kind of [...kinds, 'non_renewal', 'non_renewal_withdrawal'] as const)
    t.notRegex(textOf(kind).join(' '), /\d{4}-\d{2}|null/, kind);
  t.true(textOf('past_due').includes('Past due: $1,397.14\n  INV-1, due February 9, 2026: $1,397.14'));
});

test('a request for payment says where to pay, if the organization has recorded it', (t) => {
  const payTo = ['Harbor Premium Trust', 'Lockbox 12'];
  const where = 'Where to pay:\n  Harbor Premium Trust\n  Lockbox 12';
  for (const kind of ['past_due', 'notice', 'move'] as const) {
    t.true(textOf(kind, { payTo }).includes(where), kind);
    t.notRegex(textOf(kind).join(' '), /Where to pay/, kind);
  }
});

test('the notice of a lapse names the refund that is due to the insured, if there is one', (t) => {
  t.true(textOf('lapse', { refundCents: 364_850 }).includes('A refund of $3,648.50 for this policy is due to you.'));
  for (const changes of [{}, { refundCents: 0 }]) t.notRegex(textOf('lapse', changes).join(' '), /refund/i);
});
