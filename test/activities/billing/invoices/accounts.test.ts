// A policy's statement of account over its life. The worked example: premium 10,000.00, fee 250.00, tax 497.13,
// stamping fee 4.10, 10,751.23 in all. Figures by hand.
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { Payment } from '../../../../db/entities/billing/payment.ts';
import { newId } from '../../../../db/ids.ts';
import { ADJUSTMENTS_SO_FAR } from '../../../../db/migrations/0137-invoice-adjustments.ts';
import { policyAccount } from '../../../../db/queries/billing/account.ts';
import { invoiceAmounts } from '../../../../db/queries/billing/invoices.ts';
import { unappliedOf } from '../../../../db/queries/billing/unapplied-cash.ts';
import { accountEntries, accountStatement } from '../../../../domain/billing/account/account.ts';
import { invoiceBalance } from '../../../../domain/billing/invoice.ts';
import { sumCents } from '../../../../domain/money.ts';
import { hideTable } from '../../../support/held-row.ts';
import { InsuredLife, revenueFor } from '../../policy/insured-life.ts';

async function entriesOf(life: InsuredLife, policyId = life.policyId) {
  return accountEntries(await life.read((em) => policyAccount(em, policyId)));
}

/** Cents by kind of line. test/api/policy/statements.test.ts checks the dates: here the database knows only today. */
async function sumsOf(life: InsuredLife) {
  const byKind = Map.groupBy(await entriesOf(life), ({ kind }) => kind);
  return Object.fromEntries(
    [...byKind].map(([kind, entries]) => [kind, sumCents(entries.map(({ amountCents }) => amountCents))]),
  );
}

const MONEY = ['payment', 'refund', 'refund_returned', 'reversal', 'chargeback'];

/** The account is what invoices claim less unapplied money and unissued checks; its money matches the ledger. */
async function tiesOut(t: ExecutionContext, life: InsuredLife) {
  const entries = await entriesOf(life);
  const { closingCents, lines } = accountStatement(entries, { from: null, to: '2999-12-31' });
  const standing = (await life.invoices()).map(invoiceAmounts).filter(({ uncollectible }) => !uncollectible);
  const receipts = await life.read((em) => em.find(Payment, { policyId: life.policyId, kind: 'manual' }));
  const unapplied = await life.read((em) =>
    unappliedOf(
      em,
      receipts.map(({ id }) => id),
    ),
  );
  const balances = await life.balances();
  const owedCents = 0 - (balances[2060] ?? 0);
  t.is(closingCents, sumCents(standing.map(invoiceBalance)) - sumCents([...unapplied.values()]) - owedCents);
  t.is(lines.at(-1)?.balanceCents ?? 0, closingCents);
  const money = entries.filter(({ kind }) => MONEY.includes(kind));
  const cashCents = sumCents([1010, 1110].map((account) => balances[account] ?? 0));
  t.is(0 - sumCents(money.map(({ amountCents }) => amountCents)), cashCents, 'received less what has been paid out');
  return closingCents;
}

test('a statement has every bill, change, payment and return, and its total is that of invoices and ledger', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  await life.activate();
  // 5,751.23 and 5,000.00.
  await life.pay(1);
  t.is(await tiesOut(t, life), 500_000);
  life.passTo(73);
  // Twice the premium for 292 of 365 days: 8,000.00, tax 388.00, stamping fee 3.20.
  await life.endorse(73, { annualRevenueCents: revenueFor(2_000_000) });
  t.is(await tiesOut(t, life), 1_339_120);
  life.passTo(100);
  await life.pay(2, 600_000);
  t.is(await tiesOut(t, life), 739_120);
  life.passTo(146);
  // Pro rata, 219 of 365 days of 20,000.00 are returned: 12,000.00, tax 582.00, stamping fee 4.80. 7,391.20 is still
  // owed.
  const { refundIds } = await life.cancel(146, { method: 'pro_rata' });
  await life.settle(refundIds);
  t.is(await tiesOut(t, life), -519_560, 'owed to the insured until the check is issued');
  await life.sendChecks();
  t.is(await tiesOut(t, life), 0);
  t.deepEqual(await sumsOf(life), {
    ...{ invoice: 1_075_123, additional_premium: 839_120, return_premium: -1_258_680 },
    ...{ payment: -1_175_123, refund: 519_560 },
  });
});

test('the account shows each bill that is withdrawn, written off, or paid after all', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  const { activities, command } = life.steps;
  await life.activate();
  const [first, second] = await life.invoices();
  await life.pay(1, 75_123);
  life.passTo(20);
  await activities.writeOffInvoice(command(first?.id ?? '', { reason: 'Out of business.' }));
  t.is(await tiesOut(t, life), 500_000);
  life.passTo(30);
  const rest = (await life.invoices()).findIndex(({ restOf }) => restOf === first?.id) + 1;
  await life.pay(rest, 100_000);
  await life.pay(rest);
  t.is(await tiesOut(t, life), 500_000);
  await activities.voidInvoice(command(second?.id ?? '', { reason: 'A mistake', reissue: true }));
  t.is(await tiesOut(t, life), 500_000);
  t.deepEqual(await sumsOf(life), {
    // The second bill was created twice.
    ...{ invoice: 1_575_123, payment: -575_123, write_off: -500_000, recovery: 500_000, void: -500_000 },
  });
});

test('a policy that is cancelled and reinstated owes the same amounts again, each on its day', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  await life.activate();
  await life.pay(1);
  life.passTo(10);
  await life.settle((await life.cancel(10, { method: 'pro_rata' })).refundIds);
  await life.sendChecks();
  const gone = await tiesOut(t, life);
  await life.settle((await life.reinstate()).refundIds);
  await tiesOut(t, life);
  t.is(gone, 0);
  const { restored = 0, void: voided = 0 } = await sumsOf(life);
  t.is(restored, -voided);
});

test('a refund of a paid bill is a credit and the money, a refund of an unpaid bill is owed again', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  const { activities, command } = life.steps;
  const [first, second] = await life.invoices();
  await life.pay(1);
  await life.pay(2, 200_000);
  for (const [invoiceId, amountCents] of [
    [first?.id, 100_000],
    [second?.id, 50_000],
  ] as const) {
    const id = newId('refund');
    await activities.reserveRefund(command(id, { invoiceId: invoiceId ?? '', amountCents, reason: 'Goodwill.' }));
    await life.settle([id]);
  }
  t.is(await tiesOut(t, life), 200_000);
  await life.sendChecks();
  t.is(await tiesOut(t, life), 350_000);
  t.like(await sumsOf(life), { credit: -100_000, refund: 150_000, payment: -775_123 });
});

test('a returned check is owed again, and money applied to another policy leaves the account', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  const { activities, command } = life.steps;
  await life.pay(1);
  const [receipt] = await life.read((em) => em.find(Payment, { policyId: life.policyId, kind: 'manual' }));
  const id = newId('refund');
  const reversal = { paymentId: receipt?.id ?? '', reason: 'nsf' as const, feeCents: null };
  await activities.reversePayment(command(id, reversal));
  await activities.postRefund({ orgId: life.steps.orgId, entityId: id });
  t.is(await tiesOut(t, life), 1_075_123);

  const other = await InsuredLife.on(life.steps, { withProducer: false });
  const [invoice] = await other.invoices();
  const [ours] = await life.invoices();
  const paymentId = newId('payment');
  const receiptOf = { invoiceId: ours?.id ?? '', method: 'check' as const, reference: 'C 2', receivedDate: null };
  await activities.recordPayment(command(paymentId, { ...receiptOf, amountCents: 600_000, mayExceed: true }));
  const applied = { paymentId, invoiceId: invoice?.id ?? '', amountCents: null };
  await activities.applyUnapplied(command(newId('payment'), applied));
  const closing = accountStatement(await entriesOf(life), { from: null, to: '2999-12-31' }).closingCents;
  t.is(closing, 500_000);
  const [transfer] = (await entriesOf(other)).filter(({ kind }) => kind === 'transfer');
  // 6,000.00 less 5,751.23.
  t.is(transfer?.amountCents, -24_877);
});

test('money applied to another policy and taken back leaves the account on one day and returns to it on another', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  const { activities, command, orgId } = life.steps;
  const other = await InsuredLife.on(life.steps, { withProducer: false });
  const [ours] = await life.invoices();
  const [theirs] = await other.invoices();
  const paymentId = newId('payment');
  const receipt = { invoiceId: ours?.id ?? '', method: 'check' as const, reference: 'C 3', receivedDate: null };
  await activities.recordPayment(command(paymentId, { ...receipt, amountCents: 600_000, mayExceed: true }));
  const applied = { paymentId, invoiceId: theirs?.id ?? '', amountCents: null };
  await activities.applyUnapplied(command(newId('payment'), applied));
  const paidOn = life.today;
  const accounts = async (to: string) =>
    Promise.all(
      [life.policyId, other.policyId].map(async (policyId) => {
        const { lines, closingCents } = accountStatement(await entriesOf(life, policyId), { from: null, to });
        return [lines, closingCents] as const;
      }),
    );
  const before = await accounts(paidOn);

  life.passTo(30);
  const reversalId = newId('refund');
  await activities.reversePayment(command(reversalId, { paymentId, reason: 'nsf' as const, feeCents: null }));
  await activities.postRefund({ orgId, entityId: reversalId });
  t.deepEqual(await accounts(paidOn), before, 'a statement of earlier days says what it said');
  const after = await accounts('2999-12-31');
  // 6,000.00 less 5,751.23.
  t.deepEqual(
    after.map(([lines]) =>
      lines.filter(({ kind }) => kind === 'transfer').map(({ date, amountCents }) => [life.dayOf(date), amountCents]),
    ),
    [
      ...[
        [
          [0, 24_877],
          [30, -24_877],
        ],
      ],
      [
        [0, -24_877],
        [30, 24_877],
      ],
    ],
  );
  t.deepEqual(
    after.map(([, closingCents]) => closingCents),
    [1_075_123, 1_075_123],
  );
});

test('a statement shows one moment, whatever is committed while it is read', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  const [, second] = await life.invoices();
  const before = await entriesOf(life);
  const held = await hideTable(life.steps.ownerUrl, 'invoice_adjustments');
  const reading = entriesOf(life);
  await held.isWaitedFor();
  await held.change('update invoices set voided_at = now() where id = $1', [second?.id]);
  await held.release();
  t.deepEqual(await reading, before);
  t.is(await tiesOut(t, life), 575_123);
});

test('an installation that has voided and refunded bills already gets their adjustments when it is upgraded', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  const { activities, command, ownerUrl } = life.steps;
  const [first, second] = await life.invoices();
  await life.pay(1);
  const id = newId('refund');
  const refund = { invoiceId: first?.id ?? '', amountCents: 100_000, reason: 'Goodwill.' };
  await activities.reserveRefund(command(id, refund));
  await life.settle([id]);
  await activities.voidInvoice(command(second?.id ?? '', { reason: 'A mistake', reissue: false }));
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  t.teardown(() => owner.end());
  const adjustments = async () => {
    const found = await owner.query('select invoice_id, kind, amount_cents from invoice_adjustments order by kind');
    return found.rows;
  };
  const kept = await adjustments();
  t.deepEqual(
    kept.map(({ kind, amount_cents }) => [kind, Number(amount_cents)]),
    [
      ['returned', -100_000],
      ['void', -500_000],
    ],
  );
  await owner.query('begin; alter table invoice_adjustments disable trigger append_only');
  await owner.query('delete from invoice_adjustments');
  await owner.query(ADJUSTMENTS_SO_FAR);
  t.deepEqual(await adjustments(), kept);
  await owner.query('rollback');
});
