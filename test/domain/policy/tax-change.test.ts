// How a premium change affects the taxes.
import test from 'ava';
import { taxChange, taxesOwed } from '../../../domain/policy/tax-change.ts';
import { TEXAS } from './rows.ts';

const charged = taxesOwed(TEXAS, { premiumCents: 1_000_000, feeCents: 25_000 });

test('6,000.00 returned of 10,000.00 in Texas takes back 291.00 tax and 2.40 stamping; the tax on the kept fee stays', (t) => {
  t.deepEqual(
    charged.map(({ amountCents }) => amountCents),
    [49_713, 410],
  );
  const { taxes, changes, taxChangeCents } = taxChange(TEXAS, {
    charged,
    writtenPremiumCents: 400_000,
    keptFeeCents: 25_000,
  });
  // 4.85 % of 4,250.00 is 206.125, 0.04 % is 1.70.
  t.deepEqual(
    taxes.map(({ amountCents }) => amountCents),
    [20_613, 170],
  );
  t.deepEqual(
    changes.map(({ code, amountCents }) => [code, amountCents]),
    [
      ['SL_TAX', -29_100],
      ['STAMPING_FEE', -240],
    ],
  );
  t.is(taxChangeCents, -29_340);
});

test('A flat cancellation returns every tax, a flat stamping fee too', (t) => {
  const basis = { ...TEXAS, rates: { ...TEXAS.rates, stampingRate: '0', stampingFlatCents: 2000 } };
  const before = taxesOwed(basis, { premiumCents: 1_000_000, feeCents: 25_000 });
  const change = { charged: before, writtenPremiumCents: 0, keptFeeCents: 0 };
  t.is(taxChange(basis, { ...change, flat: true }).taxChangeCents, -51_713);
  t.is(taxChange(basis, change).taxChangeCents, -49_713);
});

test('Many small changes never drift from one large one', (t) => {
  let now = charged;
  let sum = 0;
  for (let written = 1_000_000; written >= 999_000; written -= 7) {
    const change = taxChange(TEXAS, { charged: now, writtenPremiumCents: written, keptFeeCents: 25_000 });
    now = change.taxes;
    sum += change.taxChangeCents;
  }
  const whole = taxChange(TEXAS, { charged, writtenPremiumCents: 999_006, keptFeeCents: 25_000 });
  t.is(sum, whole.taxChangeCents);
  t.deepEqual(now, whole.taxes);
});
