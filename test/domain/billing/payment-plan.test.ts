// What a new payment plan bills for a term that began on 2026-03-01. Figures by hand: 12,000.00 is 10 × 1,200.00, 4 ×
// 3,000.00, 2 × 6,000.00.
import test from 'ava';
import { planRebilling, type RebillableInvoice, type RebilledLine } from '../../../domain/billing/payment-plan.ts';
import { addMonths } from '../../../domain/dates.ts';
import { INSTALLMENT_MONTHS, INSTALLMENT_PLANS, type InstallmentPlan } from '../../../domain/lines.ts';
import { splitEvenly, sumCents } from '../../../domain/money.ts';
import { fc } from '../../support/fixed/chance.ts';

const START = '2026-03-01';
const line = (code: string, amountCents: number, transactionId?: string): RebilledLine => {
  const kind = code === 'PREMIUM' ? (amountCents < 0 ? 'credit' : 'premium') : code === 'POLICY_FEE' ? 'fee' : 'tax';
  return { kind, code, description: code, amountCents, ...(transactionId === undefined ? {} : { transactionId }) };
};
const sumOf = (lines: readonly RebilledLine[]) => sumCents(lines.map(({ amountCents }) => amountCents));

function invoice(month: number, lines: RebilledLine[], changes: Partial<RebillableInvoice> = {}): RebillableInvoice {
  return {
    ...{ id: `inv_${month}`, installmentNumber: month + 1, dueDate: addMonths(START, month), lines },
    ...{ totalCents: sumOf(lines), paidCents: 0, refundedCents: 0, refundedBeforePaidCents: 0 },
    ...{ voided: false, uncollectible: false, hasReturns: false },
    ...changes,
  };
}

/** A plan's invoices; fee, tax and stamping fee on the first. */
function billedBy(plan: InstallmentPlan, premiumCents = 1_200_000): RebillableInvoice[] {
  const months = INSTALLMENT_MONTHS[plan];
  const charges = [line('POLICY_FEE', 25_000), line('SL_TAX', 59_413), line('STAMPING_FEE', 490)];
  return splitEvenly(premiumCents, months.length).map((cents, index) =>
    invoice(months[index] ?? 0, [line('PREMIUM', cents), ...(index === 0 ? charges : [])]),
  );
}

const paid = (each: RebillableInvoice) => ({ ...each, paidCents: each.totalCents });

function rebilled(plan: InstallmentPlan, invoices: readonly RebillableInvoice[], today: string) {
  const { voids, newInvoices } = planRebilling({ plan, invoices, anchorDate: START, today });
  return {
    voids: voids.map(({ invoiceId }) => invoiceId),
    bills: newInvoices.map(({ dueDate, lines }) => [dueDate, sumOf(lines)]),
    newInvoices,
  };
}

test('the other plan bills everything when nothing is paid, with fee and taxes on the first', (t) => {
  const { voids, bills, newInvoices } = rebilled('QUARTERLY_4', billedBy('MONTHLY_10'), '2026-02-01');
  t.is(voids.length, 10);
  t.deepEqual(bills, [
    ['2026-03-01', 384_903],
    ...[
      ['2026-06-01', 300_000],
      ['2026-09-01', 300_000],
      ['2026-12-01', 300_000],
    ],
  ]);
  t.deepEqual(
    newInvoices[0]?.lines.map(({ code, description, amountCents }) => [code, description, amountCents]),
    [
      ['PREMIUM', 'Premium, installment 1 of 4', 300_000],
      ...[
        ['POLICY_FEE', 'POLICY_FEE', 25_000],
        ['SL_TAX', 'SL_TAX', 59_413],
        ['STAMPING_FEE', 'STAMPING_FEE', 490],
      ],
    ],
  );
});

test('payments count toward the first installments of the other plan', (t) => {
  const [first, ...others] = billedBy('QUARTERLY_4') as [RebillableInvoice, ...RebillableInvoice[]];
  const { voids, bills } = rebilled('MONTHLY_10', [paid(first), ...others], '2026-04-15');
  t.deepEqual(voids, ['inv_3', 'inv_6', 'inv_9']);
  // 3,000.00 covers March, April and half of May.
  t.deepEqual(bills, [
    ['2026-05-01', 60_000],
    ...['06', '07', '08', '09', '10', '11', '12'].map((month) => [`2026-${month}-01`, 120_000]),
  ]);
});

test('installments already due under the other plan are due with the first void bill; past-due bills stay', (t) => {
  const [first, ...others] = billedBy('MONTHLY_10') as [RebillableInvoice, ...RebillableInvoice[]];
  const invoices = [paid(first), ...others];
  // April is past due and stays: 2,400.00 in all.
  const { voids, bills } = rebilled('SEMI_ANNUAL_2', invoices, '2026-04-10');
  t.false(voids.includes('inv_1'));
  t.deepEqual(bills, [
    ['2026-05-01', 360_000],
    ['2026-09-01', 600_000],
  ]);
  t.deepEqual(rebilled('PAY_IN_FULL', invoices, '2026-04-10').bills, [['2026-05-01', 960_000]]);
});

test('partly paid, disputed, written-off and void bills stay, and so do those from which money goes back', (t) => {
  const [one, two, three, four, ...others] = billedBy('MONTHLY_10') as RebillableInvoice[];
  const kept = [
    { ...(one as RebillableInvoice), paidCents: 1 },
    { ...(two as RebillableInvoice), disputed: true },
    { ...(three as RebillableInvoice), uncollectible: true },
    { ...(four as RebillableInvoice), hasReturns: true },
  ];
  const { voids } = rebilled('QUARTERLY_4', [...kept, ...others], '2026-02-01');
  t.deepEqual(voids, ['inv_4', 'inv_5', 'inv_6', 'inv_7', 'inv_8', 'inv_9']);
  const gone = others.map((each) => ({ ...each, voided: true }));
  const refusal = t.throws(() => rebilled('QUARTERLY_4', [...kept, ...gone], '2026-02-01'));
  t.like(refusal, { code: 'not_ready', details: { blockers: ['NOTHING_TO_REBILL'] } });
});

test('the premium of an endorsement stays its own, and a credit remains one', (t) => {
  const [first, ...others] = billedBy('QUARTERLY_4') as [RebillableInvoice, ...RebillableInvoice[]];
  const endorsed = others.map((each, index) => {
    const lines = [...each.lines, line('PREMIUM', 10_001, 'ptx_a'), line('PREMIUM', index === 2 ? -5_000 : 0, 'ptx_b')];
    return { ...each, lines, totalCents: sumOf(lines) };
  });
  const { newInvoices } = rebilled('MONTHLY_12', [paid(first), ...endorsed], '2026-04-15');
  const all = newInvoices.flatMap(({ lines }) => lines);
  const of = (id?: string) => sumOf(all.filter(({ transactionId }) => transactionId === id));
  t.deepEqual([of(), of('ptx_a'), of('ptx_b')], [900_000, 30_003, -5_000]);
  t.true(all.every(({ kind, amountCents }) => (kind === 'credit') === amountCents < 0));
});

test('the new bills equal the void ones, none empty and none past due, whatever the plans, the day and the payments', (t) => {
  const plan = fc.constantFrom(...INSTALLMENT_PLANS);
  const order = fc.record({
    ...{ from: plan, to: plan, premiumCents: fc.integer({ min: 1_200, max: 100_000_000 }) },
    ...{ paidUntil: fc.nat({ max: 12 }), days: fc.integer({ min: -30, max: 330 }), month: fc.nat({ max: 11 }) },
    extraCents: fc.integer({ min: -100, max: 900_000 }),
  });
  fc.assert(
    fc.property(order, ({ from, to, premiumCents, paidUntil, month, extraCents }) => {
      const invoices = billedBy(from, premiumCents).map((each, index, { length }) => {
        if (index < paidUntil) return paid(each);
        const lines = index === length - 1 ? [...each.lines, line('PREMIUM', extraCents, 'ptx_a')] : each.lines;
        return { ...each, lines, totalCents: sumOf(lines) };
      });
      const today = addMonths(START, month);
      let plan: ReturnType<typeof planRebilling>;
      try {
        plan = planRebilling({ plan: to, invoices, anchorDate: START, today });
      } catch {
        return;
      }
      const ids = new Set(plan.voids.map(({ invoiceId }) => invoiceId));
      const before = invoices.filter(({ id }) => ids.has(id)).flatMap(({ lines }) => lines);
      const after = plan.newInvoices.flatMap(({ lines }) => lines);
      for (const code of ['PREMIUM', 'POLICY_FEE', 'SL_TAX', 'STAMPING_FEE']) {
        const sum = (lines: readonly RebilledLine[]) => sumOf(lines.filter((each) => each.code === code));
        t.is(sum(after), sum(before));
      }
      t.is(sumCents(plan.voids.map(({ totalCents }) => totalCents)), sumOf(after));
      t.true(plan.newInvoices.every(({ dueDate, lines }) => dueDate >= today && sumOf(lines) > 0));
    }),
  );
});
