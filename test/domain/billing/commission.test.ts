// Commission: the tier by the producer's premium, and how premium is shared out.
import test from 'ava';
import { DEFAULT_COMMISSION_SCHEDULES } from '../../../db/defaults/commission-schedules.ts';
import {
  type CommissionSchedule,
  commissionTerms,
  commissionTier,
  premiumShares,
} from '../../../domain/billing/commission.ts';
import { fc } from '../../support/fixed/chance.ts';

/** The line GL of domain facts 3.5. */
const GL: CommissionSchedule = {
  lineOfBusiness: 'GL',
  tiers: [
    { tier: 1, maxCents: 24_999_999, agentRate: '0.125' },
    { tier: 2, maxCents: 100_000_000, agentRate: '0.135' },
    { tier: 3, maxCents: null, agentRate: '0.15' },
  ],
  mgaRate: '0.10',
};

const TIERS: [producerPremiumCents: number, tier: number, agentRate: string][] = [
  [0, 1, '0.125'],
  [24_999_999, 1, '0.125'],
  [25_000_000, 2, '0.135'],
  [100_000_000, 2, '0.135'],
  [100_000_001, 3, '0.15'],
  [900_000_000_000, 3, '0.15'],
];

for (const [premiumCents, tier, agentRate] of TIERS) {
  test(`A producer with ${premiumCents / 100} of premium in 12 months is in tier ${tier}`, (t) => {
    t.deepEqual(commissionTerms(GL, premiumCents), { tier, agentRate, mgaRate: '0.10' });
  });
}

test('Premium without a schedule, or above the highest tier of one, has no terms', (t) => {
  t.is(commissionTerms(null, 0), null);
  const low = { ...GL, tiers: GL.tiers.slice(0, 1) };
  t.is(commissionTier(low, 25_000_000), null);
  t.is(commissionTerms(low, 25_000_000), null);
});

test('a rate that is agreed with the producer stands in for that of the tier, unless a later schedule leaves no room for it', (t) => {
  t.deepEqual(commissionTerms(GL, 0, '0.14'), { tier: 1, agentRate: '0.14', mgaRate: '0.10' });
  // The carrier keeps half.
  t.deepEqual(commissionTerms(GL, 0, '0.40'), { tier: 1, agentRate: '0.40', mgaRate: '0.10' });
  t.deepEqual(commissionTerms(GL, 0, '0.41'), { tier: 1, agentRate: '0.125', mgaRate: '0.10' });
  t.is(commissionTerms(null, 0, '0.14'), null);
});

/** Line, the agent's rates at the three tiers, the managing general agent's rate: domain facts 3.5. */
const TABLE: [line: string, agentRates: number[], mgaRate: number][] = [
  ['GL', [0.125, 0.135, 0.15], 0.1],
  ['CA', [0.1, 0.11, 0.12], 0.08],
  ['MTC', [0.1, 0.11, 0.12], 0.08],
  ['CP', [0.13, 0.14, 0.15], 0.1],
  ['BOP', [0.13, 0.14, 0.15], 0.1],
  ['PL', [0.15, 0.16, 0.175], 0.1],
  ['CYBER', [0.15, 0.16, 0.175], 0.1],
  ['UMB', [0.1, 0.11, 0.125], 0.1],
  ['WC', [0.08, 0.09, 0.1], 0.06],
];

test('A new organization shares the premium of every line by the published table', (t) => {
  const seeded = DEFAULT_COMMISSION_SCHEDULES.map(({ schedule: { lineOfBusiness, tiers, mgaRate } }) => [
    lineOfBusiness,
    tiers.map(({ agentRate }) => Number(agentRate)),
    Number(mgaRate),
  ]);
  const byLine = (rows: unknown[][]) => new Map(rows.map(([line, ...rest]) => [line, rest]));
  t.deepEqual(byLine(seeded), byLine(TABLE));
});

/** Premium, rates, producer, then shares of carrier, agent and managing general agent by hand. */
const SHARES: [what: string, premiumCents: number, agentRate: string, hasProducer: boolean, shares: number[]][] = [
  ['10,000.00 at 12.5 and 10 percent', 1_000_000, '0.125', true, [775_000, 125_000, 100_000]],
  ['3,990.00', 399_000, '0.125', true, [309_225, 49_875, 39_900]],
  ['3,990.00 without a producer', 399_000, '0.125', false, [359_100, 0, 39_900]],
  ['0.04, where both halves of a cent are rounded up', 4, '0.125', true, [3, 1, 0]],
  ['a return of 6,000.00', -600_000, '0.125', true, [-465_000, -75_000, -60_000]],
  ['nothing', 0, '0.125', true, [0, 0, 0]],
];

for (const [what, premiumCents, agentRate, hasProducer, [carrierCents, agentCents, mgaCents]] of SHARES) {
  test(`Premium of ${what} is shared to the cent`, (t) => {
    const shares = premiumShares(premiumCents, { tier: 1, agentRate, mgaRate: '0.10' }, hasProducer);
    t.deepEqual<object, object>(shares, { carrierCents, agentCents, mgaCents });
  });
}

test('Agent, managing general agent and carrier together have the premium, whatever the rates', (t) => {
  const rate = fc.integer({ min: 0, max: 5_000 }).map((basisPoints) => String(basisPoints / 10_000));
  fc.assert(
    fc.property(
      fc.integer({ min: -1e12, max: 1e12 }),
      rate,
      rate,
      fc.boolean(),
      (cents, agentRate, mgaRate, hasProducer) => {
        const shares = premiumShares(cents, { tier: 1, agentRate, mgaRate }, hasProducer);
        const { carrierCents, agentCents, mgaCents } = shares;
        return carrierCents + agentCents + mgaCents === cents && (hasProducer || agentCents === 0);
      },
    ),
    { numRuns: 2_000 },
  );
  t.pass();
});
