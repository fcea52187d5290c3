// Taking a cancellation back: what it moves and how it is billed.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import type { PlannedInvoice } from '../../../domain/policy/billing-change.ts';
import { type ChangeAmounts, sumOfLines, totalOf } from '../../../domain/policy/invoice-lines.ts';
import type { PolicyStatus } from '../../../domain/policy/policy.ts';
import {
  ensureEarnedPremiumPaid,
  reinstatementFigures,
  reinstatementKind,
} from '../../../domain/policy/reinstatement.ts';
import { planReinstatement, reinstatementTotal } from '../../../domain/policy/reinstatement-billing.ts';
import { taxesOwed } from '../../../domain/policy/tax-change.ts';
import { newBusiness, row, TERM, TEXAS } from './rows.ts';

/** 10,000.00 cancelled on day 146 at short rate: 5,400.00 and its taxes went back. */
const CANCELLATION = row({
  type: 'cancellation',
  sequence: 2,
  effectiveDate: '2025-05-27',
  premiumChangeCents: -540_000,
  taxChangeCents: -26_406,
  changes: { method: 'short_rate' },
});
const AFTER = taxesOwed(TEXAS, { premiumCents: 460_000, feeCents: 25_000 });

function figures(effectiveDate: string | undefined, today: string, status: PolicyStatus = 'cancelled') {
  const cancellation = CANCELLATION;
  const policy = { term: TERM, today, status, basis: TEXAS, charged: AFTER, feeCents: 25_000 };
  return reinstatementFigures([newBusiness(1_000_000), cancellation], { cancellation, effectiveDate }, policy);
}

test('Without a gap a reinstatement restores premium and taxes to the cent, the short-rate penalty included', (t) => {
  const found = figures(undefined, '2025-06-26');
  t.is(found.kind, 'without_gap');
  t.is(found.effectiveDate, '2025-05-27');
  t.is(found.premiumChangeCents, 540_000);
  t.is(found.feeChangeCents, 0);
  t.is(found.taxChangeCents, 26_406);
  t.is(found.totalChangeCents, 566_406);
  t.deepEqual(found.taxes, taxesOwed(TEXAS, { premiumCents: 1_000_000, feeCents: 25_000 }));
});

test('A flat cancellation taken back restores the fee too', (t) => {
  const cancellation = row({
    type: 'cancellation',
    sequence: 2,
    premiumChangeCents: -1_000_000,
    feeChangeCents: -25_000,
    taxChangeCents: -50_123,
    changes: { method: 'flat' },
  });
  const policy = {
    term: TERM,
    today: '2025-01-10',
    status: 'cancelled' as const,
    basis: TEXAS,
    charged: [],
    feeCents: 0,
  };
  const found = reinstatementFigures([newBusiness(1_000_000), cancellation], { cancellation }, policy);
  t.is(found.totalChangeCents, 1_075_123);
});

test('With a gap the written premium is less by the days of the gap', (t) => {
  const found = figures('2025-06-26', '2025-06-26');
  t.is(found.kind, 'with_gap');
  // 30 of 365 days of 10,000.00.
  t.is(found.gapPremiumCents, 82_192);
  t.is(found.premiumChangeCents, 457_808);
  t.deepEqual(found.taxes, taxesOwed(TEXAS, { premiumCents: 917_808, feeCents: 25_000 }));
});

test('Before the day of a scheduled cancellation a reinstatement moves no money', (t) => {
  const found = figures(undefined, '2025-05-26', 'pending_cancellation');
  t.is(found.kind, 'withdrawal');
  t.is(found.totalChangeCents, 0);
  t.deepEqual(found.taxChanges, []);
});

test('Coverage cannot begin again before it ended or when the term is over', (t) => {
  for (const effectiveDate of ['2025-05-26', '2026-01-01']) {
    const kind = () => reinstatementKind({ cancellation: CANCELLATION, effectiveDate, term: TERM, status: 'lapsed' });
    t.is(t.throws(kind, { instanceOf: DomainError })?.code, 'outside_policy_term');
  }
});

function invoice(id: string, totalCents: number, dueDate: string, given: Partial<PlannedInvoice> = {}): PlannedInvoice {
  return {
    id,
    installmentNumber: 1,
    dueDate,
    totalCents,
    paidCents: 0,
    refundedCents: 0,
    refundedBeforePaidCents: 0,
    voided: false,
    uncollectible: false,
    lines: [{ kind: 'premium', code: 'PREMIUM', description: 'Premium', amountCents: totalCents }],
    ...given,
  };
}

test('A lapsed policy comes back only when its past-due earned premium is paid', (t) => {
  const owed = [invoice('a', 1000, '2025-05-01', { paidCents: 400 }), invoice('b', 500, '2025-06-27')];
  const error = t.throws(() => ensureEarnedPremiumPaid(owed, '2025-06-26'), { instanceOf: DomainError });
  t.is(error?.code, 'not_ready');
  t.deepEqual(error?.details, { missing: [], blockers: ['PAST_DUE_PREMIUM'], pastDue: 6 });
  t.notThrows(() => ensureEarnedPremiumPaid(owed, '2025-05-01'));
  t.notThrows(() => ensureEarnedPremiumPaid([invoice('a', 1000, '2025-05-01', { paidCents: 1000 })], '2025-06-26'));
});

const premium = (premiumCents: number): ChangeAmounts => ({ premiumCents, fees: [], taxes: [] });
const credit = (amountCents: number) => [
  { kind: 'credit' as const, code: 'RETURN_PREMIUM', description: 'Return premium', amountCents },
];

/** 3,000 went back: 1,000 void (due in August), 1,200 taken off one due in July, 800 refunded. */
const BILLING = {
  voidedIds: ['void'],
  credits: [{ invoiceId: 'shrunk', creditLines: credit(-1200) }],
  refundedCents: 800,
};
const INVOICES = [
  invoice('paid', 5000, '2025-01-01', { paidCents: 5000, refundedCents: 800 }),
  invoice('shrunk', 300, '2025-06-01'),
  invoice('void', 1000, '2025-08-01', { voided: true }),
];

function planned(changeCents: number, billing = BILLING, cancelled = premium(-3000)) {
  const change = premium(changeCents);
  const order = { change, cancelled, billing, invoices: INVOICES, effectiveDate: '2025-05-27', today: '2025-06-26' };
  const plan = planReinstatement({ ...order, description: 'Reinstated premium' });
  if (reinstatementTotal(plan) !== totalOf(change)) throw new Error('The parts do not sum to the change');
  return plan;
}

test('Void invoices are opened again, credits taken back, and what was really refunded is billed on one new invoice', (t) => {
  const plan = planned(3000);
  t.deepEqual(plan.reopened, [{ invoiceId: 'void', totalCents: 1000, creditLines: [], dueDate: '2025-08-01' }]);
  t.is(plan.restored.length, 1);
  t.like(plan.restored[0], { invoiceId: 'shrunk', dueDate: '2025-06-26' });
  t.is(sumOfLines(plan.restored[0]?.addedLines ?? []), 1200);
  t.is(plan.newInvoice?.dueDate, '2025-06-26');
  t.is(sumOfLines(plan.newInvoice?.lines ?? []), 800);
  t.is(plan.unbilledCents, 0);
});

test('What was taken off an invoice that is paid since is billed on the new one', (t) => {
  const order = { change: premium(3000), cancelled: premium(-3000), billing: BILLING, effectiveDate: '2025-05-27' };
  const invoices = INVOICES.map((each) => (each.id === 'shrunk' ? { ...each, paidCents: 300 } : each));
  const plan = planReinstatement({ ...order, invoices, today: '2025-06-26', description: 'Reinstated premium' });
  t.deepEqual(plan.restored, []);
  t.is(sumOfLines(plan.newInvoice?.lines ?? []), 2000);
  t.is(reinstatementTotal(plan), 3000);
});

test('A refund that never went out is not billed', (t) => {
  const plan = planned(3000, { ...BILLING, refundedCents: 0 });
  t.is(plan.newInvoice, null);
  t.is(plan.unbilledCents, 800);
});

test('The price of a gap comes off what is due last, and the new invoice last of all', (t) => {
  const some = planned(2600);
  t.is(sumOfLines(some.reopened[0]?.creditLines ?? []), -400);
  t.is(sumOfLines(some.newInvoice?.lines ?? []), 800);
  const more = planned(1500);
  t.deepEqual(more.reopened, []);
  t.is(sumOfLines(more.restored[0]?.addedLines ?? []), 700);
  const most = planned(500);
  t.deepEqual(most.restored, []);
  t.is(sumOfLines(most.newInvoice?.lines ?? []), 500);
  t.is(planned(-100).refundCents, 100);
});

test('The new invoice holds premium, taxes and fee in the proportion in which they were returned', (t) => {
  const cancelled = {
    premiumCents: -2800,
    fees: [{ code: 'POLICY_FEE', amountCents: -60 }],
    taxes: [{ code: 'SL_TAX', amountCents: -140 }],
  };
  const plan = planned(3000, BILLING, cancelled);
  t.deepEqual(
    plan.newInvoice?.lines.map(({ kind, code, amountCents }) => [kind, code, amountCents]),
    [
      // 800 of 3,000: 16.00 of the fee, 37.33 of the tax.
      ['premium', 'PREMIUM', 747],
      ['fee', 'POLICY_FEE', 16],
      ['tax', 'SL_TAX', 37],
    ],
  );
});
