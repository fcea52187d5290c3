// How additional and return premium reach the invoices.
import test from 'ava';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { type Cents, sumCents } from '../../../domain/money.ts';
import {
  type BillingChange,
  type BillingPlan,
  type PlannedInvoice,
  planBillingChange,
} from '../../../domain/policy/billing-change.ts';
import { sumOfLines } from '../../../domain/policy/invoice-lines.ts';
import { NO_PARTS, totalOfParts } from '../../../domain/policy/parts.ts';
import { fc } from '../../support/fixed/chance.ts';

const TAXES = [
  { code: 'SL_TAX', amountCents: 291 },
  { code: 'STAMPING_FEE', amountCents: 3 },
];

/** The net change in total due that a plan makes. */
function planTotal(plan: BillingPlan): Cents {
  const lines = [
    ...plan.additions.flatMap(({ addedLines }) => addedLines),
    ...plan.credits.flatMap((credit) => credit.creditLines),
    ...plan.newInvoices.flatMap((invoice) => invoice.lines),
  ];
  const taken = [...plan.voids.map(({ totalCents }) => totalCents), totalOfParts(plan.refund), plan.unclaimedCents];
  return sumCents(lines.map(({ amountCents }) => amountCents)) - sumCents(taken);
}

/** Installment n is due on the first of month n. */
function invoice(number: number, premiumCents: number, given: Partial<PlannedInvoice> = {}): PlannedInvoice {
  return {
    id: `inv_${number}`,
    installmentNumber: number,
    dueDate: `2025-0${number}-01`,
    totalCents: premiumCents,
    paidCents: 0,
    refundedCents: 0,
    refundedBeforePaidCents: 0,
    voided: false,
    uncollectible: false,
    lines: [{ kind: 'premium', code: 'PREMIUM', description: 'Premium', amountCents: premiumCents }],
    ...given,
  };
}

function plan(premiumCents: number, invoices: PlannedInvoice[], given: Partial<BillingChange> = {}) {
  const order = { effectiveDate: '2025-03-10', today: '2025-03-10', description: 'Change of premium', ...given };
  return planBillingChange({ change: { premiumCents, fees: [], taxes: [] }, invoices, ...order });
}

test('Additional premium is spread equally over the installments not yet due, remainder and taxes on the first', (t) => {
  const invoices = [
    invoice(4, 1000),
    invoice(2, 1000, { paidCents: 1000 }),
    invoice(3, 1000, { paidCents: 400 }),
    invoice(5, 1000),
  ];
  const change = { premiumCents: 1001, fees: [], taxes: TAXES };
  const found = plan(0, invoices, { change, today: '2025-03-01' });
  t.deepEqual(
    found.additions.map(({ invoiceId, addedLines }) => [
      invoiceId,
      ...addedLines.map((line) => [line.code, line.amountCents]),
    ]),
    [
      ['inv_3', ['PREMIUM', 335], ['SL_TAX', 291], ['STAMPING_FEE', 3]],
      ['inv_4', ['PREMIUM', 333]],
      ['inv_5', ['PREMIUM', 333]],
    ],
  );
  t.is(planTotal(found), 1295);
});

test('Additional premium never lands on an invoice that is past due', (t) => {
  const change = { premiumCents: 1000, fees: [], taxes: TAXES };
  const added = (invoices: PlannedInvoice[], today: string) => plan(0, invoices, { change, today });
  const [pastDue, ahead] = [invoice(2, 1000), invoice(4, 1000)];
  t.deepEqual(
    added([pastDue, ahead], '2025-03-10').additions.map(({ invoiceId }) => invoiceId),
    ['inv_4'],
  );
  const alone = added([pastDue], '2025-03-10');
  t.deepEqual(alone.additions, []);
  t.is(alone.newInvoices[0]?.dueDate, '2025-03-25');
  // On its due date an invoice is not past due.
  t.is(added([pastDue], '2025-02-01').additions.length, 1);
});

test('A policy with no installment unpaid has one invoice, due the later of effective date and today + 15', (t) => {
  const invoices = [
    invoice(1, 1000, { paidCents: 1000 }),
    invoice(2, 1000, { voided: true }),
    invoice(3, 9, { uncollectible: true }),
  ];
  const change = { premiumCents: 1000, fees: [], taxes: TAXES };
  const due = (effectiveDate: string) => plan(0, invoices, { change, effectiveDate }).newInvoices;
  t.is(due('2025-03-10')[0]?.dueDate, '2025-03-25');
  t.is(due('2025-04-10')[0]?.dueDate, '2025-04-10');
  t.is(due('2025-02-01')[0]?.dueDate, '2025-03-25');
  t.is(due('2025-03-10').length, 1);
  t.is(sumOfLines(due('2025-03-10')[0]?.lines ?? []), 1294);
});

test('Premium that is billed apart has one invoice, also while installments are not yet due', (t) => {
  const { additions, newInvoices } = plan(1000, [invoice(4, 1000), invoice(5, 1000)], { isBilledApart: true });
  t.deepEqual(additions, []);
  t.deepEqual(
    newInvoices.map(({ dueDate, lines }) => [dueDate, sumOfLines(lines)]),
    [['2025-03-25', 1000]],
  );
});

test('Return premium makes the last unpaid invoices void, shrinks the one before, and leaves the others', (t) => {
  const invoices = [invoice(2, 1000), invoice(3, 1000), invoice(4, 1000), invoice(5, 1000)];
  const found = plan(-2300, invoices);
  t.deepEqual(found.voids, [
    { invoiceId: 'inv_5', totalCents: 1000 },
    { invoiceId: 'inv_4', totalCents: 1000 },
  ]);
  t.is(found.credits.length, 1);
  t.is(found.credits[0]?.invoiceId, 'inv_3');
  t.like(found.credits[0]?.creditLines[0], { kind: 'credit', code: 'PREMIUM', amountCents: -300 });
  t.is(totalOfParts(found.refund), 0);
  t.is(planTotal(found), -2300);
});

test('A partly paid invoice shrinks to the paid amount and is paid from then on; the rest is refunded', (t) => {
  const invoices = [invoice(2, 1000, { paidCents: 1000 }), invoice(3, 1000, { paidCents: 400 }), invoice(4, 1000)];
  const found = plan(-2000, invoices);
  t.deepEqual(found.voids, [{ invoiceId: 'inv_4', totalCents: 1000 }]);
  t.is(found.credits[0]?.invoiceId, 'inv_3');
  t.is(sumOfLines(found.credits[0]?.creditLines ?? []), -600);
  t.is(totalOfParts(found.refund), 400);
  t.is(planTotal(found), -2000);
});

test('An invoice whose payment was refunded before it was paid in full can be voided', (t) => {
  const given = { paidCents: 400, refundedCents: 400, refundedBeforePaidCents: 400 };
  t.deepEqual(plan(-1500, [invoice(3, 1000, given)]).voids, [{ invoiceId: 'inv_3', totalCents: 1000 }]);
});

test('A debt that is payable again keeps its place: return premium comes off the later ones first', (t) => {
  // The first installment fell due in January, and is due again in May since its payment bounced.
  const first = invoice(1, 1000, { dueDate: '2025-05-05', firstDueDate: '2025-01-01' });
  const { voids, credits } = plan(-1500, [first, invoice(2, 1000), invoice(3, 1000)]);
  t.deepEqual(voids, [{ invoiceId: 'inv_3', totalCents: 1000 }]);
  t.deepEqual(
    credits.map(({ invoiceId, creditLines }) => [invoiceId, sumOfLines(creditLines)]),
    [['inv_2', -500]],
  );
});

test('An amount due but neither paid nor billed is taken off before money goes back', (t) => {
  // 4,000 due: 1,000 voided and not rebilled, 3,000 paid, of which 500 was refunded as goodwill.
  const paid = { paidCents: 1000 };
  const invoices = [
    invoice(2, 1000, { ...paid, refundedCents: 500, returned: { ...NO_PARTS, premiumCents: 500 } }),
    invoice(3, 1000, paid),
    invoice(4, 1000, paid),
    invoice(5, 1000, { voided: true }),
  ];
  const found = plan(-2000, invoices, { written: { ...NO_PARTS, premiumCents: 4000 } });
  t.is(found.unclaimedCents, 1500);
  t.is(totalOfParts(found.refund), 500);
  t.is(planTotal(found), -2000);
});

test('The parts of a plan sum to the change, and no invoice falls below its paid amount, whatever the invoices', (t) => {
  const amounts = fc.record({
    total: fc.integer({ min: 1, max: 5000 }),
    paid: fc.integer({ min: 0, max: 5000 }),
    voided: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(amounts, { maxLength: 9 }),
      fc.integer({ min: -30_000, max: 30_000 }),
      (drawn, premiumCents) => {
        const invoices = drawn.map(({ total, paid, voided }, index) =>
          invoice(index + 1, total, voided ? { voided } : { paidCents: Math.min(paid, total) }),
        );
        const found = plan(premiumCents, invoices);
        const named = [...found.additions, ...found.credits, ...found.voids].map(({ invoiceId }) => invoiceId);
        const balances = new Map(invoices.map((each) => [each.id, invoiceBalance(each)]));
        const fits = found.credits.every(
          (credit) => -sumOfLines(credit.creditLines) <= (balances.get(credit.invoiceId) ?? 0),
        );
        return (
          planTotal(found) === premiumCents &&
          new Set(named).size === named.length &&
          fits &&
          totalOfParts(found.refund) >= 0
        );
      },
    ),
  );
  t.pass();
});
