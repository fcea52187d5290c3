// Which bank booking corresponds to which ledger movement.
import test from 'ava';
import { matchesOf, type OpenLine, type OpenMovement } from '../../../../domain/billing/bank/matching.ts';
import { centsIn } from '../../../../domain/billing/bank/statement.ts';

const line = (id: string, amountCents: number, text: string, bookedOn = '2026-11-20', reference = ''): OpenLine => {
  return { id, bookedOn, amountCents, reference, description: text };
};
const movement = (id: string, amountCents: number, references: string[], date = '2026-11-18'): OpenMovement => {
  const sourceId = `pay_${id}0000`;
  return { id, date, amountCents, sourceId, references: [sourceId, ...references] };
};
const matched = (lines: OpenLine[], movements: OpenMovement[]) =>
  matchesOf(lines, movements).map(({ lineId, movementId, rule }) => [lineId, movementId, rule]);

test('a booking is the movement of its amount whose reference it names, in whatever case and punctuation', (t) => {
  const movements = [movement('m1', -40_000, ['Check 4711']), movement('m2', -40_000, ['Check 4712'])];
  t.deepEqual(matched([line('l1', -40_000, 'CHECK-4712 PAID')], movements), [['l1', 'm2', 'reference']]);
  t.deepEqual(matched([line('l1', -40_001, 'CHECK-4712 PAID')], movements), [], 'a cent more is something else');
  t.deepEqual(
    matched([line('l1', -40_000, 'CHECK-47120 PAID')], [movement('m2', -40_000, ['Check 4712'], '2026-01-01')]),
    [],
  );
});

test('a check that is cashed months later is matched by its number, and never by its amount alone', (t) => {
  const check = movement('m1', -40_000, ['4711'], '2026-07-01');
  t.deepEqual(matched([line('l1', -40_000, 'Check 4711')], [check]), [['l1', 'm1', 'reference']]);
  t.deepEqual(matched([line('l1', -40_000, 'Check')], [check]), []);
});

test('the amount is enough without a reference when nothing else within five days could be meant', (t) => {
  const payout = movement('m1', 426_204, ['po_1'], '2026-11-15');
  t.deepEqual(matched([line('l1', 426_204, 'STRIPE TRANSFER')], [payout]), [['l1', 'm1', 'amount']]);
  t.deepEqual(matched([line('l1', 426_204, 'STRIPE', '2026-11-21')], [payout]), [], 'six days later');
  const twins = [line('l1', 426_204, 'STRIPE'), line('l2', 426_204, 'STRIPE')];
  t.deepEqual(matched(twins, [payout]), [], 'either may be it');
  t.deepEqual(matched(twins.slice(1), [payout, movement('m2', 426_204, ['po_2'])]), [], 'it may be either');
});

test('a match by reference leaves the other one to the amount', (t) => {
  const lines = [line('l1', 100, 'Wire A-1001'), line('l2', 100, 'Deposit')];
  const movements = [movement('m1', 100, ['A-1001']), movement('m2', 100, ['A-1002'])];
  t.deepEqual(matched(lines, movements), [
    ['l1', 'm1', 'reference'],
    ['l2', 'm2', 'amount'],
  ]);
});

test('a name without a digit or of a few characters says nothing, and a check is never matched by its amount alone', (t) => {
  for (const name of ['WIRE', 'ACH', '1']) {
    const far = movement('m1', 100, [name], '2026-10-01');
    t.deepEqual(matched([line('l1', 100, `Incoming ${name}`)], [far]), [], name);
  }
  t.deepEqual(matched([line('l1', -100, 'Check #4711')], [movement('m1', -100, ['4712'])]), []);
});

test('a short number is the number of a check or all of the reference, and nothing else', (t) => {
  for (const text of ['CHECK 101', 'Chk #101', 'Check no. 101 paid', 'CK NUMBER 101']) {
    t.deepEqual(matched([line('l1', -100, text)], [movement('m1', -100, ['101'])]), [['l1', 'm1', 'reference']], text);
  }
  const inReference = line('l1', -100, 'Paid', '2026-11-20', '101');
  t.deepEqual(matched([inReference], [movement('m1', -100, ['101'])]), [['l1', 'm1', 'reference']]);
  const far = movement('m1', -100, ['101'], '2026-10-01');
  for (const text of ['Branch 101', 'CHECK 1011', 'CHECK 20 101']) {
    t.deepEqual(matched([line('l1', -100, text)], [far]), [], text);
  }
  const both = [movement('m1', -100, ['101']), movement('m2', -100, ['102'])];
  t.deepEqual(matched([line('l1', -100, 'CHECK 102'), line('l2', -100, 'CHECK 101')], both), [
    ['l1', 'm2', 'reference'],
    ['l2', 'm1', 'reference'],
  ]);
});

test('a booking that names a check by letters and digits is that check or nothing', (t) => {
  t.deepEqual(matched([line('l1', -100, 'CHECK CH1')], [movement('m1', -100, ['REF1'])]), []);
  t.deepEqual(matched([line('l1', -100, 'CHECK DEPOSIT')], [movement('m1', -100, ['REF1'])]), [['l1', 'm1', 'amount']]);
});

test('two references that differ are two things, whatever the amount', (t) => {
  const named = (reference: string) => line('l1', 100, 'Deposit', '2026-11-20', reference);
  const payment = movement('m1', 100, ['Check 4712']);
  t.deepEqual(matched([named('4711')], [payment]), []);
  t.deepEqual(matched([named('TRACE 091000019')], [payment]), []);
  t.deepEqual(matched([named('NONREF')], [payment]), [['l1', 'm1', 'amount']], 'that is no reference');
  const transfer = movement('m2', 100, []);
  t.deepEqual(matched([named('TRACE 091000019')], [transfer]), [['l1', 'm2', 'amount']], 'others have no name for it');
});

test('a check whose number stands in the reference alone is that check or nothing', (t) => {
  const transfer = movement('m1', -100, []);
  for (const text of ['Check', 'CHECK PAID', 'paid chk']) {
    t.deepEqual(matched([line('l1', -100, text, '2026-11-20', '4711')], [transfer]), [], text);
  }
  t.deepEqual(matched([line('l1', -100, 'Paid', '2026-11-20', 'CHECK-4711')], [transfer]), []);
  t.deepEqual(matched([line('l1', -100, 'Wire out')], [transfer]), [['l1', 'm1', 'amount']]);
});

test('many bookings of the same amount and day are left to a person without delay', (t) => {
  const lines = Array.from({ length: 2_000 }, (_, at) => line(`l${at}`, 100, 'Deposit'));
  const movements = Array.from({ length: 2_000 }, (_, at) => movement(`m${at}`, 100, [`R-${at}`]));
  t.deepEqual(matched(lines, movements), []);
});

test('two movements with the same reference are left to a person', (t) => {
  const movements = [movement('m1', 100, ['7'], '2026-01-01'), movement('m2', 100, ['7'], '2026-01-02')];
  t.deepEqual(matched([line('l1', 100, 'Check 7', '2026-03-01')], movements), []);
});

test('amounts are read as banks write them', (t) => {
  const read = ['1,234.50', '-7', '(7.00)', '$12.3', '+5.00', '0.10', '1,230'].map(centsIn);
  t.deepEqual(read, [123_450, -700, -700, 1_230, 500, 10, 123_000]);
  for (const wrong of [
    '',
    'abc',
    '1.234,50',
    '12.345',
    '1.230',
    '12.3400',
    '--7',
    '(-7)',
    '1,23',
    '1e5',
    '9'.repeat(13),
  ]) {
    t.is(centsIn(wrong), null, wrong);
  }
});
