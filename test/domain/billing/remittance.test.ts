// What a remittance pays from each account, and its entries. Figures by hand.
import test from 'ava';
import type { AccountNumber } from '../../../domain/billing/ledger/chart.ts';
import type { Posting } from '../../../domain/billing/ledger/posting.ts';
import { cashCents, remittanceEntries, shortfallEntries } from '../../../domain/billing/ledger/remittance-entries.ts';
import {
  decidedRemittance,
  nettedCents,
  nettedForPolicy,
  type RemittanceKind,
  remittanceParts,
  remittedCents,
} from '../../../domain/billing/remittance.ts';
import { statementPeriod } from '../../../domain/billing/statement.ts';

type Owed = [account: AccountNumber, cents: number][];
/**
 * Kind, owed, owed back → account → debits less credits in both ledgers, and the amount that leaves the trust account.
 */
const PAID: [what: string, RemittanceKind, Owed, Owed, Record<number, number>, cash: number][] = [
  ['commission', 'commission', [[2020, 125_000]], [], { 2020: 125_000, 1010: -125_000 }, 125_000],
  [
    'commission of a producer who owes some back',
    'commission',
    [[2020, 50_000]],
    [[2020, 75_000]],
    { 2020: 125_000, 1010: -125_000, 1030: 75_000, 1130: -75_000 },
    125_000,
  ],
  [
    'premium of a carrier that owes some back',
    'carrier',
    [[2010, 310_000]],
    [[2010, 465_000]],
    { 2010: 775_000, 1010: -310_000, 1200: -465_000 },
    310_000,
  ],
  [
    'tax of a state that owes some back',
    'tax',
    [[2040, 15_673]],
    [[2040, 4_624]],
    { 2040: 20_297, 1010: -15_673, 1200: -4_624 },
    15_673,
  ],
  ['tax', 'tax', [[2040, 49_713]], [], { 2040: 49_713, 1010: -49_713 }, 49_713],
  ['stamping fees', 'stamping', [[2050, 410]], [], { 2050: 410, 1010: -410 }, 410],
  [
    'our own, some of which went back',
    'transfer',
    [
      [2030, 40_000],
      [2090, 25_000],
    ],
    [[2030, 60_000]],
    { 2030: 100_000, 2090: 25_000, 1010: -125_000, 1030: 125_000, 1120: -125_000 },
    125_000,
  ],
];

for (const [what, kind, owed, owedBack, effect, cash] of PAID) {
  test(`A remittance of ${what} takes it from the trust, and settles the debt of the payee`, (t) => {
    const parts = remittanceParts(kind, new Map(owed), new Map(owedBack));
    const sum = (amounts: Owed) => amounts.reduce((total, [, cents]) => total + cents, 0);
    const paid = kind === 'transfer' ? [cash, 0] : [sum(owed), sum(owedBack)];
    t.deepEqual([remittedCents(kind, parts), nettedCents(kind, parts)], paid);
    t.deepEqual(effectOf(remittanceEntries(kind, parts)), effect);
    t.is(cashCents(kind, parts), cash);
  });
}

test('Nothing is paid to a payee who is owed nothing, or from an account on which too much went back', (t) => {
  const nothing: [RemittanceKind, Owed, Owed][] = [
    ['commission', [], []],
    ['commission', [[2020, -100]], [[2020, 100]]],
    ['carrier', [[2010, -100]], [[2010, 99]]],
    ['carrier', [[2010, -100]], [[2010, 101]]],
    [
      'transfer',
      [
        [2030, -100],
        [2090, 200],
      ],
      [],
    ],
  ];
  for (const [kind, owed, owedBack] of nothing) {
    const error = t.throws(() => remittanceParts(kind, new Map(owed), new Map(owedBack)));
    t.like(error, { code: 'not_ready', details: { blockers: ['nothing_to_pay'] } });
  }
});

test('We are paid all that the trust holds for us, although as much went back: we have made that good', (t) => {
  const covered = new Map<AccountNumber, number>([
    [2030, 0],
    [2090, 0],
  ]);
  const owedBack = new Map<AccountNumber, number>([
    [2030, 39_900],
    [2090, 19_500],
  ]);
  const parts = remittanceParts('transfer', covered, owedBack);
  t.deepEqual([remittedCents('transfer', parts), nettedCents('transfer', parts)], [59_400, 0]);
  t.is(cashCents('transfer', parts), 59_400);
});

test('A payee who owes back as much as they are owed is paid nothing, and owes nothing any more', (t) => {
  const commission = remittanceParts('commission', new Map([[2020, 0]]), new Map([[2020, 49_875]]));
  t.deepEqual([remittedCents('commission', commission), nettedCents('commission', commission)], [0, 49_875]);
  // The trust repays operating money what that had advanced for the producer.
  t.deepEqual(effectOf(remittanceEntries('commission', commission)), {
    ...{ 2020: 49_875, 1010: -49_875, 1030: 49_875, 1130: -49_875 },
  });
  const tax = remittanceParts('tax', new Map([[2040, 0]]), new Map([[2040, 4_624]]));
  t.deepEqual(effectOf(remittanceEntries('tax', tax)), { 2040: 4_624, 1200: -4_624 });
  t.is(cashCents('tax', tax), 0);
});

test('An overpayment to a payee is made good by our money, or is due from the carrier or the state', (t) => {
  t.deepEqual(effectOf(shortfallEntries('commission', 2020, 75_000)), {
    ...{ 1130: 75_000, 1030: -75_000, 1010: 75_000, 2060: 0, 2020: -75_000 },
  });
  t.deepEqual(effectOf(shortfallEntries('carrier', 2010, 465_000)), { 1200: 465_000, 2010: -465_000 });
  t.deepEqual(effectOf(shortfallEntries('tax', 2040, 4_624)), { 1200: 4_624, 2040: -4_624 });
  t.deepEqual(effectOf(shortfallEntries('transfer', 2090, 600)), { 1010: 600, 2090: -600, 1120: 600, 1030: -600 });
});

test('A remittance is decided once', (t) => {
  t.is(decidedRemittance('pending_approval', 'approve'), 'paid');
  t.is(decidedRemittance('pending_approval', 'reject'), 'rejected');
  for (const status of ['paid', 'rejected'] as const) {
    t.throws(() => decidedRemittance(status, 'approve'), { message: new RegExp(status) });
  }
});

test('A statement is of a month or a quarter', (t) => {
  t.deepEqual(statementPeriod('2028-02'), { from: '2028-02-01', to: '2028-02-29' });
  t.deepEqual(statementPeriod('2026-Q4'), { from: '2026-10-01', to: '2026-12-31' });
  for (const text of ['2026', '2026-13', '2026-00', '2026-Q5', '2026-Q0', ' 2026-01', '2026-01-01']) {
    t.throws(() => statementPeriod(text), { instanceOf: TypeError }, text);
  }
});

/** Account → debits less credits across all entries. */
function effectOf(entries: readonly Posting[]): Record<number, number> {
  const effect: Record<number, number> = {};
  for (const { account, debitCents, creditCents } of entries.flatMap(({ lines }) => lines)) {
    effect[account] = (effect[account] ?? 0) + debitCents - creditCents;
  }
  return effect;
}

test('a payment for one policy nets the part of a debt it can pay, and only the trust money beside it', (t) => {
  const netted = (cents: { covered: number; takenBack: number; owedBack: number; held: number }) => {
    const of = (amount: number): ReadonlyMap<AccountNumber, number> => new Map([[2040, amount]]);
    const { covered, takenBack, owedBack, held } = cents;
    const facts = { covered: of(covered), takenBack: of(takenBack), owedBack: of(owedBack), held: of(held) };
    return nettedForPolicy(facts).get(2040);
  };
  // A tax of 202.97; of other taxes, 202.97 and 46.24 were returned after they had been paid out.
  t.is(netted({ covered: 20_297, takenBack: 0, owedBack: 20_297, held: 20_297 }), 0);
  t.is(netted({ covered: 15_673, takenBack: 4_624, owedBack: 24_921, held: 20_297 }), 4_624);
  // The return came when this tax was already owed, and took 46.24 of it: only the rest was made good.
  t.is(netted({ covered: 0, takenBack: 20_297, owedBack: 0, held: 0 }), 0);
  t.is(netted({ covered: 15_673, takenBack: 4_624, owedBack: 0, held: 15_673 }), 0);
  const refusal = t.throws(() => netted({ covered: 20_297, takenBack: 0, owedBack: 4_624, held: 15_673 }));
  t.like(refusal, { code: 'not_ready', details: { blockers: ['nothing_to_pay'] } });
});
