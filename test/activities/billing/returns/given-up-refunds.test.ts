// Refunds that are given up after the policy's price fell: no one owes more than the policy costs. The worked example:
// premium 10,000.00, fee 250.00, tax 497.13, stamping fee 4.10, 10,751.23 in all. Cancelled pro rata on day 146 of
// 365: 6,000.00 + 291.00 + 2.40 less, so 4,457.83 is owed.
import test, { type ExecutionContext } from 'ava';
import { newId } from '../../../../db/ids.ts';
import { invoiceAmounts } from '../../../../db/queries/billing/invoices.ts';
import { checkBooks } from '../../../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../../../db/queries/billing/trust.ts';
import { putFlagOverride } from '../../../../db/queries/platform/flags.ts';
import { invoiceBalance } from '../../../../domain/billing/invoice.ts';
import { trustFindings } from '../../../../domain/billing/ledger/trust.ts';
import { InsuredLife, type LifeOptions, revenueFor } from '../../policy/insured-life.ts';

const TOTAL = 1_075_123;
const LEFT = 445_783;

async function watched(t: ExecutionContext, options: LifeOptions = {}): Promise<InsuredLife> {
  const life = await InsuredLife.begin(t, options);
  const { database, orgId } = life.steps;
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  return life;
}

/** A check for the first invoice, with everything that follows; returns the payment. */
async function check(life: InsuredLife, amountCents: number): Promise<string> {
  await life.pay(1, amountCents);
  const rows = await life.read((em) =>
    em.execute<{ id: string }[]>(`select id from payments where kind = 'manual' order by created_at desc, id desc`),
  );
  return rows[0]?.id ?? '';
}

async function goodwill(life: InsuredLife, amountCents: number | null): Promise<string> {
  const { activities, command } = life.steps;
  const payload = { invoiceId: (await life.invoices())[0]?.id ?? '', amountCents, reason: 'Goodwill' };
  return (await activities.reserveRefund(command(newId('refund'), payload))).refundId;
}

async function bounce({ steps: { activities, command } }: InsuredLife, paymentId: string): Promise<string> {
  const payload = { paymentId, reason: 'nsf', feeCents: null } as const;
  return (await activities.reversePayment(command(newId('refund'), payload))).refundId;
}

async function reject({ steps: { activities, command } }: InsuredLife, refundId: string) {
  const actor = { kind: 'user', id: 'usr_other', role: 'org_admin' } as const;
  const payload = { decision: 'reject', reason: 'The check bounced.' } as const;
  return activities.decideRefund({ ...command(refundId, payload), actor });
}

async function post({ steps: { activities, orgId } }: InsuredLife, entityId: string): Promise<void> {
  await activities.postRefund({ orgId, entityId });
  await activities.postRefundEarnings({ orgId, entityId });
  await activities.reverseCommission({ orgId, entityId });
}

const balance = async (life: InsuredLife) =>
  (await life.invoices()).reduce((sum, invoice) => sum + invoiceBalance(invoiceAmounts(invoice)), 0);

async function findsNothing(t: ExecutionContext, life: InsuredLife) {
  const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  t.deepEqual(
    results.flatMap(({ name, findings }) => findings.map((each) => ({ name, ...each }))),
    [],
  );
  t.deepEqual(trustFindings(await life.read(trustFigures)), []);
}

/** A life whose check bounced while a refund was pending; then its policy was cancelled, and the refund rejected. */
async function rejectedAfterBounce(t: ExecutionContext) {
  const life = await watched(t);
  const bad = await check(life, TOTAL);
  const refundId = await goodwill(life, null);
  const reversalId = await bounce(life, bad);
  life.passTo(146);
  await life.cancel(146, { method: 'pro_rata' });
  await reject(life, refundId);
  await post(life, reversalId);
  return life;
}

test('a refund rejected after its check bounced and its policy was cancelled leaves the price of the policy to be paid', async (t) => {
  const life = await rejectedAfterBounce(t);
  t.is(await balance(life), LEFT);
  await findsNothing(t, life);
  await check(life, LEFT);
  await findsNothing(t, life);
  await life.check(t);
});

test('a refund that the card processor or an operator gives up leaves no more to pay than one that is rejected', async (t) => {
  const life = await InsuredLife.begin(t);
  const bad = await check(life, TOTAL);
  const refundId = await goodwill(life, null);
  const reversalId = await bounce(life, bad);
  life.passTo(146);
  await life.cancel(146, { method: 'pro_rata' });
  await life.settle([refundId], { isDeclined: true });
  await post(life, reversalId);
  t.is(await balance(life), LEFT);
  await findsNothing(t, life);
});

test('the same holds when the check paid only part of the invoice', async (t) => {
  const life = await watched(t);
  const bad = await check(life, 500_000);
  const refundId = await goodwill(life, null);
  const reversalId = await bounce(life, bad);
  life.passTo(146);
  await life.cancel(146, { method: 'pro_rata' });
  await reject(life, refundId);
  await post(life, reversalId);
  t.is(await balance(life), LEFT);
  await findsNothing(t, life);
});

test('return premium that counted on a refund is owed once that refund is rejected, and waits for approval itself', async (t) => {
  const life = await watched(t);
  await check(life, TOTAL);
  const refundId = await goodwill(life, 700_000);
  life.passTo(146);
  const { refundIds } = await life.cancel(146, { method: 'pro_rata' });
  t.deepEqual(refundIds, [], 'the goodwill is more than the return premium');
  const { discovered } = await reject(life, refundId);
  t.is(await balance(life), 0);
  const [, owed] = await life.refunds();
  // 6,000.00 + 291.00 + 2.40, which does not include the fee.
  const composition = { premiumCents: 600_000, taxCents: 29_100, stampingCents: 240, feeCents: 0 };
  t.like(owed, { amountCents: -629_340, status: 'pending_approval', composition });
  t.like(discovered, [{ refundId: owed?.id, isReserved: true, awaitsApproval: true }]);
  await findsNothing(t, life);
});

test('a reinstatement bills again the credit that the rejected refund had left', async (t) => {
  const life = await rejectedAfterBounce(t);
  await life.reinstate();
  t.is(await balance(life), TOTAL);
  await findsNothing(t, life);
  await check(life, TOTAL);
  await life.check(t);
});

test('an amount no longer owed comes off the installment that is payable again', async (t) => {
  const life = await watched(t, { installmentPlan: 'QUARTERLY_4' });
  const bad = await check(life, 325_123);
  const refundId = await goodwill(life, null);
  const reversalId = await bounce(life, bad);
  life.passTo(20);
  await life
    .cancel(20, { reason: 'underwriting', method: 'pro_rata' })
    .catch(() => life.cancel(20, { method: 'pro_rata' }));
  await reject(life, refundId);
  await post(life, reversalId);
  t.is(await balance(life), (await life.policy()).totalDueCents);
  await findsNothing(t, life);
});

test('each change that counted on a refund has its own part of the credit, so that it can be taken back alone', async (t) => {
  const life = await watched(t);
  const bad = await check(life, TOTAL);
  const refundId = await goodwill(life, null);
  const reversalId = await bounce(life, bad);
  await life.endorse(0, { annualRevenueCents: revenueFor(450_000) });
  life.passTo(146);
  await life.cancel(146, { method: 'pro_rata' });
  await reject(life, refundId);
  await post(life, reversalId);
  t.is(await balance(life), (await life.policy()).totalDueCents);
  await findsNothing(t, life);
  await life.reinstate();
  // 4,500.00 of premium, 250.00 of fee, tax and stamping fee as of the endorsement: 5,500.00 + 266.75 + 2.20 less.
  t.is(await balance(life), TOTAL - 550_000 - 26_675 - 220);
  await findsNothing(t, life);
});

for (const isPosted of [false, true]) {
  const when = isPosted ? 'after' : 'before';
  test(`money of a bounced check that a refund of another policy had reserved is taken back, rejected ${when} the reversal is posted`, async (t) => {
    const payer = await watched(t);
    const other = await InsuredLife.on(payer.steps);
    const { activities, command, orgId } = other.steps;
    const payload = { invoiceId: (await payer.invoices())[0]?.id ?? '', amountCents: TOTAL + 200_000, mayExceed: true };
    const received = { ...payload, method: 'check', reference: '4711', receivedDate: null } as const;
    const { paymentId, completesInvoice } = await activities.recordPayment(command(newId('payment'), received));
    await payer.follow({ orgId, entityId: paymentId }, completesInvoice);
    const invoiceId = (await other.invoices())[0]?.id ?? '';
    const taken = { paymentId, invoiceId, amountCents: null };
    const applied = await activities.applyUnapplied(command(newId('payment'), taken));
    await other.follow({ orgId, entityId: applied.paymentId }, applied.completesInvoice);
    const refundId = await goodwill(other, 150_000);
    const reversalId = await bounce(payer, paymentId);
    if (isPosted) await post(payer, reversalId);
    const { policiesToNotify } = await reject(other, refundId);
    if (!isPosted) await post(payer, reversalId);
    // None of the check was ever good: both invoices must be paid in full, and operating cash covers nothing.
    t.deepEqual([await balance(payer), await balance(other)], [TOTAL, TOTAL]);
    t.deepEqual(policiesToNotify, [(await other.policy()).id]);
    const { 1040: operating = 0, 5020: covered = 0 } = await payer.balances();
    t.deepEqual([operating, covered], [0, 0]);
    await findsNothing(t, payer);
  });
}
