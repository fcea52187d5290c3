// The wording of the e-mails about automatic payments. Decision 0165.
import test from 'ava';
import { AUTOPAY_TEXTS, type ChargeNoticeFacts } from '../../../domain/notice/autopay-texts.ts';

const CHARGE: ChargeNoticeFacts = {
  invoiceNumber: 'INV-2026-000012',
  dueDate: '2026-03-01',
  balanceCents: 123_456,
  card: { brand: 'Visa', last4: '4242' },
  nextOn: null,
  reason: null,
};

const failed = (nextOn: string | null) =>
  AUTOPAY_TEXTS.autopay_failed({ organization: 'Lone Star MGA', charge: { ...CHARGE, nextOn } }).paragraphs;

test('an e-mail about a failed payment names the day of the next attempt, and no day when there is none', (t) => {
  t.is(
    failed('2026-03-04').at(-1),
    'We will try again on March 4, 2026. You can pay the bill yourself before then, or give us another card.',
  );
  t.is(failed(null).at(-1), 'Please pay the bill yourself, or give us another card.');
});

test('every e-mail about a card says which bill it is, how much is owed and on which card', (t) => {
  for (const text of Object.values(AUTOPAY_TEXTS)) {
    const words = text({ organization: 'Lone Star MGA', charge: CHARGE }).paragraphs.join('\n');
    for (const fact of ['INV-2026-000012', 'March 1, 2026', '$1,234.56', 'Visa card ending in 4242']) {
      t.true(words.includes(fact), fact);
    }
  }
});
