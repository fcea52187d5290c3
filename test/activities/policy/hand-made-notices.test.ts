// Cancellations for nonpayment made by hand: they require a past-due debt, and end once it is paid.
import test from 'ava';
import { transactionFacts } from '../../../plans/document/transaction-facts.ts';
import { refused } from '../steps.ts';
import { InsuredLife } from './insured-life.ts';

const NON_PAYMENT = { reason: 'non_payment' } as const;

const takeStep = (life: InsuredLife, day: number) => {
  const { orgId, activities } = life.steps;
  return activities.takeDelinquencyStep({ orgId, entityId: life.policyId, today: life.date(day) });
};

/** Two installments, the first unpaid; on day 5 coverage is cancelled as of day 15. */
async function cancelledByHand(t: { title?: string }): Promise<InsuredLife> {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  life.passTo(5);
  await life.cancel(15, NON_PAYMENT);
  return life;
}

test('a cancellation for non-payment made by hand ends when its debt is paid, and its day brings nothing', async (t) => {
  const life = await cancelledByHand(t);
  t.like(await life.policy(), { status: 'pending_cancellation', cancellation: { effectiveDate: life.date(15) } });
  const announced = await takeStep(life, 5);
  t.like(announced, { status: 'pending_cancellation', notice: { kind: 'past_due' } });

  life.passTo(8);
  await life.pay(1);
  const rescinded = await takeStep(life, 8);
  t.like(rescinded, { status: 'active', cancellationDate: null, notice: { kind: 'rescind' } });
  const [, , withdrawal, ...more] = await life.stack();
  t.like(withdrawal, { type: 'reinstatement', totalChangeCents: 0, changes: { withdrawal: true } });
  t.deepEqual(more, []);

  life.passTo(15);
  t.like(await life.takeEffect(), { status: 'active', refundIds: [] });
  t.like(await life.policy(), { status: 'active', grossPremiumCents: 1_000_000, cancellation: null });
  t.is(await life.events('policy.cancelled'), 0);
  await life.check(t);
});

test('the document of a notice for non-payment names the amount past due on its day, whatever is paid later', async (t) => {
  const life = await cancelledByHand(t);
  const [, notice] = await life.stack();
  const [first] = await life.invoices();
  const page = () => life.read((em) => transactionFacts(em, life.policyId, notice?.id ?? ''));
  const says = { isAhead: true, pastDue: first?.totalCents, effectiveDate: life.date(15) };
  t.like(await page(), says);
  await life.pay(1, 100_000);
  t.like(await page(), says);
  await life.pay(1);
  t.like(await page(), says);
});

test('a cancellation for non-payment made by hand ends no coverage if its debt is paid on the very day', async (t) => {
  const life = await cancelledByHand(t);
  life.passTo(15);
  await life.pay(1);
  t.like(await life.takeEffect(), { status: 'pending_cancellation', refundIds: [] });
  t.like(await takeStep(life, 15), { status: 'active' });
  await life.check(t);
});

test('a cancellation for non-payment made by hand ends coverage on its day if its debt is unpaid, or paid in part', async (t) => {
  const life = await cancelledByHand(t);
  life.passTo(8);
  await life.pay(1, 100_000);
  t.like(await takeStep(life, 8), { status: 'pending_cancellation' });
  life.passTo(15);
  t.like(await life.takeEffect(), { status: 'cancelled' });
  // 10,000.00 for 365 days, of which 15 are earned: 410.96.
  t.like(await life.policy(), { status: 'cancelled', grossPremiumCents: 41_096 });
  t.is(await life.events('policy.cancelled'), 1);
  await life.check(t);
});

test('a carrier that cancels for non-payment by hand owes the notice of the state', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  life.passTo(5);
  // Texas: 10 days.
  const details = await refused(t, life.cancel(14, NON_PAYMENT), 'notice_period_not_met');
  t.deepEqual(details, { earliestDate: life.date(15) });
  t.is((await life.stack()).length, 1);
});

test('insureds who want to stop paying leave on the day they choose, which needs no notice', async (t) => {
  for (const isPaid of [false, true]) {
    const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
    life.passTo(5);
    await life.cancel(8, { ...NON_PAYMENT, source: 'insured' });
    // Before that day, only the reminder is due.
    t.is((await takeStep(life, 5)).notice?.kind, 'past_due');
    t.like(await takeStep(life, 5), { delinquency: { on: life.date(8), what: 'lapse' }, transactionId: '' });
    t.is((await life.stack()).length, 2);
    life.passTo(7);
    if (isPaid) {
      await life.pay(1);
      t.like(await takeStep(life, 7), { status: 'active', notice: { kind: 'rescind' } });
    }
    life.passTo(8);
    t.like(await life.takeEffect(), { status: isPaid ? 'active' : 'cancelled' });
    // Nine tenths of the unearned premium would be returned, but at least a quarter of 10,000.00 is earned.
    t.like(await life.policy(), isPaid ? { grossPremiumCents: 1_000_000 } : { grossPremiumCents: 250_000 });
    await life.check(t);
  }
});

test('a cancellation for non-payment made by hand needs something past due', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  const nothing = { missing: [], blockers: ['NOTHING_PAST_DUE'] };
  t.deepEqual(await refused(t, life.cancel(10, NON_PAYMENT), 'not_ready'), nothing);
  life.passTo(5);
  await life.pay(1);
  t.deepEqual(await refused(t, life.cancel(15, NON_PAYMENT), 'not_ready'), nothing);
  t.is((await life.stack()).length, 1);
});

test('a bill that was written off is no reason to cancel for non-payment', async (t) => {
  const life = await InsuredLife.begin(t);
  life.passTo(40);
  const [{ id = '' } = {}] = await life.invoices();
  await life.steps.activities.writeOffInvoice(life.steps.command(id, { reason: 'Out of business.' }));
  const nothing = { missing: [], blockers: ['NOTHING_PAST_DUE'] };
  t.deepEqual(await refused(t, life.cancel(60, NON_PAYMENT), 'not_ready'), nothing);
  t.is((await life.policy()).status, 'active');
});
