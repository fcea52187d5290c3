import test from 'ava';
import { payableAmounts } from '../../../domain/claim/claim-payment.ts';
import { type ClaimFigures, recovered, unpaid } from '../../../domain/claim/figures.ts';
import {
  claimPaymentEntry,
  depositEntry,
  recoveryEntry,
  requestEntry,
  shortfall,
} from '../../../domain/claim/loss-fund.ts';
import { DomainError } from '../../../domain/errors.ts';

/** Account → debits less credits. */
const sides = (entry: ReturnType<typeof requestEntry>) =>
  Object.fromEntries(
    (entry?.lines ?? []).map(({ account, debitCents, creditCents }) => [account, debitCents - creditCents]),
  );

test('a deposit settles what was requested of the carrier first; payments and recoveries move the fund alone', (t) => {
  const fund = { balanceCents: 1000_00, requestedCents: 3000_00 };
  t.deepEqual(sides(depositEntry(fund, 2000_00)), { 1020: 2000_00, 1200: -2000_00 });
  t.deepEqual(sides(depositEntry(fund, 3500_00)), { 1020: 3500_00, 1200: -3000_00, 2080: -500_00 });
  t.deepEqual(sides(depositEntry({ ...fund, requestedCents: 0 }, 10_00)), { 1020: 10_00, 2080: -10_00 });
  t.deepEqual(sides(requestEntry(3000_00)), { 1200: 3000_00, 2080: -3000_00 });
  t.is(requestEntry(0), null);
  t.deepEqual(sides(claimPaymentEntry(400_00)), { 2080: 400_00, 1020: -400_00 });
  t.deepEqual(sides(recoveryEntry(400_00)), { 1020: 400_00, 2080: -400_00 });
  t.is(shortfall(fund, 1000_00), 0);
  t.is(shortfall(fund, 1000_01), 1);
});

const FIGURES: ClaimFigures = {
  reserves: { indemnityCents: 5000_00, expenseCents: 800_00 },
  paid: { indemnityCents: 2000_00, expenseCents: 500_00 },
  recoveredCents: 100_00,
};

test('an expense is within its own reserve, whatever is left of the limits', (t) => {
  const coverage = { status: null, limitCents: null, aggregateLimitCents: null, deductibleCents: null };
  const bounds = { figures: FIGURES, coverage, paidOfTermCents: 0, deductibleTakenCents: 0 };
  t.deepEqual(payableAmounts('expense', 300_00, bounds), { indemnityCents: 0, expenseCents: 300_00 });
  const beyond = t.throws(() => payableAmounts('expense', 300_01, bounds), { instanceOf: DomainError }) as DomainError;
  t.is(beyond.code, 'reserve_too_low');
  const uncovered = t.throws(() => payableAmounts('indemnity', 1, bounds), { instanceOf: DomainError }) as DomainError;
  t.is(uncovered.code, 'limit_exhausted');
});

test('no more is recovered than is paid, and a payment that is taken back is outstanding again', (t) => {
  t.is(recovered(FIGURES, 2400_00).recoveredCents, 2500_00);
  const beyond = t.throws(() => recovered(FIGURES, 2400_01), { instanceOf: DomainError }) as DomainError;
  t.deepEqual([beyond.code, beyond.details], ['amount_exceeds_balance', { balance: 2400, actual: 2400.01 }]);
  t.deepEqual(unpaid(FIGURES, { indemnityCents: 0, expenseCents: 500_00 }).paid, {
    ...{ indemnityCents: 2000_00, expenseCents: 0 },
  });
});
