// Who owes what once money turns out never to have come, or was refunded before the price fell. The worked example:
// premium 10,000.00, fee 250.00, tax 497.13, stamping fee 4.10, 10,751.23 in all. Figures by hand, from
// docs/decisions/0092.
import test, { type ExecutionContext } from 'ava';
import { newId } from '../../../db/ids.ts';
import { disbursementsOf } from '../../../db/queries/billing/disbursements.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../../db/queries/billing/trust.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { trustFindings } from '../../../domain/billing/ledger/trust.ts';
import { InsuredLife, revenueFor } from '../policy/insured-life.ts';
import { refused } from '../steps.ts';
import { DisputedLife } from './disputed-life.ts';

const TOTAL = 1_075_123;

/** A check for an invoice, with everything that follows; returns the payment. */
async function check(life: InsuredLife, amountCents: number, number = 1): Promise<string> {
  const { activities, command, orgId } = life.steps;
  const invoiceId = (await life.invoices())[number - 1]?.id ?? '';
  const payload = { invoiceId, amountCents, method: 'check', reference: newId('request'), receivedDate: null } as const;
  const paid = await activities.recordPayment(command(newId('payment'), { ...payload, mayExceed: true }));
  await life.follow({ orgId, entityId: paid.paymentId }, paid.completesInvoice);
  return paid.paymentId;
}

/** Applies what is left of a payment to a policy's first invoice. */
async function apply(paymentId: string, to: InsuredLife): Promise<string> {
  const { activities, command, orgId } = to.steps;
  const payload = { paymentId, invoiceId: (await to.invoices())[0]?.id ?? '', amountCents: null };
  const applied = await activities.applyUnapplied(command(newId('payment'), payload));
  await to.follow({ orgId, entityId: applied.paymentId }, applied.completesInvoice);
  return applied.paymentId;
}

async function bounce({ steps }: InsuredLife, paymentId: string) {
  const { activities, command, orgId } = steps;
  const payload = { paymentId, reason: 'nsf', feeCents: null } as const;
  const reversal = await activities.reversePayment(command(newId('refund'), payload));
  await activities.postRefund({ orgId, entityId: reversal.refundId });
  return reversal;
}

/** A refund from the first invoice, without a policy change. */
async function goodwill(life: InsuredLife, amountCents: number): Promise<string> {
  const payload = { invoiceId: (await life.invoices())[0]?.id ?? '', amountCents, reason: 'Goodwill' };
  const { refundId } = await life.steps.activities.reserveRefund(life.steps.command(newId('refund'), payload));
  await life.settle([refundId]);
  return refundId;
}

/** Nonzero balances in cents. */
async function balances(life: InsuredLife): Promise<Record<number, number>> {
  return Object.fromEntries(Object.entries(await life.balances()).filter(([, cents]) => cents !== 0));
}

/** Asserts that these are the only nonzero balances, and that no check of the books finds anything. */
async function holds(t: ExecutionContext, life: InsuredLife, expected: Record<number, number>, what?: string) {
  t.deepEqual(await balances(life), expected, what);
  await findsNothing(t, life, what);
}

async function findsNothing(t: ExecutionContext, life: InsuredLife, what?: string) {
  const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  t.deepEqual(
    results.flatMap(({ findings }) => findings),
    [],
    what,
  );
}

const balanceOf = async (life: InsuredLife, number = 1) => {
  const invoice = (await life.invoices())[number - 1];
  return invoice && { balanceCents: invoiceBalance(invoiceAmounts(invoice)), dueDate: invoice.dueDate };
};

/** Shares of one paid invoice, as a check pays it. */
const SHARED = {
  ...{ 1010: TOTAL, 1120: 125_000, 2010: -775_000, 2020: -125_000, 2030: -100_000, 2040: -49_713, 2050: -410 },
  ...{ 2090: -25_000, 4010: -100_000, 4020: -25_000 },
};

test('a bounced check is taken back from the other invoice it paid, which is payable again', async (t) => {
  const payer = await InsuredLife.begin(t);
  const other = await InsuredLife.on(payer.steps);
  const bad = await check(payer, TOTAL + 100_000);
  await check(other, TOTAL - 100_000);
  await apply(bad, other);
  other.passTo(20);
  const { policyToNotify, otherPoliciesToNotify } = await bounce(payer, bad);
  t.deepEqual([policyToNotify, otherPoliciesToNotify], [payer.policyId, [other.policyId]]);
  // 9,751.23 of the other check stays unapplied until another 1,000.00 is paid; operating money owes nothing.
  await holds(t, payer, { 1010: TOTAL - 100_000, 2070: 100_000 - TOTAL });
  const dueDate = other.date(30);
  t.deepEqual(await balanceOf(payer), { balanceCents: TOTAL, dueDate });
  t.deepEqual(await balanceOf(other), { balanceCents: 100_000, dueDate });
  t.is(await payer.events('payment.failed'), 2);
  await check(other, 100_000);
  await holds(t, payer, SHARED);
});

test('a refund that the other invoice made from a bounced check stays with the insured, and is our loss', async (t) => {
  const payer = await InsuredLife.begin(t);
  const other = await InsuredLife.on(payer.steps);
  const bad = await check(payer, TOTAL + 100_000);
  await apply(bad, other);
  const { activities, command } = other.steps;
  const refundId = await goodwill(other, 40_000);
  const [owed] = await other.read((em) => disbursementsOf(em, [refundId]));
  await activities.issueDisbursement(command(owed?.id ?? '', { method: 'check', reference: '1', issuedOn: null }));
  await bounce(payer, bad);
  // 400.00 has left; the 600.00 that the other invoice still had is payable again, as is the 400.00.
  await holds(t, payer, { 1010: -40_000, 1040: 40_000, 2110: -40_000, 5020: 40_000 });
  t.is((await balanceOf(other))?.balanceCents, TOTAL);
});

test('a card payment that a bank keeps is taken back from the other invoice only once the dispute is lost', async (t) => {
  const payer = await InsuredLife.begin(t);
  const other = await InsuredLife.on(payer.steps);
  const card = new DisputedLife(payer);
  const intentId = await card.payByCard(1, TOTAL + 100_000);
  const [receipt] = await payer.read((em) => em.execute<{ id: string }[]>(`select id from payments`));
  await apply(receipt?.id ?? '', other);
  await card.dispute(intentId, TOTAL + 100_000, 'created', 'needs_response');
  const covered = { 1040: 100_000, 2070: -100_000, 2110: -100_000, 5020: 100_000 };
  t.deepEqual(await balances(payer), covered, 'while it is open');
  await card.dispute(intentId, TOTAL + 100_000, 'closed', 'lost');
  t.deepEqual(await balances(payer), {});
  t.is((await balanceOf(other))?.balanceCents, TOTAL);
  t.is((await balanceOf(payer))?.balanceCents, TOTAL);
  // The same where the bank's first word is final.
  const again = await card.payByCard(1, TOTAL + 100_000);
  const [latest] = await payer.read((em) =>
    em.execute<{ id: string }[]>(`select id from payments where reference = ?`, [again]),
  );
  await apply(latest?.id ?? '', other);
  await card.dispute(again, TOTAL + 100_000, 'closed', 'lost');
  t.deepEqual(await balances(payer), {});
  t.is((await balanceOf(other))?.balanceCents, TOTAL);
  t.is(await payer.events('payment.failed'), 4);
});

test('a refund check for two payments, one of which bounces, is owed for the good one', async (t) => {
  const life = await InsuredLife.begin(t);
  await check(life, 600_000);
  const bad = await check(life, 475_123);
  // The latest payment gives first: 4,751.23 of it, and 1,000.00 of the other one.
  const refundId = await goodwill(life, 575_123);
  const owed = async () => (await life.read((em) => disbursementsOf(em, [refundId])))[0];
  const { activities, command } = life.steps;
  const { id = '' } = (await owed()) ?? {};
  await bounce(life, bad);
  const issue = () => activities.issueDisbursement(command(id, { method: 'check', reference: '77', issuedOn: null }));
  t.like(await refused(t, issue(), 'invalid_state_transition'), { from: 'pending', allowed: ['cancel'] });
  await activities.cancelDisbursement(command(id, { reason: 'It bounced.' }));
  t.like(await owed(), { status: 'pending', amountCents: 575_123, cancelledCents: 475_123 });
  const trust = async () => trustFindings(await life.read(trustFigures));
  t.deepEqual(await trust(), [], 'the trust owes 1,000.00');
  await issue();
  await refused(t, activities.cancelDisbursement(command(id, { reason: 'Again.' })), 'invalid_state_transition');
  t.like(await life.balances(), { 1010: 500_000, 1040: 0, 2060: 0, 2110: 0, 5020: 0 });
  t.is((await balanceOf(life))?.balanceCents, 0, 'paid 6,000.00, and 1,000.00 back');
  t.deepEqual(await trust(), [], 'the trust has paid 1,000.00');
  await findsNothing(t, life);
});

test('a refund for a cancellation, rejected once a bank has kept its money, settles the invoice with the rest', async (t) => {
  const life = await InsuredLife.begin(t);
  const { steps } = life;
  const { activities, command, orgId } = steps;
  await steps.database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  await check(life, 500_000);
  const card = new DisputedLife(life);
  // 5,751.23 pays the rest of the invoice; 5,000.00 exceeds it.
  const intentId = await card.payByCard(1, TOTAL);
  const idOf = async (kind: string) => {
    const rows = await life.read((em) =>
      em.execute<{ id: string }[]>('select id from payments where kind = ?', [kind]),
    );
    return { orgId, entityId: rows[0]?.id ?? '' };
  };
  await activities.publishPaymentEvents(await idOf('card'));
  card.passTo(146);
  // 6,000.00 of premium, 291.00 of tax and 2.40 of stamping fee: 5,751.23 of them from the card.
  const { refundIds } = await life.cancel(146, { reason: 'insured_request', method: 'pro_rata' });
  await card.dispute(intentId, TOTAL, 'closed', 'lost');
  // The bank has taken everything that came by card, including what awaits approval: operating money covers 5,751.23.
  t.like(await life.balances(), { 1110: 0, 1040: 575_123, 5020: 575_123 });
  t.deepEqual(trustFindings(await life.read(trustFigures)), []);
  const payload = { decision: 'reject', reason: 'The money is gone.' } as const;
  const actor = { kind: 'user', id: 'usr_other', role: 'org_admin' } as const;
  await activities.decideRefund({ ...command(refundIds[0] ?? '', payload), actor });
  // The card has nothing left; the check pays what is due after a credit of 5,751.23.
  t.like(await life.balances(), { 1010: 500_000, 1040: 0, 1110: 0, 2060: 0, 2070: 0, 5020: 0 });
  t.deepEqual(await life.open(), []);
  t.deepEqual(trustFindings(await life.read(trustFigures)), []);
  await findsNothing(t, life);
});

test('an installment that is payable again after a lost dispute stays the oldest debt: return premium comes off the later ones', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  const card = new DisputedLife(life);
  const intentId = await card.payByCard(1);
  card.passTo(85);
  await card.dispute(intentId, 325_123, 'closed', 'lost');
  const [first] = await life.read((em) =>
    em.execute<{ due: string; first: string }[]>(
      `select due_date::text as due, first_due_date::text as first from invoices where installment_number = 1`,
    ),
  );
  t.deepEqual(first, { due: life.date(95), first: life.date(0) });
  await life.endorse(0, { annualRevenueCents: revenueFor(450_000) });
  // 5,500.00 of premium comes off installments 4, 3 and 2; tax 266.75 and stamping fee 2.20 off the first, which bills
  // them.
  const totals = await life.read((em) =>
    em.execute<{ total: string; is_void: boolean }[]>(
      `select total_cents as total, voided_at is not null as is_void from invoices order by installment_number`,
    ),
  );
  t.deepEqual(
    totals.map(({ total, is_void }) => (is_void ? 0 : Number(total))),
    [298_228, 200_000, 0, 0],
  );
});

test('return premium counts earlier goodwill refunds of each part, so that no part goes back twice', async (t) => {
  const life = await InsuredLife.begin(t);
  await check(life, TOTAL);
  await goodwill(life, 50_000);
  life.passTo(146);
  const { refundIds } = await life.cancel(146, { reason: 'insured_request', method: 'pro_rata' });
  await life.settle(refundIds);
  // 219 of 365 days are unearned: 6,000.00 premium, 291.00 tax and 2.40 stamping fee. The 500.00 consisted of 465.06
  // premium, 23.12 tax, 0.19 stamping fee and 11.63 fee; none of the fee is returned now.
  const [, refund] = await life.refunds();
  t.is(refund?.amountCents, -(600_000 - 46_506 + 29_100 - 2_312 + 240 - 19));
  await holds(t, life, {
    ...{ 1010: TOTAL, 1120: 63_837, 2060: -630_503, 2010: -310_000, 2020: -50_000, 2030: -40_000 },
    ...{ 2040: -20_613, 2050: -170, 2090: -23_837, 4010: -40_000, 4020: -23_837 },
  });
});

test('goodwill beyond the return premium stays with the insured, and nothing more goes back', async (t) => {
  const life = await InsuredLife.begin(t);
  await check(life, TOTAL);
  await goodwill(life, 700_000);
  life.passTo(146);
  const { refundIds } = await life.cancel(146, { reason: 'insured_request', method: 'pro_rata' });
  t.deepEqual(refundIds, []);
  const { 1010: cash, 2060: owed } = await life.balances();
  t.deepEqual([cash, owed], [TOTAL, -700_000]);
  await findsNothing(t, life);
});
