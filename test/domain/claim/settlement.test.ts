import test from 'ava';
import { payableAmounts } from '../../../domain/claim/claim-payment.ts';
import type { LossCoverage } from '../../../domain/claim/coverage.ts';
import type { ClaimFigures } from '../../../domain/claim/figures.ts';
import { paid } from '../../../domain/claim/figures.ts';
import { type SettlementBounds, settled } from '../../../domain/claim/settlement.ts';
import { DomainError, type ErrorCode } from '../../../domain/errors.ts';

const COVERAGE: LossCoverage = {
  ...{ status: 'active', limitCents: 10_000_00, aggregateLimitCents: 20_000_00, deductibleCents: 1_000_00 },
};
const FIGURES: ClaimFigures = {
  reserves: { indemnityCents: 30_000_00, expenseCents: 0 },
  paid: { indemnityCents: 0, expenseCents: 0 },
  recoveredCents: 0,
};
const bounds = (changes: Partial<SettlementBounds> = {}): SettlementBounds => ({
  ...{ figures: FIGURES, coverage: COVERAGE, paidOfTermCents: 0, deductibleTakenCents: 0, ...changes },
});

test('the deductible is taken once from a claim and reduces the payment', (t) => {
  t.deepEqual(settled(5_000_00, bounds()), { deductibleCents: 1_000_00, payableCents: 4_000_00 });
  t.deepEqual(settled(600_00, bounds()), { deductibleCents: 600_00, payableCents: 0 });
  t.deepEqual(settled(5_000_00, bounds({ deductibleTakenCents: 600_00 })), {
    ...{ deductibleCents: 400_00, payableCents: 4_600_00 },
  });
  t.deepEqual(settled(5_000_00, bounds({ deductibleTakenCents: 1_000_00 })), {
    ...{ deductibleCents: 0, payableCents: 5_000_00 },
  });
});

test('a payment beside a settlement leaves the deductible in the reserve of the loss until a settlement takes it', (t) => {
  const tight = { ...FIGURES, reserves: { indemnityCents: 5_000_00, expenseCents: 500_00 } };
  const at = bounds({ figures: tight });
  t.deepEqual(payableAmounts('indemnity', 4_000_00, at), { indemnityCents: 4_000_00, expenseCents: 0 });
  const error = t.throws(() => payableAmounts('indemnity', 4_000_01, at), { instanceOf: DomainError }) as DomainError;
  t.is(error.code, 'reserve_too_low');
  t.deepEqual(error.details, { reserve: 5000, deductible: 1000, actual: 4000.01 });
  const taken = bounds({ figures: tight, deductibleTakenCents: 1_000_00 });
  t.deepEqual(payableAmounts('indemnity', 5_000_00, taken), { indemnityCents: 5_000_00, expenseCents: 0 });
  // No deductible applies to the expense.
  t.deepEqual(payableAmounts('expense', 500_00, at), { indemnityCents: 0, expenseCents: 500_00 });
});

test('a settlement is within the outstanding reserve and the remainder of each limit, to the cent', (t) => {
  const after = (cents: number) => paid(FIGURES, { indemnityCents: cents, expenseCents: 0 });
  const tight = { ...FIGURES, reserves: { indemnityCents: 5_000_00, expenseCents: 9_000_00 } };
  const refused: [cents: number, at: SettlementBounds, code: ErrorCode, details: object][] = [
    [5_000_00, bounds({ figures: tight }), 'reserve_too_low', { reserve: 5000, actual: 5000.01 }],
    [10_000_00, bounds(), 'limit_exhausted', { limit: 'occurrence', remaining: 10_000, actual: 10_000.01 }],
    [4_000_00, bounds({ figures: after(6_000_00) }), 'limit_exhausted', { limit: 'occurrence', remaining: 4000 }],
    [1_500_00, bounds({ paidOfTermCents: 18_500_00 }), 'limit_exhausted', { limit: 'aggregate', remaining: 1500 }],
  ];
  for (const [most, at, code, details] of refused) {
    t.notThrows(() => settled(most, at), code);
    const error = t.throws(() => settled(most + 1, at), { instanceOf: DomainError }) as DomainError;
    t.is(error.code, code);
    t.like(error.details, details);
  }
});

test('a loss outside of every term, or after the policy was cancelled or has lapsed, has no limit to be paid from', (t) => {
  const none = { status: null, limitCents: null, aggregateLimitCents: null, deductibleCents: null };
  const ended = (['cancelled', 'lapsed'] as const).map((status) => ({ ...COVERAGE, status }));
  for (const coverage of [none, ...ended]) {
    const error = t.throws(() => settled(1, bounds({ coverage })), { instanceOf: DomainError }) as DomainError;
    t.is(error.code, 'limit_exhausted');
    t.like(error.details, { remaining: 0 });
  }
  const { details } = t.throws(
    () => payableAmounts('indemnity', 1, bounds({ coverage: { ...COVERAGE, status: 'lapsed' } })),
    {
      instanceOf: DomainError,
    },
  ) as DomainError;
  t.like(details, { limit: 'occurrence', remaining: 0 });
  for (const status of ['active', 'pending_cancellation', 'expired', 'renewed'] as const) {
    t.notThrows(() => settled(1, bounds({ coverage: { ...COVERAGE, status } })), status);
  }
});
