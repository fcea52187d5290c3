// Surplus-lines taxes of every state against the published table, and amounts worked out by hand.
import test from 'ava';
import { SURPLUS_LINES_RATES } from '../../../db/seed/data/surplus-lines-rates.ts';
import { STATES } from '../../../domain/lines.ts';
import { compareRatios, ratio } from '../../../domain/ratio.ts';
import { surplusLinesTaxes } from '../../../domain/submission/taxes.ts';
import { fc } from '../../support/fixed/chance.ts';
import { surplusLinesRates } from './surplus-lines-rates.ts';

/** A date on which the reference data has rates for every state. */
const DAY = '2025-06-01';

const taxesOf = (state: string, premiumCents: number, feeCents: number, lineOfBusiness = 'GL', date = DAY) =>
  surplusLinesTaxes({ premiumCents, feeCents, lineOfBusiness, rates: surplusLinesRates(state, date) });

const amounts = (...given: Parameters<typeof taxesOf>) => taxesOf(...given).map((tax) => tax.amountCents);

// State, tax in percent, stamping in percent or dollars, whether a fee is taxable ('?' counts as yes), as published.
const PUBLISHED = `
AL 6.00 - Y     AK 2.70 1.00 Y   AZ 3.00 0.20 Y   AR 4.00 - Y      CA 3.00 0.18 Y   CO 3.00 - Y      CT 4.00 - N
DE 3.00 - Y     DC 2.00 - Y      FL 4.94 0.06 Y   GA 4.00 - Y      HI 4.68 - N      ID 1.50 0.50 Y   IL 3.50 0.04 N
IN 2.50 - Y     IA 0.95 - Y      KS 3.00 - Y      KY 3.00 1.80 Y   LA 4.85 - Y      ME 3.00 - N      MD 3.00 - N
MA 4.00 - N     MI 2.00 0.50 N   MN 3.00 0.04 Y   MS 4.00 0.25 Y   MO 5.00 - Y      MT 2.75 0.25 Y   NE 3.00 - Y
NV 3.50 0.40 Y  NH 3.00 - N      NJ 5.00 - N      NM 3.003 - Y     NY 3.60 0.15 Y   NC 5.00 0.30 ?   ND 1.75 - Y
OH 5.00 - Y     OK 6.00 0.175 Y  OR 2.00 $10 Y    PA 3.00 $20 N    RI 4.00 - Y      SC 6.00 - ?      SD 2.50 - Y
TN 5.00 0.175 Y TX 4.85 0.04 Y   UT 4.25 0.18 Y   VT 3.00 - N      VA 2.25 - Y      WA 2.00 0.30 ?   WV 4.55 - Y
WI 3.00 - Y     WY 3.00 0.175 Y`;

const ROWS = [...PUBLISHED.matchAll(/([A-Z]{2}) ([\d.]+) (\S+) ([YN?])/g)].map(
  ([, state = '', tax = '', stamp = '', fee = '']) => ({
    state,
    tax,
    stamp,
    fee,
  }),
);

test('Every state and DC has rates, and they are the published ones', (t) => {
  t.deepEqual(ROWS.map((row) => row.state).sort(), [...STATES].sort());
  for (const { state, tax, stamp, fee } of ROWS) {
    const rates = surplusLinesRates(state, DAY);
    const isFlat = stamp.startsWith('$');
    t.is(compareRatios(ratio(rates.taxRate), ratio(tax, '100')), 0, `${state} tax`);
    t.is(
      compareRatios(ratio(rates.stampingRate), ratio(isFlat || stamp === '-' ? '0' : stamp, '100')),
      0,
      `${state} stamping`,
    );
    t.is(rates.stampingFlatCents, isFlat ? Number(stamp.slice(1)) * 100 : 0, `${state} flat`);
    t.is(rates.feeTaxable, fee !== 'N', `${state} fee`);
  }
});

test('Florida: 4,853 and a fee of 195 give 249.37 and 3.03, in all 5,300.40', (t) => {
  t.deepEqual(taxesOf('FL', 485_300, 19_500), [
    { code: 'SL_TAX', rate: 0.0494, amountCents: 24_937 },
    { code: 'STAMPING_FEE', rate: 0.0006, amountCents: 303 },
  ]);
  t.is(485_300 + 19_500 + 24_937 + 303, 530_040);
});

test('Texas: 10,000 and a fee of 250 give 497.13 and 4.10, in all 10,751.23', (t) => {
  t.deepEqual(amounts('TX', 1_000_000, 25_000), [49_713, 410]);
  t.is(1_000_000 + 25_000 + 49_713 + 410, 1_075_123);
});

test('Texas: the check of the contract gives 202.97 and 1.67', (t) => {
  t.deepEqual(amounts('TX', 399_000, 19_500, 'GL', '2026-12-01'), [20_297, 167]);
});

test('A state that does not tax fees taxes the premium alone', (t) => {
  t.deepEqual(amounts('NJ', 1_000_000, 25_000), [50_000]);
  t.deepEqual(amounts('MI', 1_000_000, 25_000), [20_000, 5_000]);
});

test('A state without a stamping fee lists only the tax, New Mexico to three decimals of a percent', (t) => {
  t.deepEqual(taxesOf('NM', 1_000_000, 25_000), [{ code: 'SL_TAX', rate: 0.03003, amountCents: 30_781 }]);
});

test('Oregon and Pennsylvania take a flat stamping fee of 10 and 20 dollars', (t) => {
  t.deepEqual(taxesOf('OR', 1_000_000, 25_000), [
    { code: 'SL_TAX', rate: 0.02, amountCents: 20_500 },
    { code: 'STAMPING_FEE', rate: 0, amountCents: 1_000 },
  ]);
  t.deepEqual(amounts('PA', 1_000_000, 25_000), [30_000, 2_000]);
});

test('Fire and property components fall on property lines only', (t) => {
  for (const line of ['CP', 'BOP']) {
    t.deepEqual(amounts('OR', 1_000_000, 25_000, line), [23_575, 1_000]);
    t.deepEqual(amounts('MT', 1_000_000, 25_000, line), [53_813, 2_563]);
    t.deepEqual(amounts('SD', 1_000_000, 25_000, line), [30_750]);
    t.deepEqual(amounts('IL', 1_000_000, 25_000, line), [45_000, 400]);
    t.deepEqual(amounts('MS', 1_000_000, 25_000, line), [71_750, 2_563]);
    t.deepEqual(amounts('TX', 1_000_000, 25_000, line), [49_713, 410]);
  }
  for (const line of ['GL', 'CA', 'MTC', 'PL', 'CYBER', 'UMB', 'WC']) {
    t.deepEqual(amounts('MT', 1_000_000, 25_000, line), [28_188, 2_563], line);
  }
});

test('Rates change on their day: Texas stamping in 2021 and 2024, Iowa tax in 2026 and 2027', (t) => {
  const texas = (date: string) => amounts('TX', 1_000_000, 25_000, 'GL', date)[1];
  t.is(texas('2016-01-01'), 1_538);
  t.is(texas('2020-12-31'), 1_538);
  t.is(texas('2021-01-01'), 769);
  t.is(texas('2023-12-31'), 769);
  t.is(texas('2024-01-01'), 410);
  const iowa = (date: string) => amounts('IA', 1_000_000, 25_000, 'GL', date);
  t.deepEqual(iowa('2025-12-31'), [9_738]);
  t.deepEqual(iowa('2026-01-01'), [9_481]);
  t.deepEqual(iowa('2027-01-01'), [9_225]);
  t.deepEqual(iowa('2035-01-01'), [9_225]);
});

test('Every tax of every state is a whole number of cents and no row appears twice', (t) => {
  const keys = SURPLUS_LINES_RATES.map((row) => `${row.state} ${row.effectiveFrom}`);
  t.is(new Set(keys).size, keys.length);
  fc.assert(
    fc.property(
      fc.constantFrom(...SURPLUS_LINES_RATES),
      fc.integer({ min: 0, max: 1_000_000_000_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.constantFrom('GL', 'CP'),
      (rates, premiumCents, feeCents, lineOfBusiness) =>
        surplusLinesTaxes({ premiumCents, feeCents, lineOfBusiness, rates }).every(
          ({ amountCents }) => Number.isSafeInteger(amountCents) && amountCents >= 0,
        ),
    ),
  );
});
