// What a write-off of a remainder leaves on the paid part and on the rest of an invoice.
import test from 'ava';
import { dividedLines } from '../../../domain/billing/write-off.ts';

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
  const { part, rest } = dividedLines(lines, 15_562);
  // 195.00 x 155.62 / 199.52 = 152.0946 -> 152.09; of the other 3.53 of 4.52, 4.47 / 4.52 are tax: 3.4910 -> 3.49;
  // stamping takes what is left, 0.04.
  t.like(byCode(part), { POLICY_FEE: 15_209, SL_TAX: 349, STAMPING_FEE: 4 });
  t.is(byCode(part).PREMIUM ?? 0, 0);
  // 195.00 - 152.09 = 42.91; 4.47 - 3.49 = 0.98; 0.05 - 0.04 = 0.01.
  t.deepEqual(byCode(rest), { PREMIUM: 0, POLICY_FEE: 4_291, SL_TAX: 98, STAMPING_FEE: 1 });
});
