// What a write-off of a remainder leaves on the paid part and on the rest of an invoice.
import test from 'ava';
import { dividedLines } from '../../../domain/billing/write-off.ts';
import { NO_PARTS } from '../../../domain/policy/parts.ts';

const line = (kind: 'premium' | 'fee' | 'tax' | 'credit', code: string, amountCents: number) => ({
  kind,
  code,
  amountCents,
});

/** Cents by code, premium and its credit together. */
const byCode = (lines: readonly { code: string; amountCents: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(lines, ({ code }) => code)].map(([code, some]) => [
      code,
      some.reduce((sum, { amountCents }) => sum + amountCents, 0),
    ]),
  );

test('when an invoice whose premium has all been returned is paid in part, neither half bills or returns premium', (t) => {
  // The premium comes to 222.23 - 222.23 = 0, the fee is 195.00, the tax 77.78 - 73.31 = 4.47, stamping 0.89 - 0.84 =
  // 0.05: together 199.52, of which 155.62 are paid.
  const lines = [
    line('premium', 'PREMIUM', 22_223),
    line('fee', 'POLICY_FEE', 19_500),
    line('tax', 'SL_TAX', 7_778),
    line('tax', 'STAMPING_FEE', 89),
    line('credit', 'PREMIUM', -22_223),
    line('tax', 'SL_TAX', -7_331),
    line('tax', 'STAMPING_FEE', -84),
  ];
  const { part, rest } = dividedLines(lines, 15_562, NO_PARTS);
  // 195.00 x 155.62 / 199.52 = 152.0946 -> 152.09; of the other 3.53 of 4.52, 4.47 / 4.52 are tax: 3.4910 -> 3.49;
  // stamping takes what is left, 0.04.
  t.like(byCode(part), { POLICY_FEE: 15_209, SL_TAX: 349, STAMPING_FEE: 4 });
  t.is(byCode(part).PREMIUM ?? 0, 0);
  // 195.00 - 152.09 = 42.91; 4.47 - 3.49 = 0.98; 0.05 - 0.04 = 0.01.
  t.deepEqual(byCode(rest), { PREMIUM: 0, POLICY_FEE: 4_291, SL_TAX: 98, STAMPING_FEE: 1 });
});

/** Premium of 2,252.74, of which 280.67 were exchanged for the fee, tax and stamping fee. */
const EXCHANGED = [
  line('premium', 'PREMIUM', 225_274),
  line('credit', 'PREMIUM', -28_067),
  line('fee', 'POLICY_FEE', 19_500),
  line('tax', 'SL_TAX', 8_464),
  line('tax', 'STAMPING_FEE', 103),
];
const PREMIUM_RETURNED = { ...NO_PARTS, premiumCents: 45_378 };

test('when everything paid has been returned as premium, the paid part bills premium only, and the rest all other parts', (t) => {
  const { part, rest } = dividedLines(EXCHANGED, 45_378, PREMIUM_RETURNED);
  t.deepEqual(byCode(part), { PREMIUM: 45_378 });
  // 2,252.74 - 280.67 - 453.78 = 1,518.29.
  t.deepEqual(byCode(rest), { PREMIUM: 151_829, POLICY_FEE: 19_500, SL_TAX: 8_464, STAMPING_FEE: 103 });
});

test('money that is paid and not returned is divided like the amounts that were not returned', (t) => {
  // Of 1,798.96 not returned, half is paid: half of 1,518.29 premium is 759.145 -> 759.15, of the fee 97.50, of the tax
  // 42.32, and the stamping fee takes what is left of 899.48: 0.51.
  const { part, rest } = dividedLines(EXCHANGED, 45_378 + 89_948, PREMIUM_RETURNED);
  t.deepEqual(byCode(part), { PREMIUM: 45_378 + 75_915, POLICY_FEE: 9_750, SL_TAX: 4_232, STAMPING_FEE: 51 });
  t.deepEqual(byCode(rest), { PREMIUM: 75_914, POLICY_FEE: 9_750, SL_TAX: 4_232, STAMPING_FEE: 52 });
});
