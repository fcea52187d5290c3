// Business dates: calendar days and an organization's clock offset.
import test from 'ava';
import { Temporal } from 'temporal-polyfill';
import { businessDateAt, startOfDayMs } from '../../domain/business-day.ts';
import {
  addDays,
  addMonths,
  addYears,
  daysBetween,
  firstDayOf,
  isMonth,
  isRealDate,
  lastDayOf,
  maxDate,
  minDate,
  monthAfter,
  monthOf,
  yearOf,
} from '../../domain/dates.ts';
import { fc } from '../support/fixed/chance.ts';

const date = fc
  .integer({ min: -25_000, max: 300_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

test('Only days that exist, written in full and within the years of business, are dates', (t) => {
  for (const real of ['2026-02-28', '2024-02-29', '2000-02-29', '1900-01-01', '2999-12-31']) t.true(isRealDate(real));
  for (const wrong of [
    ...[
      '2026-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-04-31',
      '2026-1-5',
      '2026-01-05T00:00',
      '1899-12-31',
    ],
    ...['3000-01-01', '0000-01-01', '+002026-01-01', '', 'today', 20260101, null, undefined, ['2026-01-01']],
  ]) {
    t.false(isRealDate(wrong), String(wrong));
  }
});

test('Months are clamped to the end of the month and counted from the anchor', (t) => {
  t.is(addMonths('2026-01-31', 1), '2026-02-28');
  t.is(addMonths('2026-01-31', 2), '2026-03-31');
  t.is(addMonths('2024-01-31', 1), '2024-02-29');
  t.is(addMonths('2026-11-30', 3), '2027-02-28');
  t.is(addMonths('2026-12-15', 1), '2027-01-15');
});

test('Days are counted as the calendar counts them, whatever leap days lie between', (t) => {
  fc.assert(
    fc.property(date, fc.integer({ min: -2_000, max: 2_000 }), (from, days) => {
      const to = Temporal.PlainDate.from(from).add({ days }).toString();
      return addDays(from, days) === to && daysBetween(from, to) === days && daysBetween(to, from) === 0 - days;
    }),
  );
  t.is(daysBetween('2028-02-28', '2028-03-01'), 2);
  t.is(daysBetween('1900-02-28', '1900-03-01'), 1);
});

test('Adding months keeps the day of the month wherever the month has it', (t) => {
  fc.assert(
    fc.property(date, fc.integer({ min: 0, max: 60 }), (from, months) => {
      const [year = 0, month = 0, day = 0] = from.split('-').map(Number);
      const index = year * 12 + (month - 1) + months;
      const lastDay = new Date(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).getUTCDate();
      const [y, m, d] = [Math.floor(index / 12), (index % 12) + 1, Math.min(day, lastDay)];
      return addMonths(from, months) === `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
    }),
  );
  t.pass();
});

test('A year after 29 February is 28 February', (t) => {
  t.is(addYears('2024-02-29', 1), '2025-02-28');
  t.is(addYears('2026-11-21', 1), '2027-11-21');
});

test('Days are counted across leap years and backwards', (t) => {
  t.is(daysBetween('2025-05-27', '2026-01-01'), 219);
  t.is(daysBetween('2025-01-01', '2026-01-01'), 365);
  t.is(daysBetween('2024-01-01', '2025-01-01'), 366);
  t.is(daysBetween('2026-03-01', '2026-02-28'), -1);
  fc.assert(
    fc.property(
      date,
      fc.integer({ min: -5000, max: 5000 }),
      (from, days) => daysBetween(from, addDays(from, days)) === days,
    ),
  );
});

test('The earliest and the latest of dates are found, and the year', (t) => {
  t.is(minDate('2026-03-01', '2026-02-01', '2027-01-01'), '2026-02-01');
  t.is(maxDate('2026-03-01', '2026-02-01', '2027-01-01'), '2027-01-01');
  t.is(maxDate('2026-03-01'), '2026-03-01');
  t.is(yearOf('2026-11-21'), 2026);
});

test('A month is written YYYY-MM between 1900 and 2999, and has a first and a last day', (t) => {
  for (const text of ['1900-01', '2026-12', '2999-12']) t.true(isMonth(text), text);
  for (const text of ['0000-01', '1899-12', '3000-01', '2026-13', '2026-00', '2026-1', '2026-01-01', '2026', '']) {
    t.false(isMonth(text), text);
  }
  t.is(monthOf('2026-11-21'), '2026-11');
  t.deepEqual(
    [monthAfter('2026-12'), monthAfter('2026-01', -1), monthAfter('2026-03', 10)],
    ['2027-01', '2025-12', '2027-01'],
  );
  t.deepEqual(
    [firstDayOf('2028-02'), lastDayOf('2028-02'), lastDayOf('2999-12')],
    ['2028-02-01', '2028-02-29', '2999-12-31'],
  );
});

test('The business date is the UTC date plus the offset, and its day begins where the last one ends', (t) => {
  const lastMoment = Date.UTC(2026, 10, 21, 23, 59, 59, 999);
  t.is(businessDateAt(lastMoment, 0), '2026-11-21');
  t.is(businessDateAt(lastMoment + 1, 0), '2026-11-22');
  t.is(businessDateAt(lastMoment, 40), '2026-12-31');
  t.is(businessDateAt(-1, 0), '1969-12-31');
  t.is(startOfDayMs('2026-11-21', 0), Date.UTC(2026, 10, 21));
  t.is(startOfDayMs('2026-12-31', 40), Date.UTC(2026, 10, 21));
  fc.assert(
    fc.property(date, fc.integer({ min: 0, max: 800 }), (day, offset) => {
      const start = startOfDayMs(day, offset);
      return businessDateAt(start, offset) === day && businessDateAt(start - 1, offset) === addDays(day, -1);
    }),
  );
});
