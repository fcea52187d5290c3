// When an amount is payable again after its payment failed, what a bank may still decide, and how much of a check is
// no longer owed.
import test from 'ava';
import { nextDisbursementStatus, owedCents, owedNoMore } from '../../../domain/billing/disbursement.ts';
import { nextOutcome } from '../../../domain/billing/dispute.ts';
import type { InvoiceAmounts } from '../../../domain/billing/invoice.ts';
import { dueAgain, takenAgain } from '../../../domain/billing/reversal.ts';
import { DomainError } from '../../../domain/errors.ts';

const UNPAID: InvoiceAmounts = {
  ...{ totalCents: 100_000, paidCents: 0, refundedCents: 0, refundedBeforePaidCents: 0 },
  ...{ voided: false, uncollectible: false, dueDate: '2026-03-01' },
};

test('an amount payable again falls due in ten days, or on its own day if that is later', (t) => {
  t.is(dueAgain(UNPAID, '2026-05-05'), '2026-05-15');
  t.is(dueAgain(UNPAID, '2026-02-20'), '2026-03-02');
  t.is(dueAgain(UNPAID, '2026-02-10'), '2026-03-01');
  t.is(dueAgain({ ...UNPAID, voided: true }, '2026-05-05'), '2026-03-01', 'nothing is owed');
});

test('an invoice takes only its balance from money that comes back, a void one nothing', (t) => {
  t.is(takenAgain({ ...UNPAID, paidCents: 130_000 }, 100_000), 70_000);
  t.is(takenAgain({ ...UNPAID, paidCents: 100_000 }, 100_000), 100_000);
  t.is(takenAgain({ ...UNPAID, paidCents: 130_000, voided: true }, 100_000), 0);
});

test('money that a bank has given back never leaves by a late event; a bank may give way late', (t) => {
  t.is(nextOutcome('open', 'won'), 'won');
  t.is(nextOutcome('open', 'lost'), 'lost');
  t.is(nextOutcome('lost', 'won'), 'won');
  for (const reported of ['open', 'lost', 'won', 'inquiry'] as const)
    t.is(nextOutcome('won', reported), null, reported);
  t.is(nextOutcome('lost', 'open'), null);
});

/** 700.00, paid by two checks of 400.00 and 300.00. */
const CHECK = { amountCents: 70_000, cancelledCents: 0, keptCents: 0 };
const behind = (first: boolean, second: boolean) => [
  { cents: 40_000, isReversed: first },
  { cents: 30_000, isReversed: second },
];

test('the part of a check from bounced payments is no longer owed, and is cancelled once', (t) => {
  t.deepEqual(owedNoMore(CHECK, behind(false, false)), { cents: 0, isAll: false });
  t.deepEqual(owedNoMore(CHECK, behind(true, false)), { cents: 40_000, isAll: false });
  t.deepEqual(owedNoMore(CHECK, behind(true, true)), { cents: 70_000, isAll: true });
  const cut = { ...CHECK, cancelledCents: 40_000 };
  t.deepEqual(owedNoMore(cut, behind(true, false)), { cents: 0, isAll: false });
  t.deepEqual(owedNoMore(cut, behind(true, true)), { cents: 30_000, isAll: true });
  const kept = { ...CHECK, cancelledCents: 40_000, keptCents: 40_000 };
  t.deepEqual(owedNoMore(kept, behind(false, false)), { cents: 0, isAll: false });
  t.deepEqual(
    owedNoMore(kept, behind(true, true)),
    { cents: 30_000, isAll: true },
    'what was kept cannot be cancelled again',
  );
  t.deepEqual([owedCents(CHECK), owedCents(cut)], [70_000, 30_000]);
  t.is(owedCents({ ...CHECK, cancelledCents: 70_000 }), 70_000, 'what was owed before');
});

test('a check with a part owed no more can only be cancelled, and the rest stays owed', (t) => {
  const part = { cents: 40_000, isAll: false };
  const refusal = t.throws(() => nextDisbursementStatus('pending', 'issue', part), { instanceOf: DomainError });
  t.deepEqual(refusal?.details.allowed, ['cancel']);
  t.is(nextDisbursementStatus('pending', 'cancel', part), 'pending');
  t.is(nextDisbursementStatus('stopped', 'cancel', part), 'stopped');
  t.is(nextDisbursementStatus('pending', 'cancel', { cents: 70_000, isAll: true }), 'cancelled');
  const nothing = { cents: 0, isAll: false };
  t.is(nextDisbursementStatus('pending', 'issue', nothing), 'issued');
  t.is(nextDisbursementStatus('pending', 'cancel', nothing), 'cancelled', 'what is owed can be kept instead');
  t.throws(() => nextDisbursementStatus('issued', 'cancel', nothing), { instanceOf: DomainError });
  t.is(nextDisbursementStatus('issued', 'stop', part), 'stopped', 'a check that has left can be stopped');
});
