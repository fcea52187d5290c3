// Whether a statement can be right, alone and next to others, and which days it covers completely.
import test from 'ava';
import type { ReadStatement } from '../../../../domain/billing/bank/statement.ts';
import { ensureConnected, ensureSound, wholeUntil } from '../../../../domain/billing/bank/whole-days.ts';

const TODAY = '2026-12-01';

const booking = (place: string, bookedOn: string, amountCents: number) => {
  return { place, bookedOn, amountCents, reference: '', description: '', bankId: null };
};
/** November, from 100.00 to 350.00. */
const statement = (changes: Partial<ReadStatement> = {}): ReadStatement => ({
  ...{ number: null, account: '', from: '2026-11-01', to: '2026-11-30', saysDays: true },
  ...{ openingCents: 10_000, closingCents: 35_000 },
  lines: [booking('Row 2', '2026-11-02', 40_000), booking('Row 3', '2026-11-30', -15_000)],
  ...changes,
});

test('the opening balance and the bookings add up to the closing balance, to the cent', (t) => {
  t.notThrows(() => ensureSound(statement(), TODAY));
  t.throws(() => ensureSound(statement({ closingCents: 35_001 }), TODAY), {
    message: 'The opening balance of 100 and the bookings add up to 350, not the closing balance of 350.01.',
  });
  t.notThrows(() => ensureSound(statement({ openingCents: null }), TODAY), 'it does not say both');
  t.notThrows(() => ensureSound(statement({ lines: [], closingCents: 10_000 }), TODAY), 'a month without a booking');
});

test('a day in the future or outside the statement is refused with its booking', (t) => {
  t.throws(() => ensureSound(statement(), '2026-11-29'), { message: /^Row 3: 2026-11-30 is in the future/ });
  t.throws(() => ensureSound(statement({ lines: [], closingCents: 10_000 }), '2026-11-29'), {
    message: /^The statement ends on 2026-11-30, which is in the future/,
  });
  const outside = 'is outside the period of the statement, 2026-11-01 to 2026-11-30.';
  for (const day of ['2026-10-31', '2026-12-01']) {
    const lines = [booking('Row 2', day, 25_000)];
    t.throws(() => ensureSound(statement({ lines }), TODAY), { message: `Row 2: ${day} ${outside}` });
  }
  t.throws(() => ensureSound(statement({ from: '2026-12-01', lines: [], closingCents: 10_000 }), TODAY), {
    message: 'The statement ends before it begins.',
  });
});

test('a statement opens with the closing balance of the one before, whichever is uploaded first', (t) => {
  const kept = (fromDate: string, toDate: string, openingCents: number | null, closingCents: number | null) => {
    return { fromDate, toDate, openingCents, closingCents };
  };
  const october = (closingCents: number | null) => kept('2026-10-01', '2026-10-31', 0, closingCents);
  const december = (openingCents: number | null) => kept('2026-12-01', '2026-12-31', openingCents, 0);
  t.notThrows(() => ensureConnected(statement(), [october(10_000), december(35_000)]));
  t.notThrows(() => ensureConnected(statement(), [october(null), december(null)]));
  t.throws(() => ensureConnected(statement(), [october(9_999)]), {
    message: 'The statement before 2026-11-01 closes with 99.99, and the one that starts on 2026-11-01 opens with 100.',
  });
  t.throws(() => ensureConnected(statement(), [december(35_001)]), {
    message: /closes with 350, .* opens with 350\.01/,
  });
  t.notThrows(() => ensureConnected(statement(), [kept('2026-10-01', '2026-10-30', 0, 1)]), 'a day lies between');
});

test('days are whole that are over, where the statement says its days or adds up', (t) => {
  t.is(wholeUntil(statement(), TODAY), '2026-11-30');
  t.is(wholeUntil(statement(), '2026-11-30'), '2026-11-29', 'more may be booked today');
  t.is(wholeUntil(statement({ saysDays: false }), TODAY), '2026-11-30', 'it adds up');
  t.is(wholeUntil(statement({ openingCents: null }), TODAY), '2026-11-30', 'it says its days');
  t.is(wholeUntil(statement({ openingCents: null, saysDays: false }), TODAY), null);
  t.is(wholeUntil(statement({ from: '2026-11-30' }), '2026-11-30'), null);
});
