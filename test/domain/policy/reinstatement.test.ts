// Undoing a cancellation: what it moves and how it is billed.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { type Cents, sumCents } from '../../../domain/money.ts';
import type { PlannedInvoice } from '../../../domain/policy/billing-change.ts';
import { type ChangeAmounts, sumOfLines, totalOf } from '../../../domain/policy/invoice-lines.ts';
import { NO_PARTS, partsOfLines, totalOfParts } from '../../../domain/policy/parts.ts';
import type { PolicyStatus } from '../../../domain/policy/policy.ts';
import {
  ensureEarnedPremiumPaid,
  reinstatementFigures,
  reinstatementKind,
} from '../../../domain/policy/reinstatement.ts';
import { planReinstatementInvoices, type ReinstatementPlan } from '../../../domain/policy/reinstatement-billing.ts';
import { taxesOwed } from '../../../domain/policy/tax-change.ts';
import { newBusiness, row, TERM, TEXAS } from './rows.ts';

/** 10,000.00 cancelled on day 146 at short rate: 5,400.00 and its taxes were returned. */
const CANCELLATION = row({
  type: 'cancellation',
  sequence: 2,
  effectiveDate: '2025-05-27',
  premiumChangeCents: -540_000,
  taxChangeCents: -26_406,
  changes: { method: 'short_rate' },
});
const AFTER = taxesOwed(TEXAS, { premiumCents: 460_000, feeCents: 25_000 });

/** The net change in total due that a plan makes. */
function reinstatementTotal(plan: ReinstatementPlan): Cents {
  return (
    sumCents(plan.reopened.map((each) => each.totalCents + sumOfLines(each.creditLines))) +
    sumCents(plan.restored.map(({ addedLines }) => sumOfLines(addedLines))) +
    sumOfLines(plan.newInvoice?.lines ?? []) +
    totalOfParts(plan.unbilled)
  );
}

function figures(effectiveDate: string | undefined, today: string, status: PolicyStatus = 'cancelled') {
  const cancellation = CANCELLATION;
  const policy = { term: TERM, today, status, basis: TEXAS, charged: AFTER, feeCents: 25_000 };
  return reinstatementFigures([newBusiness(1_000_000), cancellation], { cancellation, effectiveDate }, policy);
}

test('A reinstatement without a gap restores premium and taxes to the cent, the short-rate penalty included', (t) => {
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

test('The written premium with a gap is less by the days of the gap', (t) => {
  const found = figures('2025-06-26', '2025-06-26');
  t.is(found.kind, 'with_gap');
  // 30 of 365 days of 10,000.00.
  t.is(found.gapPremiumCents, 82_192);
  t.is(found.premiumChangeCents, 457_808);
  t.deepEqual(found.taxes, taxesOwed(TEXAS, { premiumCents: 917_808, feeCents: 25_000 }));
});

test('The premium with a gap is that of the covered days, rounded once', (t) => {
  // 3,990.00 cancelled pro rata after 30 of 365 days, reinstated after ten more: 3,990.00 x 355 / 365 = 3,880.68.
  const cancellation = row({ ...CANCELLATION, effectiveDate: '2025-01-31', premiumChangeCents: -366_205 });
  const policy = {
    term: TERM,
    today: '2025-02-10',
    status: 'cancelled',
    basis: TEXAS,
    charged: [],
    feeCents: 0,
  } as const;
  const found = reinstatementFigures(
    [newBusiness(399_000), cancellation],
    { cancellation, effectiveDate: '2025-02-10' },
    policy,
  );
  t.is(399_000 - 366_205 + found.premiumChangeCents, 388_068);
});

test('A reinstatement before the day of a scheduled cancellation moves no money', (t) => {
  const found = figures(undefined, '2025-05-26', 'pending_cancellation');
  t.is(found.kind, 'withdrawal');
  t.is(found.totalChangeCents, 0);
  t.deepEqual(found.taxChanges, []);
});

test('Coverage cannot begin again before it ended, on a day that is ahead, or when the term is over', (t) => {
  const kind = (effectiveDate: string | undefined, status: PolicyStatus, today: string) => () =>
    reinstatementKind({ cancellation: CANCELLATION, effectiveDate, term: TERM, status, today });
  for (const refused of [
    kind('2025-05-26', 'lapsed', '2025-06-26'),
    kind('2025-06-27', 'cancelled', '2025-06-26'),
    kind('2026-01-01', 'lapsed', '2026-01-02'),
  ]) {
    t.is(t.throws(refused, { instanceOf: DomainError })?.code, 'outside_policy_term');
  }
  t.is(kind('2025-06-26', 'cancelled', '2025-06-26')(), 'with_gap');
  const pending = t.throws(kind('2025-05-27', 'pending_cancellation', '2025-05-01'), { instanceOf: DomainError });
  t.like(pending, { code: 'validation_failed', details: { field: 'effectiveDate' } });
  t.is(kind(undefined, 'pending_cancellation', '2025-05-01')(), 'withdrawal');
});

test('Short rate may keep more than pro rata without the days of a gap: then nothing is charged again', (t) => {
  // 10,000.00 cancelled on day 300 at short rate retains 8,397.26 (65 / 365 × 0.9 is returned: 1,602.74).
  const cancellation = row({
    ...{ type: 'cancellation', sequence: 2, effectiveDate: '2025-10-28', premiumChangeCents: -160_274 },
  });
  const policy = {
    ...{ term: TERM, status: 'cancelled' as const, today: '2025-12-31', basis: TEXAS, feeCents: 25_000 },
    charged: taxesOwed(TEXAS, { premiumCents: 839_726, feeCents: 25_000 }),
  };
  const request = { cancellation, effectiveDate: '2025-12-31' };
  // 64 days of the gap cost 1,753.42.
  const found = reinstatementFigures([newBusiness(1_000_000), cancellation], request, policy);
  t.like(found, { premiumChangeCents: 0, totalChangeCents: 0, gapPremiumCents: 160_274 });
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
  const writtenOff = invoice('a', 1000, '2025-05-01', { uncollectible: true });
  t.like(
    t.throws(() => ensureEarnedPremiumPaid([writtenOff], '2025-06-26')),
    { details: { pastDue: 10 } },
  );
  t.notThrows(() => ensureEarnedPremiumPaid([invoice('a', 1000, '2025-05-01', { paidCents: 1000 })], '2025-06-26'));
});

test('A check that bounces does not bring a lapsed policy back: its bill counts from the day on which it first fell due', (t) => {
  const bounced = invoice('a', 44_532, '2025-07-06', { firstDueDate: '2025-05-01' });
  t.like(
    t.throws(() => ensureEarnedPremiumPaid([bounced], '2025-06-26')),
    { code: 'not_ready', details: { pastDue: 445.32 } },
  );
  t.notThrows(() => ensureEarnedPremiumPaid([{ ...bounced, paidCents: 44_532 }], '2025-06-26'));
});

const premium = (premiumCents: number): ChangeAmounts => ({ premiumCents, fees: [], taxes: [] });
const credit = (amountCents: number) => [
  { kind: 'credit' as const, code: 'PREMIUM', description: 'Return premium', amountCents },
];

const TAX = [{ code: 'SL_TAX', amountCents: 140 }];

/** 3,000 was returned: 1,000 voided (due in August), 1,200 credited on one due in July, 800 refunded. */
const BILLING = {
  voidedIds: ['void'],
  credits: [{ invoiceId: 'shrunk', creditLines: credit(-1200) }],
  refunded: { ...NO_PARTS, premiumCents: 800 },
};
const INVOICES = [
  invoice('paid', 5000, '2025-01-01', { paidCents: 5000, refundedCents: 800 }),
  invoice('shrunk', 300, '2025-06-01'),
  invoice('void', 1000, '2025-08-01', { voided: true }),
];

function planned(changeCents: number, billing = BILLING, cancelled = premium(-3000)) {
  const change = premium(changeCents);
  const order = { change, cancelled, billing, invoices: INVOICES, effectiveDate: '2025-05-27', today: '2025-06-26' };
  const plan = planReinstatementInvoices({ ...order, description: 'Reinstated premium' });
  if (reinstatementTotal(plan) !== totalOf(change)) throw new Error('The parts do not sum to the change');
  return plan;
}

test('Void invoices are opened again, credits taken back, and actual refunds are billed on one new invoice', (t) => {
  const plan = planned(3000);
  t.deepEqual(plan.reopened, [{ invoiceId: 'void', totalCents: 1000, creditLines: [], dueDate: '2025-08-01' }]);
  t.is(plan.restored.length, 1);
  t.like(plan.restored[0], { invoiceId: 'shrunk', dueDate: '2025-06-26' });
  t.is(sumOfLines(plan.restored[0]?.addedLines ?? []), 1200);
  t.is(plan.newInvoice?.dueDate, '2025-06-26');
  t.is(sumOfLines(plan.newInvoice?.lines ?? []), 800);
  t.is(totalOfParts(plan.unbilled), 0);
});

test('A credit taken off an invoice that is paid since is billed on the new one', (t) => {
  const order = { change: premium(3000), cancelled: premium(-3000), billing: BILLING, effectiveDate: '2025-05-27' };
  const invoices = INVOICES.map((each) => (each.id === 'shrunk' ? { ...each, paidCents: 300 } : each));
  const plan = planReinstatementInvoices({
    ...order,
    invoices,
    today: '2025-06-26',
    description: 'Reinstated premium',
  });
  t.deepEqual(plan.restored, []);
  t.is(sumOfLines(plan.newInvoice?.lines ?? []), 2000);
  t.is(reinstatementTotal(plan), 3000);
});

test('An invoice that had exchanged parts and is unpaid again takes them back', (t) => {
  // Of 900 premium and 100 tax, 1,000 premium was credited on an unpaid invoice; a paid one has 100 premium for its
  // tax.
  const exchanged = [
    { kind: 'premium' as const, code: 'PREMIUM', description: 'Reclassified', amountCents: 100 },
    { kind: 'tax' as const, code: 'SL_TAX', description: 'Reclassified', amountCents: -100 },
  ];
  const cancelled = { premiumCents: -900, fees: [], taxes: [{ code: 'SL_TAX', amountCents: -100 }] };
  const change = { premiumCents: 900, fees: [], taxes: [{ code: 'SL_TAX', amountCents: 100 }] };
  const credits = [
    { invoiceId: 'first', creditLines: exchanged },
    { invoiceId: 'shrunk', creditLines: credit(-1000) },
  ];
  const plan = planReinstatementInvoices({
    ...{ change, cancelled, billing: { voidedIds: [], credits, refunded: NO_PARTS } },
    ...{ effectiveDate: '2025-05-27', today: '2025-06-26', description: 'Reinstated premium' },
    // Its payment was reversed.
    invoices: [invoice('first', 700, '2025-06-26'), invoice('shrunk', 300, '2025-07-01')],
  });
  const parts = plan.restored.map(({ invoiceId, addedLines }) => [invoiceId, partsOfLines(addedLines)]);
  t.deepEqual(Object.fromEntries(parts), {
    first: { ...NO_PARTS, premiumCents: -100, taxCents: 100 },
    shrunk: { ...NO_PARTS, premiumCents: 1000 },
  });
  t.is(plan.newInvoice, null);
  t.is(reinstatementTotal(plan), 1000);
});

test('A refund that never went out is not billed', (t) => {
  const plan = planned(3000, { ...BILLING, refunded: NO_PARTS });
  t.is(plan.newInvoice, null);
  t.is(totalOfParts(plan.unbilled), 800);
});

test('The price of a gap comes off the last due invoice, and the new invoice last of all', (t) => {
  const some = planned(2600);
  t.is(sumOfLines(some.reopened[0]?.creditLines ?? []), -400);
  t.is(sumOfLines(some.newInvoice?.lines ?? []), 800);
  const more = planned(1500);
  t.deepEqual(more.reopened, []);
  t.is(sumOfLines(more.restored[0]?.addedLines ?? []), 700);
  const most = planned(500);
  t.deepEqual(most.restored, []);
  t.is(sumOfLines(most.newInvoice?.lines ?? []), 500);
});

test('The new invoice bills the parts that were refunded: the fee and the taxes whole', (t) => {
  const cancelled = {
    premiumCents: -2800,
    fees: [{ code: 'POLICY_FEE', amountCents: -60 }],
    taxes: [{ code: 'SL_TAX', amountCents: -140 }],
  };
  const change = { premiumCents: 2800, fees: [{ code: 'POLICY_FEE', amountCents: 60 }], taxes: TAX };
  const facts = { cancelled, billing: BILLING, invoices: INVOICES, effectiveDate: '2025-05-27', today: '2025-06-26' };
  const plan = planReinstatementInvoices({ change, ...facts, description: 'Reinstated premium' });
  // Premium of 2,200 goes back onto the other invoices.
  t.deepEqual(
    plan.newInvoice?.lines.map(({ kind, code, amountCents }) => [kind, code, amountCents]),
    [
      ['premium', 'PREMIUM', 600],
      ['fee', 'POLICY_FEE', 60],
      ['tax', 'SL_TAX', 140],
    ],
  );
  t.is(reinstatementTotal(plan), 3000);
});

test('The unpaid invoices bill the tax where the cancellation took premium off in exchange for it', (t) => {
  const cancelled = { premiumCents: -2060, fees: [], taxes: [{ code: 'SL_TAX', amountCents: -140 }] };
  const change = { premiumCents: 2060, fees: [], taxes: TAX };
  const billing = { ...BILLING, refunded: NO_PARTS };
  const facts = { cancelled, billing, invoices: INVOICES, effectiveDate: '2025-05-27', today: '2025-06-26' };
  const plan = planReinstatementInvoices({ change, ...facts, description: 'Reinstated premium' });
  t.is(plan.newInvoice, null);
  t.deepEqual(
    plan.restored[0]?.addedLines.map(({ code, amountCents }) => [code, amountCents]),
    [
      ['PREMIUM', 1060],
      ['SL_TAX', 140],
    ],
  );
  t.is(reinstatementTotal(plan), 2200);
});

test('No reopened invoice falls due before coverage begins again', (t) => {
  const order = { change: premium(3000), cancelled: premium(-3000), billing: BILLING, invoices: INVOICES };
  const plan = planReinstatementInvoices({
    ...order,
    effectiveDate: '2025-08-15',
    today: '2025-06-26',
    description: '',
  });
  t.deepEqual(
    [...plan.reopened, ...plan.restored].map(({ dueDate }) => dueDate),
    ['2025-08-15', '2025-08-15'],
  );
});
