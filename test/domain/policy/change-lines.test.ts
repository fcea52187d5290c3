// The lines of a change, by part. Contract 3.4.
import test from 'ava';
import { RECLASSIFIED } from '../../../domain/policy/invoice-lines.ts';
import { linesOfParts } from '../../../domain/policy/parts.ts';

test('a tax or a fee keeps its name when it goes back, and premium becomes a credit', (t) => {
  const parts = { premiumCents: -2_000_47, feeCents: -195_00, taxCents: -97_02, stampingCents: -80 };
  const shown = linesOfParts(parts, 'Return premium').map(({ kind, code, description }) => [kind, code, description]);
  t.deepEqual(shown, [
    ['credit', 'PREMIUM', 'Return premium'],
    ['fee', 'POLICY_FEE', 'Policy fee returned'],
    ['tax', 'SL_TAX', 'Surplus lines tax returned'],
    ['tax', 'STAMPING_FEE', 'Stamping fee returned'],
  ]);
});

test('what only moves from one part to another keeps saying so', (t) => {
  const exchanged = { premiumCents: 10_00, feeCents: 0, taxCents: -9_50, stampingCents: -50 };
  const [, ...taken] = linesOfParts(exchanged, RECLASSIFIED);
  t.deepEqual(
    taken.map(({ description }) => description),
    [RECLASSIFIED, RECLASSIFIED],
  );
});
