// Which bookings of a statement no earlier one had.
import test from 'ava';
import { type KeptLine, newLines } from '../../../../domain/billing/bank/new-lines.ts';
import type { StatementLine } from '../../../../domain/billing/bank/statement.ts';

const line = (reference: string, bankId: string | null = null, amountCents = 700): StatementLine => {
  return { bookedOn: '2026-11-20', amountCents, reference, description: '', bankId };
};
const inCsv = (each: StatementLine): KeptLine => ({ ...each, format: 'csv' });
const inCamt = (each: StatementLine): KeptLine => ({ ...each, format: 'camt.053' });
const added = (lines: StatementLine[], format: 'csv' | 'camt.053', kept: KeptLine[]) =>
  newLines(lines, format, kept).map(({ reference }) => reference);

test('the same bookings in another format are known, and only what is more of them is new', (t) => {
  t.deepEqual(added([line('ACH A', 'BK1')], 'camt.053', [inCsv(line('A'))]), []);
  t.deepEqual(added([line('ACH A', 'BK1'), line('ACH B', 'BK2')], 'camt.053', [inCsv(line('A'))]), ['ACH B']);
  t.deepEqual(added([line('A'), line('C', null, 800)], 'csv', [inCamt(line('ACH A', 'BK1'))]), ['C']);
});

test('the id of the bank names a booking whatever else is said of it', (t) => {
  t.deepEqual(added([line('B', 'BK2'), line('A', 'BK1')], 'camt.053', [inCamt(line('other words', 'BK1'))]), ['B']);
});

test('within a format another text is another booking, and two that say the same are two', (t) => {
  t.deepEqual(added([line('B')], 'csv', [inCsv(line('A'))]), ['B']);
  t.deepEqual(added([line('A'), line('A')], 'csv', [inCsv(line('A'))]), ['A']);
  t.deepEqual(added([line('A', 'BK2')], 'csv', [inCsv(line('A', 'BK1'))]), ['A'], 'the bank gives them other ids');
});
