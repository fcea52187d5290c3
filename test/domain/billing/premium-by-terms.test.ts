// An invoice's premium by commission terms: figures by hand, and properties of all amounts.
import test from 'ava';
import { inProportion, type MovedPremium, premiumByTerms } from '../../../domain/billing/ledger/premium-by-terms.ts';
import { fc } from '../../support/fixed/chance.ts';

const FIRST = { tier: 1, agentRate: '0.125', mgaRate: '0.10' };
const SECOND = { tier: 2, agentRate: '0.135', mgaRate: '0.10' };

const move = (transactionId: string, premiumCents: number, terms = FIRST, isSpread = false): MovedPremium => ({
  ...{ transactionId, premiumCents, terms, isSpread },
});
const bind = move('bind', 90_000);
const endorsement = move('endorsement', 30_000, SECOND);

type Case = [what: string, moves: [MovedPremium, ...MovedPremium[]], found: [string, number][]];
const CASES: Case[] = [
  [
    'premium at other terms stands for itself',
    [bind, endorsement],
    [
      ['bind', 90_000],
      ['endorsement', 30_000],
    ],
  ],
  ['premium at the same terms is one', [bind, move('more', 5)], [['bind', 90_005]]],
  [
    'a cancellation takes from both in proportion',
    [bind, endorsement, move('cancel', -60_001, FIRST, true)],
    // 60,001 × 90,000 ÷ 120,000 = 45,000.75.
    [
      ['bind', 44_999],
      ['endorsement', 15_000],
    ],
  ],
  [
    'a reinstatement gives back what the cancellation took',
    [bind, endorsement, move('cancel', -60_001, FIRST, true), move('reinstate', 60_001, FIRST, true)],
    [
      ['bind', 90_000],
      ['endorsement', 30_000],
    ],
  ],
  [
    'an endorsement that is taken back leaves with its own terms',
    [bind, endorsement, move('void', -30_000, SECOND)],
    [
      ['bind', 90_000],
      ['endorsement', 0],
    ],
  ],
  [
    'a return beyond its own terms comes off the others',
    [bind, endorsement, move('less', -40_000, SECOND)],
    [
      ['bind', 80_000],
      ['endorsement', 0],
    ],
  ],
  [
    'a bill of restored premium alone is at its own terms',
    [move('reinstate', 700, SECOND, true)],
    [['reinstate', 700]],
  ],
];

for (const [what, moves, found] of CASES) {
  test(what, (t) => {
    t.deepEqual(
      premiumByTerms(moves).map(({ transactionId, premiumCents }) => [transactionId, premiumCents]),
      found,
    );
  });
}

test('an amount divided by weights sums to itself, and nobody gives more than they have', (t) => {
  const weights = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(weights, fc.nat(100), (all, percent) => {
      const total = all.reduce((sum, each) => sum + each, 0);
      const cents = Math.floor((total * percent) / 100);
      const shares = inProportion(cents, all);
      t.is(
        shares.reduce((sum, each) => sum + each, 0),
        cents,
      );
      t.true(shares.every((share, index) => share >= 0 && share <= (all[index] ?? 0)));
    }),
  );
});
