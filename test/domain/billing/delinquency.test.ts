// The clock of a policy with an unpaid bill.
import test from 'ava';
import { uncoveredBills } from '../../../domain/billing/covered-bills.ts';
import {
  type DelinquencyFacts,
  type DelinquencyStep,
  nextDelinquencyStep,
} from '../../../domain/billing/delinquency.ts';

const UNPAID = [
  { id: 'inv_5', dueDate: '2025-05-01' },
  { id: 'inv_4', dueDate: '2025-04-01' },
];

function next(today: string, given: Partial<DelinquencyFacts> = {}): DelinquencyStep | null {
  const facts = {
    state: 'TX',
    unpaid: UNPAID,
    holds: [],
    noticeSentOn: null,
    remindedUntil: null,
    coverageEndsOn: '2026-01-01',
  };
  return nextDelinquencyStep({ ...facts, ...given }, today);
}

test('An invoice is past due the day after its due date, and the next one a month later', (t) => {
  t.deepEqual(next('2025-03-01'), { step: 'past_due', on: '2025-04-02', invoiceIds: ['inv_4'] });
  t.deepEqual(next('2025-04-02'), { step: 'past_due', on: '2025-04-02', invoiceIds: ['inv_4'] });
  const paid = { unpaid: [{ id: 'inv_5', dueDate: '2025-05-01' }], remindedUntil: '2025-04-02' };
  t.deepEqual(next('2025-04-05', paid), { step: 'past_due', on: '2025-05-02', invoiceIds: ['inv_5'] });
});

test('Notice is sent on the 11th day after the due date, and a policy in Texas lapses 21 days after it, in New York 26', (t) => {
  const alerted = { remindedUntil: '2025-04-02' };
  t.deepEqual(next('2025-04-02', alerted), { step: 'notice', on: '2025-04-12', lapsesOn: '2025-04-22' });
  t.deepEqual(next('2025-04-12', { ...alerted, noticeSentOn: '2025-04-12' }), { step: 'lapse', on: '2025-04-22' });
  t.deepEqual(next('2025-04-02', { ...alerted, state: 'NY' }), {
    step: 'notice',
    on: '2025-04-12',
    lapsesOn: '2025-04-27',
  });
});

test('A late notice gives the full days from the day on which it is sent', (t) => {
  t.deepEqual(next('2025-04-20', { remindedUntil: '2025-04-20' }), {
    step: 'notice',
    on: '2025-04-12',
    lapsesOn: '2025-04-30',
  });
});

test('Paying everything the notice names rescinds it, whatever fell due since; paying a part does not', (t) => {
  const noticed = { noticeSentOn: '2025-04-12', remindedUntil: '2025-04-12' };
  const rest = [{ id: 'inv_5', dueDate: '2025-05-01' }];
  t.deepEqual(next('2025-04-15', { ...noticed, unpaid: rest }), { step: 'rescind', on: '2025-04-15' });
  t.deepEqual(next('2025-04-15', { ...noticed, unpaid: [] }), { step: 'rescind', on: '2025-04-15' });
  const late = { ...noticed, noticeSentOn: '2025-04-25', remindedUntil: '2025-05-03', unpaid: rest };
  t.deepEqual(next('2025-05-03', late), { step: 'rescind', on: '2025-05-03' });
  const named = [{ id: 'inv_4', dueDate: '2025-04-01' }, ...rest];
  t.deepEqual(next('2025-05-03', { ...late, unpaid: named }), { step: 'lapse', on: '2025-05-05' });
});

test('A policy that owes nothing has no next step', (t) => {
  t.is(next('2025-04-15', { unpaid: [] }), null);
});

test('Days under a billing hold of the state do not count', (t) => {
  const alerted = { remindedUntil: '2025-04-02' };
  const hold = (state: string, from: string, to: string) => ({ ...alerted, holds: [{ state, from, to }] });
  // Days 5 to 9 after the due date are on hold: notice goes out five days later.
  const early = hold('TX', '2025-04-06', '2025-04-10');
  t.deepEqual(next('2025-04-02', early), { step: 'notice', on: '2025-04-17', lapsesOn: '2025-04-27' });
  t.deepEqual(next('2025-04-02', hold('FL', '2025-04-06', '2025-04-10')), next('2025-04-02', alerted));
  // After the notice: five of the ten days are on hold.
  const late = { ...hold('TX', '2025-04-15', '2025-04-19'), noticeSentOn: '2025-04-12' };
  t.deepEqual(next('2025-04-13', late), { step: 'lapse', on: '2025-04-27' });
  // A late notice runs into a hold and waits for its end; a hold with no end in sight stops the clock when coverage
  // ends.
  const met = hold('TX', '2025-04-18', '2025-04-25');
  t.deepEqual(next('2025-04-20', { ...met, remindedUntil: '2025-04-20' }), {
    step: 'notice',
    on: '2025-04-26',
    lapsesOn: '2025-05-06',
  });
  t.is(next('2025-04-20', { ...hold('TX', '2025-04-06', '2999-12-31'), remindedUntil: '2025-06-01' }), null);
});

test('No notice is sent when coverage ends before the day it would name', (t) => {
  const alerted = { remindedUntil: '2025-04-02' };
  t.is(next('2025-04-02', { ...alerted, unpaid: UNPAID.slice(1), coverageEndsOn: '2025-04-22' }), null);
  t.not(next('2025-04-02', { ...alerted, coverageEndsOn: '2025-04-23' }), null);
});

test('Month ends keep the days: due on 31 January, notice on 11 February, lapse on 21 February', (t) => {
  const unpaid = [{ id: 'inv_1', dueDate: '2025-01-31' }];
  t.deepEqual(next('2025-02-01', { unpaid, remindedUntil: '2025-02-01' }), {
    step: 'notice',
    on: '2025-02-11',
    lapsesOn: '2025-02-21',
  });
});

test('Money that is held covers the oldest bills, each only if it pays all of it', (t) => {
  const [may, april] = UNPAID.map((bill) => ({ ...bill, balanceCents: 100 }));
  const demanded = (heldCents: number) =>
    uncoveredBills(
      [may, april].flatMap((bill) => bill ?? []),
      heldCents,
    );
  const idsOf = (heldCents: number) => demanded(heldCents).map(({ id }) => id);
  t.deepEqual([0, 99].map(idsOf), [
    ['inv_4', 'inv_5'],
    ['inv_4', 'inv_5'],
  ]);
  t.deepEqual([100, 199].map(idsOf), [['inv_5'], ['inv_5']]);
  t.deepEqual(idsOf(200), []);
});
