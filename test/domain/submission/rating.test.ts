// Premiums against published rates and hand calculations.
import test from 'ava';
import { DEFAULT_RATE_TABLES } from '../../../db/defaults/rate-tables.ts';
import { LINES_OF_BUSINESS, STATES } from '../../../domain/lines.ts';
import { rateTableIssues } from '../../../domain/submission/rate-table-checks.ts';
import { appetiteOf, type RateTable, type RatingInput, ratePremium } from '../../../domain/submission/rating.ts';
import { fc } from '../../support/fixed/chance.ts';

function tableOf(line: string): RateTable {
  const found = DEFAULT_RATE_TABLES.find(({ table }) => table.lineOfBusiness === line);
  if (found === undefined) throw new Error(`no table for ${line}`);
  return found.table;
}

const GL = tableOf('GL');

/** Ohio, one loss, no deductible, one million limit: every factor is 1, so the premium is revenue / 1000 × rate. */
const PLAIN: RatingInput = {
  naicsCode: '111110',
  annualRevenueCents: 1_000_000_000,
  requestedLimitCents: 100_000_000,
  deductibleCents: 0,
  lossesLast5Years: 1,
  state: 'OH',
};

const premium = (change: Partial<RatingInput>, table = GL) => ratePremium({ ...PLAIN, ...change }, table).premiumCents;

test('The check of the contract: a Texas restaurant with one loss pays 3,990.00', (t) => {
  t.is(premium({ naicsCode: '722511', state: 'TX', annualRevenueCents: 100_000_000 }), 399_000);
});

test('Revenue 2,500,000 at 2.40 in Texas with five percent schedule credit is 5,415.00', (t) => {
  const table = structuredClone(GL);
  table.base.classRates = [{ naicsPrefix: '99', rate: '2.40', appetite: 'standard' }];
  const input = { naicsCode: '990000', annualRevenueCents: 250_000_000, state: 'TX', scheduleModification: '-0.05' };
  t.is(premium({ ...input, lossesLast5Years: null }, table), 541_500);
});

// Premium in cents for revenue of 10,000,000: the published rate per $1,000 × 10,000 × 100.
const GL_PREMIUMS: [naics: string, cents: number, what: string][] = [
  ['541110', 600_000, 'professional services'],
  ['541511', 450_000, 'information technology, the longer prefix'],
  ['522110', 400_000, 'finance'],
  ['531110', 1_200_000, 'real estate'],
  ['423110', 750_000, 'wholesale'],
  ['441110', 1_900_000, 'retail, first half of the range'],
  ['459110', 1_900_000, 'retail, second half of the range'],
  ['445110', 2_200_000, 'food retail'],
  ['311811', 2_100_000, 'manufacturing 31'],
  ['321911', 2_100_000, 'manufacturing 32'],
  ['332710', 2_100_000, 'manufacturing 33'],
  ['484110', 3_000_000, 'trucking'],
  ['493110', 2_000_000, 'storage'],
  ['561720', 4_500_000, 'janitorial'],
  ['561730', 6_500_000, 'landscaping'],
  ['722511', 4_200_000, 'restaurants'],
  ['722410', 12_000_000, 'bars'],
  ['721110', 5_500_000, 'hotels'],
  ['811111', 13_750_000, 'auto repair'],
  ['236115', 7_500_000, 'general contractors'],
  ['238210', 8_500_000, 'trades'],
  ['238160', 28_000_000, 'roofing, the longer prefix'],
  ['621111', 1_500_000, 'health'],
  ['711110', 6_000_000, 'recreation'],
  ['813110', 900_000, 'non-profits'],
  ['111110', 2_500_000, 'anything else'],
  ['72', 2_500_000, 'a code shorter than the rows it could belong to'],
  ['44', 1_900_000, 'a two-digit code'],
];

for (const [naicsCode, cents, what] of GL_PREMIUMS) {
  test(`General liability charges the published rate for ${what}`, (t) => t.is(premium({ naicsCode }), cents));
}

test('Each state has its published factor, the others none', (t) => {
  const factors: Record<string, number> = {
    ...{ NY: 150, FL: 125, CA: 120, NJ: 120, IL: 115, LA: 120, NV: 110, TX: 95, GA: 110, PA: 105, WA: 105 },
  };
  for (const state of STATES) t.is(premium({ state }), 25_000 * (factors[state] ?? 100), state);
});

test('Limit factors are the published rows, linear between them and flat outside', (t) => {
  for (const [limit, cents] of [
    [50_000, 1_700_000],
    [100_000, 1_700_000],
    [200_000, 1_800_000],
    [300_000, 1_900_000],
    [400_000, 2_050_000],
    [500_000, 2_200_000],
    [750_000, 2_350_000],
    [1_000_000, 2_500_000],
    [1_500_000, 2_875_000],
    [2_000_000, 3_250_000],
    [3_000_000, 3_625_000],
    [4_000_000, 4_000_000],
    [5_000_000, 4_375_000],
    [9_000_000, 4_375_000],
  ] as const) {
    t.is(premium({ requestedLimitCents: limit * 100 }), cents, String(limit));
  }
});

test('Nothing is rounded before the cent: a factor of 0.7799998 on 25,000 is 19,499.995, charged as 19,500.00', (t) => {
  t.is(premium({ requestedLimitCents: 33_333_300 }), 1_950_000);
  t.is(premium({ requestedLimitCents: 33_333_200 }), 1_949_998);
});

test('Half a cent is rounded up: 10,000,100 at 0.45 is 4,500.045, charged as 4,500.05', (t) => {
  t.is(premium({ naicsCode: '541511', annualRevenueCents: 1_000_010_000 }), 450_005);
});

test('Deductible factors are the published rows, linear between them and 0.76 above 25,000', (t) => {
  for (const [deductible, cents] of [
    [0, 2_500_000],
    [500, 2_462_500],
    [1_000, 2_425_000],
    [1_750, 2_387_500],
    [2_500, 2_350_000],
    [5_000, 2_250_000],
    [10_000, 2_125_000],
    [17_500, 2_012_500],
    [25_000, 1_900_000],
    [50_000, 1_900_000],
  ] as const) {
    t.is(premium({ deductibleCents: deductible * 100 }), cents, String(deductible));
  }
});

test('Losses in five years weigh 0.95, 1.00, 1.15 and 1.35; unknown losses weigh nothing', (t) => {
  for (const [losses, cents] of [
    [null, 2_500_000],
    [0, 2_375_000],
    [1, 2_500_000],
    [2, 2_875_000],
    [3, 3_375_000],
    [7, 3_375_000],
  ] as const) {
    t.is(premium({ lossesLast5Years: losses }), cents);
  }
});

test('No premium is below the minimum of its line', (t) => {
  const tiny = { annualRevenueCents: 100 };
  t.is(premium(tiny), 50_000);
  for (const line of LINES_OF_BUSINESS) {
    const table = tableOf(line);
    t.true(table.minimumPremiumCents >= 50_000);
    t.is(premium(tiny, table), table.minimumPremiumCents);
  }
});

test('The worksheet lists every factor in order and ends with the premium', (t) => {
  const { premiumCents, worksheet } = ratePremium(
    { ...PLAIN, naicsCode: '722511', state: 'TX', annualRevenueCents: 100_000_000, requestedLimitCents: 150_000_000 },
    GL,
  );
  t.is(premiumCents, 458_850);
  t.deepEqual(worksheet, [
    { step: 'revenue_in_thousands', factor: 1000, amountCents: 100_000 },
    { step: 'class_rate', factor: 4.2, amountCents: 420_000 },
    { step: 'state', factor: 0.95, amountCents: 399_000 },
    { step: 'limit', factor: 1.15, amountCents: 458_850 },
    { step: 'deductible', factor: 1, amountCents: 458_850 },
    { step: 'losses', factor: 1, amountCents: 458_850 },
    { step: 'schedule_modification', factor: 1, amountCents: 458_850 },
    { step: 'minimum_premium', factor: 1, amountCents: 458_850 },
  ]);
});

test('Prohibited and referred classes are so in every line, wholesale and offices are preferred in general liability', (t) => {
  for (const line of LINES_OF_BUSINESS) {
    const table = tableOf(line);
    for (const code of ['113310', '211120', '212312', '325920', '561990', '713990']) {
      t.is(appetiteOf(table, code), 'prohibited', `${line} ${code}`);
    }
    for (const code of ['722410', '238160']) t.is(appetiteOf(table, code), 'refer', `${line} ${code}`);
  }
  for (const code of ['541110', '423110', '531110', '813110']) t.is(appetiteOf(GL, code), 'preferred');
  for (const code of ['722511', '713940', '561720', '111110', '325412']) t.is(appetiteOf(GL, code), 'standard');
});

test('There is one sound table of rates for each of the nine lines, with the policy fee of 195.00', (t) => {
  t.deepEqual(
    DEFAULT_RATE_TABLES.map(({ table }) => table.lineOfBusiness),
    [...LINES_OF_BUSINESS],
  );
  for (const { table } of DEFAULT_RATE_TABLES) {
    t.deepEqual(rateTableIssues(table), []);
    t.is(table.policyFeeCents, 19_500);
    t.deepEqual(JSON.parse(JSON.stringify(table)), table);
  }
});

test('A table that cannot be used for rating is refused by field', (t) => {
  const broken = structuredClone(GL);
  broken.base.defaultRate = '1e3';
  broken.stateFactors.TX = '-1';
  broken.limitFactors = [
    { limitCents: 200, factor: '1.2' },
    { limitCents: 100, factor: '1.3' },
    { limitCents: 300, factor: '1.1' },
  ];
  broken.deductibleFactors = [];
  broken.base.classRates = [
    { naicsPrefix: '7', rate: '1', appetite: 'standard' },
    { naicsPrefix: '72', rate: '1', appetite: 'wild' as 'standard' },
    { naicsPrefix: '72', rate: '1', appetite: 'standard' },
  ];
  broken.policyFeeCents = -1;
  t.deepEqual(
    rateTableIssues(broken).map(({ field, rule }) => `${field} ${rule}`),
    [
      'table.base.defaultRate format',
      'table.stateFactors.TX format',
      'table.base.classRates.0.naicsPrefix format',
      'table.base.classRates.1.appetite enum',
      'table.base.classRates.2.naicsPrefix format',
      'table.limitFactors.1 format',
      'table.limitFactors.2.factor format',
      'table.deductibleFactors min',
      'table.policyFee min',
    ],
  );
});

const anyTable = fc.constantFrom(...DEFAULT_RATE_TABLES.map(({ table }) => table));
const anyInput = fc.record({
  naicsCode: fc.stringMatching(/^\d{2,6}$/),
  annualRevenueCents: fc.integer({ min: 1, max: 10_000_000_000_000 }),
  requestedLimitCents: fc.integer({ min: 1, max: 2_000_000_000 }),
  deductibleCents: fc.integer({ min: 0, max: 10_000_000 }),
  lossesLast5Years: fc.option(fc.nat(9)),
  state: fc.constantFrom(...STATES),
});

test('Every premium of every line is a whole number of cents and at least the minimum', (t) => {
  fc.assert(
    fc.property(anyInput, anyTable, (input, table) => {
      const { premiumCents, worksheet } = ratePremium(input, table);
      return (
        Number.isSafeInteger(premiumCents) &&
        premiumCents >= table.minimumPremiumCents &&
        worksheet.every((step) => Number.isSafeInteger(step.amountCents)) &&
        worksheet.at(-1)?.amountCents === premiumCents
      );
    }),
  );
  t.pass();
});

test('A higher limit or revenue never costs less, a higher deductible never more', (t) => {
  fc.assert(
    fc.property(anyInput, anyTable, fc.nat(500_000_000), (input, table, more) => {
      const base = ratePremium(input, table).premiumCents;
      const changed = (change: Partial<RatingInput>) => ratePremium({ ...input, ...change }, table).premiumCents;
      return (
        changed({ requestedLimitCents: input.requestedLimitCents + more }) >= base &&
        changed({ annualRevenueCents: input.annualRevenueCents + more }) >= base &&
        changed({ deductibleCents: input.deductibleCents + more }) <= base
      );
    }),
  );
  t.pass();
});
