// Days of a term, and the premium earned by a given day.
import test from 'ava';
import { coveredDaysLeft, daysLeft, daysOfTerm, earnedPremium, premiumParts } from '../../../domain/policy/term.ts';
import { newBusiness, row, TERM } from './rows.ts';

test('A term of a year has 365 days, and 366 with a 29 February in it', (t) => {
  t.is(daysOfTerm(TERM), 365);
  t.is(daysOfTerm({ effectiveDate: '2023-06-01', expirationDate: '2024-06-01' }), 366);
  t.is(daysOfTerm({ effectiveDate: '2024-02-29', expirationDate: '2025-02-28' }), 365);
  t.is(daysOfTerm({ effectiveDate: '2024-02-28', expirationDate: '2025-02-28' }), 366);
});

test('The days left are all before the term, none after it, and 219 from 27 May', (t) => {
  t.is(daysLeft(TERM, '2024-12-01'), 365);
  t.is(daysLeft(TERM, '2025-01-01'), 365);
  t.is(daysLeft(TERM, '2025-05-27'), 219);
  t.is(daysLeft(TERM, '2025-12-31'), 1);
  t.is(daysLeft(TERM, '2026-01-01'), 0);
  t.is(daysLeft(TERM, '2027-01-01'), 0);
});

test('Days of a gap are not covered', (t) => {
  const gaps = [{ from: '2025-06-01', to: '2025-07-01', premiumCents: 0, cancellationId: 'ptx_2', sequence: 3 }];
  t.is(coveredDaysLeft(TERM, gaps, '2025-05-27'), 189);
  t.is(coveredDaysLeft(TERM, gaps, '2025-06-21'), 184);
  t.is(coveredDaysLeft(TERM, gaps, '2025-07-01'), 184);
});

test('A year of 10,000.00 has earned 4,000.00 after 146 of 365 days, nothing on the first day and all on the last', (t) => {
  const stack = [newBusiness(1_000_000)];
  const earned = (on: string) => earnedPremium(stack, TERM, { on, today: '2025-01-01' }).earnedCents;
  t.is(earned('2024-12-01'), 0);
  t.is(earned('2025-01-01'), 0);
  t.is(earned('2025-05-27'), 400_000);
  t.is(earned('2026-01-01'), 1_000_000);
});

test('An endorsement earns from its own day, and its effect on a later one from the day of the later one', (t) => {
  const stack = [
    newBusiness(36_500),
    row({ type: 'endorsement', sequence: 2, effectiveDate: '2025-12-22', premiumChangeCents: 1000 }),
    row({
      type: 'endorsement',
      sequence: 3,
      effectiveDate: '2025-12-12',
      premiumChangeCents: 2500,
      reapplied: [{ transactionId: 'ptx_2', premiumChangeCents: 500 }],
    }),
  ];
  t.deepEqual(
    premiumParts(stack).map(({ transactionId, effectiveDate, premiumCents }) => [
      transactionId,
      effectiveDate,
      premiumCents,
    ]),
    [
      ['ptx_1', '2025-01-01', 36_500],
      ['ptx_2', '2025-12-22', 1000],
      ['ptx_3', '2025-12-12', 2000],
      ['ptx_2', '2025-12-22', 500],
    ],
  );
  const earned = (on: string) => earnedPremium(stack, TERM, { on, today: '2025-01-01' });
  t.deepEqual(earned('2025-12-12'), { writtenCents: 40_000, earnedCents: 34_500, unearnedCents: 5500 });
  // Ten days at 1.00, plus ten of the twenty days of 20.00.
  t.is(earned('2025-12-22').earnedCents, 34_500 + 1000 + 1000);
  // Five more days, plus half of the ten days of 10.00 and 5.00.
  t.is(earned('2025-12-27').earnedCents, 36_500 + 500 + 500 + 750);
});

test('Premium a cancellation leaves is earned on its day; before that day premium earns as it would have', (t) => {
  const stack = [
    newBusiness(1_000_000),
    row({ type: 'cancellation', sequence: 2, effectiveDate: '2025-05-27', premiumChangeCents: -540_000 }),
  ];
  const earned = (on: string, today = '2025-05-27') => earnedPremium(stack, TERM, { on, today });
  t.deepEqual(earned('2025-03-15'), { writtenCents: 460_000, earnedCents: 200_000, unearnedCents: 260_000 });
  t.deepEqual(earned('2025-05-27'), { writtenCents: 460_000, earnedCents: 460_000, unearnedCents: 0 });
  const scheduled = earned('2025-05-27', '2025-05-01');
  t.deepEqual(scheduled, { writtenCents: 1_000_000, earnedCents: 400_000, unearnedCents: 600_000 });
});

test('Nothing is earned in a gap in coverage', (t) => {
  // 30 days without coverage are 821.92 of 10,000.00.
  const stack = [
    newBusiness(1_000_000),
    row({ type: 'cancellation', sequence: 2, effectiveDate: '2025-05-27', premiumChangeCents: -600_000 }),
    row({ type: 'reinstatement', sequence: 3, effectiveDate: '2025-06-26', premiumChangeCents: 517_808 }),
  ];
  const earned = (on: string) => earnedPremium(stack, TERM, { on, today: '2025-06-26' }).earnedCents;
  t.is(earned('2025-05-27'), 400_000);
  t.is(earned('2025-06-10'), 400_000);
  t.is(earned('2025-06-26'), 400_000);
  t.is(earned('2026-01-01'), 917_808);
});
