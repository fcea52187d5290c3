import test from 'ava';
import { nextChargeOn, suspensionAfter } from '../../../domain/billing/autopay.ts';

test('a bill is charged on its due date, then 3 and 7 days after the first charge, and no more', (t) => {
  const dueDate = '2026-02-27';
  t.is(nextChargeOn({ dueDate, lastTriedOn: null, failures: 0 }), '2026-02-27');
  t.is(nextChargeOn({ dueDate, lastTriedOn: '2026-02-27', failures: 1 }), '2026-03-02');
  t.is(nextChargeOn({ dueDate, lastTriedOn: '2026-03-02', failures: 2 }), '2026-03-06');
  t.is(nextChargeOn({ dueDate, lastTriedOn: '2026-03-06', failures: 3 }), null);
});

test('a bill already overdue when the card was entered is retried counting from its first charge', (t) => {
  t.is(nextChargeOn({ dueDate: '2026-02-01', lastTriedOn: '2026-02-10', failures: 1 }), '2026-02-13');
});

test('a retry that came late does not bring the next one close to it', (t) => {
  t.is(nextChargeOn({ dueDate: '2026-02-01', lastTriedOn: '2026-02-20', failures: 2 }), '2026-02-24');
});

test('the third refusal suspends; a card that cannot succeed does so at the first', (t) => {
  t.is(suspensionAfter('insufficient_funds', 1), null);
  t.is(suspensionAfter(null, 2), null);
  t.is(suspensionAfter('insufficient_funds', 3), 'card_declined');
  t.is(suspensionAfter('authentication_required', 1), 'authentication_required');
  for (const code of ['expired_card', 'lost_card', 'stolen_card']) t.is(suspensionAfter(code, 1), 'card_unusable');
});
