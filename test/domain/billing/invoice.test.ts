// The status and balance of an invoice.
import test from 'ava';
import {
  billOf,
  INVOICE_STATUSES,
  type InvoiceAmounts,
  invoiceBalance,
  invoiceStatus,
} from '../../../domain/billing/invoice.ts';
import { fc } from '../../support/fixed/chance.ts';

const OPEN: InvoiceAmounts = {
  totalCents: 79_864,
  paidCents: 0,
  refundedCents: 0,
  refundedBeforePaidCents: 0,
  voided: false,
  uncollectible: false,
  dueDate: '2026-12-01',
};

const CASES: [what: string, change: Partial<InvoiceAmounts>, today: string, status: string, balanceCents: number][] = [
  ['nothing paid before the due date', {}, '2026-11-21', 'open', 79_864],
  ['nothing paid on the due date', {}, '2026-12-01', 'open', 79_864],
  ['nothing paid the day after', {}, '2026-12-02', 'past_due', 79_864],
  ['a part paid in time', { paidCents: 50_000 }, '2026-12-01', 'partially_paid', 29_864],
  ['a part paid and overdue', { paidCents: 50_000 }, '2026-12-02', 'past_due', 29_864],
  [
    'a part paid and returned',
    { paidCents: 50_000, refundedCents: 50_000, refundedBeforePaidCents: 50_000 },
    ...(['2026-12-01', 'open', 79_864] as const),
  ],
  [
    'all paid, 100.00 refunded, and the other 698.64 charged back for good',
    { paidCents: 79_864, refundedCents: 79_864, refundedBeforePaidCents: 69_864 },
    ...(['2026-12-01', 'open', 69_864] as const),
  ],
  ['all paid, long ago', { paidCents: 79_864 }, '2027-06-01', 'paid', 0],
  ['all paid, a part returned', { paidCents: 79_864, refundedCents: 1 }, '2027-06-01', 'partially_refunded', 0],
  ['all paid and returned', { paidCents: 79_864, refundedCents: 79_864 }, '2027-06-01', 'refunded', 0],
  ['void', { voided: true }, '2027-06-01', 'void', 0],
  ['void and given up', { voided: true, uncollectible: true }, '2027-06-01', 'void', 0],
  ['given up', { uncollectible: true }, '2027-06-01', 'uncollectible', 79_864],
  ['nothing to pay', { totalCents: 0 }, '2027-06-01', 'paid', 0],
];

for (const [what, change, today, status, balanceCents] of CASES) {
  test(`An invoice with ${what} is ${status}`, (t) => {
    const invoice = { ...OPEN, ...change };
    t.is(invoiceStatus(invoice, today), status as ReturnType<typeof invoiceStatus>);
    t.is(invoiceBalance(invoice), balanceCents);
  });
}

test('Every invoice has a known state and no balance once it is paid or void', (t) => {
  const amount = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(
      amount,
      amount,
      amount,
      fc.boolean(),
      fc.boolean(),
      (totalCents, paidCents, refunded, voided, uncollectible) => {
        const refundedCents = Math.min(refunded, paidCents);
        const invoice = {
          totalCents,
          paidCents,
          refundedCents,
          refundedBeforePaidCents: 0,
          voided,
          uncollectible,
          dueDate: '2026-12-01',
        };
        const status = invoiceStatus(invoice, '2026-12-02');
        const settled = ['paid', 'void', 'refunded', 'partially_refunded'].includes(status);
        const balance = invoiceBalance(invoice);
        return INVOICE_STATUSES.includes(status) && balance >= 0 && (!settled || balance === 0);
      },
    ),
  );
  t.pass();
});

test('An open invoice bills nothing that went back and stays with the insured, so that its four amounts add up', (t) => {
  const lines = [{ kind: 'premium', code: 'PREMIUM', description: 'Premium', amountCents: 79_864 }] as const;
  // 100.00 was refunded while it was paid; the other 698.64 never came.
  const opened = { ...OPEN, paidCents: 79_864, refundedCents: 79_864, refundedBeforePaidCents: 69_864 };
  const { totalCents, lines: shown } = billOf(opened, lines);
  t.is(totalCents, 69_864);
  t.like(shown[1], { kind: 'credit', code: 'RETURNED', amountCents: -10_000 });
  for (const change of [{ voided: true }, { paidCents: 149_728 }]) {
    t.deepEqual(billOf({ ...opened, ...change }, lines), { totalCents: 79_864, lines });
  }
  const part = fc.integer({ min: 0, max: 1_000 });
  fc.assert(
    fc.property(part, part, part, part, (owed, held, again, kept) => {
      const amounts = {
        ...{ ...OPEN, totalCents: owed + held + kept, paidCents: held + again + kept },
        ...{ refundedCents: again + kept, refundedBeforePaidCents: again },
      };
      const bill = billOf(amounts, []);
      t.is(invoiceBalance(amounts), owed);
      const isSettled = owed === 0;
      t.is(bill.totalCents, isSettled ? amounts.totalCents : owed + held);
      if (!isSettled) t.is(bill.totalCents - amounts.paidCents + amounts.refundedCents, owed);
    }),
  );
});
