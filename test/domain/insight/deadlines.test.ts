// A filing's calendar, the months of a period, and the loss triangle, by hand.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { filingStatus, firstDeadlineStep, type OpenDeadline, turnDeadline } from '../../../domain/insight/deadlines.ts';
import { lossTriangle } from '../../../domain/insight/loss-triangle.ts';
import { fractionOf, knownPeriod, monthsOf } from '../../../domain/insight/portfolio.ts';

const DUE = '2026-04-15';

/** Steps through the days up to a week after the due date, and returns the days left at each step. */
function steps(from: string): number[] {
  let filing: OpenDeadline = { dueDate: DUE, announcedDays: [], missedOn: null };
  const said: number[] = [];
  for (let today = from; today <= '2026-04-22'; today = addDays(today, 1)) {
    const turn = turnDeadline(filing, today);
    if (turn === null) continue;
    said.push(turn.daysLeft);
    filing = turn.kind === 'missed' ? { ...filing, missedOn: today } : { ...filing, announcedDays: turn.announcedDays };
  }
  return said;
}

test('a filing is announced at 30, 7 and 1 days and overdue once', (t) => {
  t.deepEqual(steps('2026-01-01'), [30, 7, 1, -1]);
  t.is(firstDeadlineStep({ dueDate: DUE }), '2026-03-16');
});

test('a filing that is first seen inside a window is announced once, for the nearest one', (t) => {
  t.deepEqual(steps('2026-03-26'), [20, 7, 1, -1]);
  t.deepEqual(steps('2026-04-10'), [5, 1, -1]);
  t.deepEqual(steps(DUE), [0, -1]);
  t.deepEqual(steps('2026-04-20'), [-5]);
});

test('an open filing is overdue from the day after its due date', (t) => {
  t.is(filingStatus({ status: 'open', dueDate: DUE }, DUE), 'open');
  t.is(filingStatus({ status: 'open', dueDate: DUE }, '2026-04-16'), 'overdue');
  t.is(filingStatus({ status: 'filed', dueDate: DUE }, '2026-04-16'), 'filed');
});

test('a period is divided into its months, and known up to today only', (t) => {
  t.deepEqual(monthsOf('2024-01-15', '2024-03-01'), [
    { label: '2024-01', first: '2024-01-15', last: '2024-01-31' },
    { label: '2024-02', first: '2024-02-01', last: '2024-02-29' },
    { label: '2024-03', first: '2024-03-01', last: '2024-03-01' },
  ]);
  const year = { label: 'a year', first: '2024-01-01', last: '2024-12-31' };
  t.deepEqual(knownPeriod(year, '2024-02-10'), { ...year, last: '2024-02-10' });
  t.deepEqual(knownPeriod(year, '2023-12-30'), { label: 'a year', first: '2023-12-31', last: '2023-12-30' });
});

test('a ratio has four decimals, and is unknown where nothing is earned', (t) => {
  t.is(fractionOf(1, 3), 0.3333);
  t.is(fractionOf(-50, 100), -0.5);
  t.is(fractionOf(5, 0), null);
  t.is(fractionOf(5, -10), null);
});

test('losses are summed from year end to year end, up to the present year', (t) => {
  const moved = [
    { accidentYear: 2024, lag: 0, incurredCents: 1000, paidCents: 0 },
    { accidentYear: 2024, lag: 2, incurredCents: -300, paidCents: 700 },
    { accidentYear: 2026, lag: 0, incurredCents: 50, paidCents: 0 },
  ];
  t.deepEqual(lossTriangle(moved, 2026), [
    {
      accidentYear: 2024,
      developments: [
        { months: 12, isOpen: false, incurredCents: 1000, paidCents: 0 },
        { months: 24, isOpen: false, incurredCents: 1000, paidCents: 0 },
        { months: 36, isOpen: true, incurredCents: 700, paidCents: 700 },
      ],
    },
    { accidentYear: 2026, developments: [{ months: 12, isOpen: true, incurredCents: 50, paidCents: 0 }] },
  ]);
});
