import test from 'ava';
import {
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

test('reserves take absolute new values, never below what is paid of their kind', (t) => {
  const lowered = reserved(PARTLY_PAID, { indemnityCents: 2_500_00, expenseCents: 400_00 });
  t.deepEqual(outstanding(lowered), { indemnityCents: 0, expenseCents: 0 });
  for (const [kind, reserves] of [
    ['indemnity', { indemnityCents: 2_499_99, expenseCents: 9_000_00 }],
    ['expense', { indemnityCents: 9_000_00, expenseCents: 399_99 }],
  ] as const) {
    const error = t.throws(() => reserved(PARTLY_PAID, reserves), { instanceOf: DomainError }) as DomainError;
    t.is(error.code, 'reserve_too_low');
    t.is(error.details.kind, kind);
  }
});

test('taking down leaves what is paid and nothing outstanding', (t) => {
  const down = takenDown(PARTLY_PAID);
  t.deepEqual(down.reserves, PARTLY_PAID.paid);
  t.is(incurredCents(down), 2_900_00 - 500_00);
});

test('what is taken back leaves at least what was recovered; a refusal names what may be taken back', (t) => {
  // 2,900 paid − 500 recovered.
  t.deepEqual(unpaid(PARTLY_PAID, { indemnityCents: 2_400_00, expenseCents: 0 }).paid.indemnityCents, 100_00);
  const error = t.throws(() => unpaid(PARTLY_PAID, { indemnityCents: 2_400_01, expenseCents: 0 }), {
    instanceOf: DomainError,
  }) as DomainError;
  t.is(error.code, 'amount_exceeds_balance');
  t.deepEqual(error.details, { balance: 2400, actual: 2400.01 });
});
