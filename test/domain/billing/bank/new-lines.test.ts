// Which bookings of a statement were in no earlier one.
import test from 'ava';
import { comparedLines, type KeptBooking } from '../../../../domain/billing/bank/new-lines.ts';
import type { ReadLine, StatementFormat } from '../../../../domain/billing/bank/statement.ts';

const DAY = '2026-11-20';

const line = (reference: string, bankId: string | null = null, amountCents = 700): ReadLine => {
  return { place: 'Row 2', bookedOn: DAY, amountCents, reference, description: '', bankId };
};
const kept = (format: StatementFormat, reference: string, bankId: string | null = null): KeptBooking => {
  const said = [{ format, reference, description: '', bankId }];
  return { id: `bkl_${reference}`, bookedOn: DAY, amountCents: 700, said };
};
const PARTIAL = { isWhole: () => false, isKeptWhole: () => false };
const WHOLE = { ...PARTIAL, isWhole: () => true };
const KEPT_WHOLE = { ...PARTIAL, isKeptWhole: () => true };

const added = (lines: ReadLine[], format: StatementFormat, all: KeptBooking[], days = PARTIAL) =>
  comparedLines(lines, format, { kept: all, ...days })
    .filter(({ repeatOf }) => repeatOf === null)
    .map((compared) => compared.line.reference);

test('only surplus bookings of the same amount are new on a day that one of two formats covers in full', (t) => {
  t.deepEqual(added([line('ACH A', 'BK1')], 'camt.053', [kept('csv', 'A')], KEPT_WHOLE), []);
  const two = [line('ACH A', 'BK1'), line('ACH B', 'BK2')];
  t.deepEqual(added(two, 'camt.053', [kept('csv', 'A')], WHOLE), ['ACH B']);
  t.deepEqual(added([line('A'), line('C', null, 800)], 'csv', [kept('camt.053', 'ACH A', 'BK1')], WHOLE), ['C']);
});

test('a booking that may be hidden is refused without a matching reference, on a day that neither format has whole', (t) => {
  const message = 'Row 2: the booking of 7 on 2026-11-20 may already be on an earlier statement in another format. ';
  const error = t.throws(() => added([line('Afternoon')], 'camt.053', [kept('csv', 'Morning')]));
  t.true(error.message.startsWith(message));
  t.deepEqual(added([line('ACH A-1001')], 'camt.053', [kept('csv', 'A 1001')]), []);
  t.deepEqual(added([line('Afternoon', null, 800)], 'camt.053', [kept('csv', 'Morning')]), ['Afternoon']);
});

test('a booking that an earlier statement with the whole day lacks is refused', (t) => {
  const message =
    'Row 2: an earlier statement covers all of 2026-11-20 and has no such booking of 7. Withdraw the one that is wrong.';
  t.throws(() => added([line('A'), line('B')], 'csv', [kept('csv', 'A')], KEPT_WHOLE), { message });
  t.throws(() => added([line('A', 'BK2')], 'csv', [kept('csv', 'A', 'BK1')], KEPT_WHOLE), { message });
  t.deepEqual(added([line('in other words')], 'csv', [kept('csv', 'A')], KEPT_WHOLE), [], 'the bank says it otherwise');
});

test('the id of the bank names a booking whatever else is said of it', (t) => {
  const lines = [line('B', 'BK2'), line('A', 'BK1')];
  t.deepEqual(added(lines, 'camt.053', [kept('camt.053', 'other words', 'BK1')]), ['B']);
});

test('within a format another text is another booking, and two that say the same are two', (t) => {
  t.deepEqual(added([line('B')], 'csv', [kept('csv', 'A')]), ['B']);
  t.deepEqual(added([line('A'), line('A')], 'csv', [kept('csv', 'A')]), ['A']);
  t.deepEqual(added([line('A', 'BK2')], 'csv', [kept('csv', 'A', 'BK1')]), ['A'], 'the bank gives them other ids');
});

test('a booking is known in the words of each statement that had it', (t) => {
  const both = kept('csv', 'A');
  both.said = [...both.said, { format: 'camt.053', reference: 'ACH A', description: '', bankId: 'BK1' }];
  t.deepEqual(added([line('changed', 'BK1')], 'camt.053', [both]), []);
  t.deepEqual(added([line('A')], 'csv', [both]), []);
});
