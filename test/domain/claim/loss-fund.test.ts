import test from 'ava';
import { payableAmounts } from '../../../domain/claim/claim-payment.ts';
import { type ClaimFigures, recovered, unpaid } from '../../../domain/claim/figures.ts';
import {
  claimPaymentEntry,
  depositEntry,
  missingRequest,
  needlessRequest,
  recoveryEntry,
  requestEntry,
  shortfall,
  withdrawalEntry,
} from '../../../domain/claim/loss-fund.ts';
import { DomainError } from '../../../domain/errors.ts';

/** Account → debits less credits. */
const sides = (entry: ReturnType<typeof requestEntry>) =>
  Object.fromEntries(
    (entry?.lines ?? []).map(({ account, debitCents, creditCents }) => [account, debitCents - creditCents]),
  );

test('a deposit first settles the requests to the carrier; payments and recoveries move only the fund', (t) => {
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

test('the request to a carrier equals the waiting payments, and the surplus after a void is withdrawn', (t) => {
  const empty = { balanceCents: 1000_00, requestedCents: 0 };
  t.is(missingRequest(empty, 1000_00), 0);
  t.is(missingRequest(empty, 6000_00), 5000_00);
  // Two payments of 4,000 and 2,000 wait; the first has requested all of the money.
  const fund = { balanceCents: 1000_00, requestedCents: 5000_00 };
  t.is(missingRequest(fund, 6000_00), 0);
  t.is(missingRequest({ ...fund, balanceCents: 700_00 }, 6000_00), 300_00);
  // The first is stopped: the other needs 1,000 on top of the fund's balance, no matter who requested it.
  t.is(needlessRequest(fund, 2000_00), 4000_00);
  t.is(needlessRequest(fund, 0), 5000_00);
  // Money that the carrier has paid is not withdrawn, nor are requests that other payments need.
  const half = { balanceCents: 3000_00, requestedCents: 3000_00 };
  t.is(needlessRequest(half, 0), 3000_00);
  t.is(needlessRequest(half, 6000_00), 0);
  t.is(needlessRequest(fund, 9000_00), 0);
  t.deepEqual(sides(withdrawalEntry(400_00)), { 2080: 400_00, 1200: -400_00 });
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

test('recoveries cannot exceed the money that has left the fund, and a voided payment is outstanding again', (t) => {
  t.is(recovered(FIGURES, 2400_00, 2500_00).recoveredCents, 2500_00);
  // Of 2,500 due, 500 has left the fund, and 100 of that came back.
  const early = t.throws(() => recovered(FIGURES, 400_01, 500_00), { instanceOf: DomainError }) as DomainError;
  t.deepEqual(early.details, { balance: 400, actual: 400.01 });
  const beyond = t.throws(() => recovered(FIGURES, 2400_01, 2500_00), { instanceOf: DomainError }) as DomainError;
  t.deepEqual([beyond.code, beyond.details], ['amount_exceeds_balance', { balance: 2400, actual: 2400.01 }]);
  t.deepEqual(
    unpaid(FIGURES, { indemnityCents: 0, expenseCents: 500_00 }, { leftCents: 2500_00, hasLeft: true }).paid,
    {
      ...{ indemnityCents: 2000_00, expenseCents: 0 },
    },
  );
});
