// A policy whose payment plan changes midterm: lines, ledger, commission and trust still match the policy whatever
// comes after. Premium 10,000.00, fee 250.00, tax 497.13, stamping fee 4.10.
import test, { type ExecutionContext } from 'ava';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import type { CardEvent } from '../../../domain/billing/card-events.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import type { InstallmentPlan } from '../../../domain/lines.ts';
import { toDollars } from '../../../domain/money.ts';
import { processorId } from '../../support/card-events.ts';
import { attempt, refused } from '../steps.ts';
import { InsuredLife, revenueFor } from './insured-life.ts';

const changeTo = (life: InsuredLife, installmentPlan: InstallmentPlan, commandId?: string) => {
  const payload = { installmentPlan, reason: 'The insured wishes so.' };
  return life.steps.activities.changePaymentPlan(life.steps.command(life.policyId, payload, commandId));
};

/** Day of the term and dollars of each valid bill. */
async function bills(life: InsuredLife) {
  const standing = (await life.invoices()).filter(({ voidedAt }) => voidedAt === null);
  return standing.map(({ dueDate, totalCents }) => [life.dayOf(dueDate), toDollars(totalCents)]);
}

async function payAll(t: ExecutionContext, life: InsuredLife) {
  for (let open = await life.open(); open.length > 0; open = await life.open()) await life.pay(open[0]?.number ?? 0);
  await life.check(t);
}

test('the other plan bills the rest once, however often it is sent, and everybody has their share in the end', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  await life.activate();
  await life.pay(1);
  life.passTo(10);
  const before = await life.policy();
  const outcome = await changeTo(life, 'QUARTERLY_4', 'change-1');
  t.deepEqual(outcome.refundIds, []);
  const after = await life.policy();
  t.is(after.installmentPlan, 'QUARTERLY_4');
  t.is(after.totalDueCents, before.totalDueCents);
  t.deepEqual(
    (await bills(life)).map(([, dollars]) => dollars),
    [5_751.23, 2_500, 2_500],
  );
  await life.check(t);
  t.like(await changeTo(life, 'QUARTERLY_4', 'change-1'), { transactionId: outcome.transactionId });
  await refused(t, changeTo(life, 'QUARTERLY_4'), 'validation_failed');
  t.is((await life.stack()).length, 2);
  t.is(await life.events('policy.payment_plan_changed'), 1);
  await payAll(t, life);
  await refused(t, changeTo(life, 'MONTHLY_10'), 'not_ready');
});

test('an endorsement before the change and its void after it are on the new bills, with their own commission', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  await life.activate();
  await life.pay(1);
  life.passTo(73);
  await life.endorse(73, { annualRevenueCents: revenueFor(2_000_000) });
  await changeTo(life, 'MONTHLY_12');
  await life.check(t);
  const [, endorsement] = await life.stack();
  const lines = (await life.invoices()).filter(({ voidedAt }) => voidedAt === null).flatMap((each) => each.lines);
  const own = lines.filter(({ transactionId, kind }) => transactionId === endorsement?.id && kind === 'premium');
  t.is(
    own.reduce((sum, { amountCents }) => sum + amountCents, 0),
    800_000,
  );
  await life.voidEndorsement(2);
  await life.check(t);
  await changeTo(life, 'SEMI_ANNUAL_2');
  await payAll(t, life);
});

test('a policy endorsed, cancelled and reinstated after the change ties out part by part', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'MONTHLY_10' });
  await changeTo(life, 'QUARTERLY_4');
  await life.activate();
  await life.pay(1 + (await life.invoices()).findIndex(({ voidedAt }) => voidedAt === null));
  life.passTo(50);
  await life.endorse(50, { annualRevenueCents: revenueFor(1_500_000) });
  await life.check(t);
  life.passTo(100);
  await changeTo(life, 'MONTHLY_12');
  await life.check(t);
  await life.settle((await life.cancel(100, { method: 'pro_rata' })).refundIds);
  await life.check(t);
  await refused(t, changeTo(life, 'PAY_IN_FULL'), 'invalid_state_transition');
  await life.settle((await life.reinstate()).refundIds);
  await life.check(t);
  await changeTo(life, 'MONTHLY_10');
  await payAll(t, life);
});

test('a bill that is past due or partly paid stays as it is, and nothing is billed again while a cancellation is announced', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  await life.activate();
  await life.pay(2, 50_000);
  life.passTo(5);
  await changeTo(life, 'MONTHLY_10');
  const [first, second] = await life.invoices();
  t.is(first?.voidedAt ?? null, null);
  t.is(second?.voidedAt ?? null, null);
  t.deepEqual([first?.dueDate, second?.paidCents], [life.start, 50_000]);
  await life.check(t);
  await life.cancel(60);
  await refused(t, changeTo(life, 'PAY_IN_FULL'), 'invalid_state_transition');
});

test('the bills of a policy stay as they are while a billing hold is in effect in its state', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  const { activities, command } = life.steps;
  const hold = { state: 'TX', from: life.today, to: life.date(9) };
  await activities.placeBillingHold(command(newId('billingHold'), hold));
  await refused(t, changeTo(life, 'MONTHLY_10'), 'not_ready');
  life.passTo(10);
  await changeTo(life, 'MONTHLY_10');
  await life.check(t);
});

test('money in transit for a bill that another plan has replaced pays the open bills, the first due first', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  const { activities, orgId } = life.steps;
  await life.activate();
  const [replaced] = await life.invoices();
  await changeTo(life, 'QUARTERLY_4');
  const intentId = processorId('pi');
  const report = (): CardEvent => ({
    ...{ eventId: processorId('evt'), type: 'payment_intent.succeeded', livemode: false, createdAt: 1_795_000_000 },
    ...{ intentId, chargeId: null, disputeId: null, currency: 'usd', amountCents: 575_123, status: 'succeeded' },
    ...{ metadata: { orgId, invoiceId: replaced?.id ?? null, refundId: null }, failure: null },
  });
  const { outcome, payment, applications = [] } = await attempt(1, () => activities.handleCardEvent(report()));
  const [first, second, third] = (await life.invoices()).filter(({ voidedAt }) => voidedAt === null);
  // A quarter of the premium with fee and taxes: 2,500.00 and 751.23; then another quarter.
  t.is(first?.totalCents, 325_123);
  t.like(payment, { invoiceId: first?.id, invoiceNumber: first?.invoiceNumber, completesInvoice: true });
  t.like(applications, {
    ...{ length: 1, 0: { invoiceId: second?.id, completesInvoice: true, policyToNotify: life.policyId } },
  });
  t.is(outcome, 'recorded');
  t.is(await life.events('financial.operation_failed'), 0, 'nothing is left for somebody to attribute');
  for (const { paymentId: entityId } of [payment, ...applications].filter((each) => each !== null)) {
    await life.follow({ orgId, entityId }, true);
  }
  t.deepEqual(
    [first, second, third].map((bill) => bill && invoiceBalance(invoiceAmounts(bill))),
    [0, 0, 250_000],
  );
  const again = await attempt(1, () => activities.handleCardEvent(report()));
  t.deepEqual(again.payment, payment);
  t.is(again.outcome, 'known');
  const rows = await life.read((em) => em.find(Payment, { policyId: life.policyId }, { orderBy: { kind: 'asc' } }));
  t.deepEqual(
    rows.map(({ kind, sourcePaymentId = null }) => [kind, sourcePaymentId]),
    [
      ['application', payment?.paymentId ?? ''],
      ['card', null],
    ],
  );
  await life.check(t);
});

test('surplus money for a bill that another plan has replaced is held unapplied, with one alert', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  const { activities, orgId } = life.steps;
  await life.activate();
  const [replaced] = await life.invoices();
  await changeTo(life, 'QUARTERLY_4');
  // 10,751.23 in all, and 100.00 too much.
  const event: CardEvent = {
    ...{ eventId: processorId('evt'), type: 'payment_intent.succeeded', livemode: false, createdAt: 1_795_000_000 },
    ...{ intentId: processorId('pi'), chargeId: null, disputeId: null, currency: 'usd', amountCents: 1_085_123 },
    ...{ status: 'succeeded', metadata: { orgId, invoiceId: replaced?.id ?? null, refundId: null }, failure: null },
  };
  const { outcome, payment, applications = [] } = await activities.handleCardEvent(event);
  t.is(outcome, 'unapplied');
  t.is(applications.length, 3);
  for (const { paymentId: entityId } of [payment, ...applications].filter((each) => each !== null)) {
    await life.follow({ orgId, entityId }, true);
  }
  t.deepEqual(await life.open(), []);
  t.is(await life.events('financial.operation_failed'), 1);
  t.is((await life.balances())[2070], -10_000);
  await life.check(t);
});
