import test from 'ava';
import {
  borne,
  type ClaimFigures,
  incurredCents,
  NOTHING_RESERVED,
  outstanding,
  reserved,
  takenDown,
  unpaid,
} from '../../../domain/claim/figures.ts';
import { DomainError } from '../../../domain/errors.ts';

const PARTLY_PAID: ClaimFigures = {
  reserves: { indemnityCents: 10_000_00, expenseCents: 1_000_00 },
  paid: { indemnityCents: 2_500_00, expenseCents: 400_00 },
  recoveredCents: 500_00,
};

test('incurred is paid + outstanding − recoveries, whatever of the reserves is paid', (t) => {
  t.is(incurredCents(NOTHING_RESERVED), 0);
  t.deepEqual(outstanding(PARTLY_PAID), { indemnityCents: 7_500_00, expenseCents: 600_00 });
  // 2,900 paid + 8,100 outstanding − 500 recovered.
  t.is(incurredCents(PARTLY_PAID), 10_500_00);
});

test('reserves take absolute new values, never below the amount paid of their kind', (t) => {
  const lowered = reserved(PARTLY_PAID, { indemnityCents: 2_500_00, expenseCents: 400_00 });
  t.deepEqual(outstanding(lowered), { indemnityCents: 0, expenseCents: 0 });
  for (const [kind, reserves] of [
    ['indemnity', { indemnityCents: 2_499_99, expenseCents: 9_000_00 }],
    ['expense', { indemnityCents: 9_000_00, expenseCents: 399_99 }],
  ] as const) {
    const error = t.throws(() => reserved(PARTLY_PAID, reserves), { instanceOf: DomainError }) as DomainError;
    t.is(error.code, 'reserve_too_low');
    t.regex(error.message, /is the total that the claim will cost: .* is less than the \$.* already paid/);
    t.is(error.details.kind, kind);
  }
});

test('closing leaves the paid amount and nothing outstanding', (t) => {
  const down = takenDown(PARTLY_PAID);
  t.deepEqual(down.reserves, PARTLY_PAID.paid);
  t.is(incurredCents(down), 2_900_00 - 500_00);
});

test('voids leave at least the recovered amount paid from the fund; a pending payment can always be voided', (t) => {
  const left = { leftCents: 2_900_00, hasLeft: true };
  // 2,900 paid − 500 recovered.
  t.deepEqual(unpaid(PARTLY_PAID, { indemnityCents: 2_400_00, expenseCents: 0 }, left).paid.indemnityCents, 100_00);
  const error = t.throws(() => unpaid(PARTLY_PAID, { indemnityCents: 2_400_01, expenseCents: 0 }, left), {
    instanceOf: DomainError,
  }) as DomainError;
  t.is(error.code, 'amount_exceeds_balance');
  t.deepEqual(error.details, { balance: 2400, actual: 2400.01 });
  // 500 has left the fund and all of it is recovered: waiting payments can still be stopped.
  const waiting = { leftCents: 500_00, hasLeft: false };
  t.is(unpaid(PARTLY_PAID, { indemnityCents: 2_400_01, expenseCents: 0 }, waiting).paid.indemnityCents, 99_99);
});

test('a settlement releases the deductible from the reserve, and voiding its payment restores it', (t) => {
  const net = borne(PARTLY_PAID, 100_00);
  t.is(outstanding(PARTLY_PAID).indemnityCents - outstanding(net).indemnityCents, 100_00);
  t.deepEqual(net.paid, PARTLY_PAID.paid);
  t.deepEqual(borne(net, -100_00), PARTLY_PAID);
});
