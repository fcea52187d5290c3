// What the delinquency steps write: the money of a lapse, run twice, and raced against the payment that would have
// prevented it.
import test, { type ExecutionContext } from 'ava';
import { newId } from '../../../db/ids.ts';
import { listUnapplied } from '../../../db/queries/billing/unapplied-cash.ts';
import { addDays } from '../../../domain/dates.ts';
import { findingsOf, followed } from '../policy/followed-payments.ts';
import { InsuredLife, type LifeOptions } from '../policy/insured-life.ts';

const takeStep = (life: InsuredLife, day: number) => {
  const { orgId, activities } = life.steps;
  return activities.takeDelinquencyStep({ orgId, entityId: life.policyId, today: life.date(day) });
};

/** A policy whose first installment was never paid, with the notice sent. */
async function noticed(t: ExecutionContext, options: LifeOptions = {}): Promise<InsuredLife> {
  const life = await InsuredLife.begin(t, options);
  life.passTo(1);
  await takeStep(life, 1);
  life.passTo(11);
  await takeStep(life, 11);
  return life;
}

const statusOf = async (life: InsuredLife) => (await life.policy()).status;

test('a notice moves no money, a lapse moves what a pro-rata carrier cancellation does, and the books agree', async (t) => {
  const life = await noticed(t);
  t.is(await statusOf(life), 'pending_cancellation');
  t.is((await life.policy()).grossPremiumCents, 1_000_000);
  await life.check(t);
  life.passTo(21);
  await takeStep(life, 21);
  // 10,000.00 for 365 days, of which 21 are earned: 575.34.
  t.like(await life.policy(), { status: 'lapsed', grossPremiumCents: 57_534 });
  for (const type of ['policy.cancellation_scheduled', 'policy.cancelled', 'policy.lapsed'] as const) {
    t.is(await life.events(type), 1, type);
  }
  await life.check(t);
});

test('a lapse refunds premium paid beyond what is earned, and a second run returns the same refunds', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  for (const number of [2, 3, 4]) await life.pay(number);
  life.passTo(1);
  await takeStep(life, 1);
  life.passTo(11);
  await takeStep(life, 11);
  life.passTo(21);
  const first = await takeStep(life, 21);
  t.is(first.status, 'lapsed');
  t.true(first.refundIds.length > 0);
  const before = await life.everything();
  const second = await takeStep(life, 21);
  t.deepEqual(
    [second.transactionId, second.refundIds, second.notice],
    [first.transactionId, first.refundIds, first.notice],
  );
  t.deepEqual(await life.everything(), before);
  await life.settle(first.refundIds);
  await life.check(t);
});

test('every step that runs twice takes effect once, and the second run has its e-mail to send', async (t) => {
  const life = await InsuredLife.begin(t);
  for (const [day, kind] of [
    [1, 'past_due'],
    [11, 'notice'],
    [21, 'lapse'],
  ] as const) {
    life.passTo(day);
    const [first, second] = [await takeStep(life, day), await takeStep(life, day)];
    t.deepEqual(first.notice, { kind, on: life.date(day) });
    t.deepEqual(second.notice, first.notice);
    t.is(second.version, first.version);
  }
  t.is((await life.stack()).length, 2);
});

test('a step that runs before its day does nothing', async (t) => {
  const life = await InsuredLife.begin(t);
  const before = await life.everything();
  t.is((await takeStep(life, 0)).notice, null);
  t.deepEqual(await life.everything(), before);
});

test('a payment before the lapse is booked rescinds the notice, even on the day of the lapse or later', async (t) => {
  for (const day of [21, 40]) {
    const life = await noticed(t);
    life.passTo(day);
    await life.pay(1);
    t.like(await takeStep(life, day), { status: 'active', delinquency: null, notice: { kind: 'rescind' } });
    t.is(await life.events('policy.cancellation_withdrawn'), 1);
    t.is(await life.events('policy.reinstated'), 0);
    await life.check(t);
  }
});

test('the cancellation date ends no policy whose notice is about to be rescinded', async (t) => {
  const life = await noticed(t);
  life.passTo(21);
  await life.pay(1);
  t.is((await life.takeEffect()).status, 'pending_cancellation');
  await takeStep(life, 21);
  t.is(await statusOf(life), 'active');
});

test('a late lapse takes effect as of the announced day', async (t) => {
  const life = await noticed(t);
  life.passTo(30);
  await takeStep(life, 30);
  t.like(await life.policy(), { status: 'lapsed', cancellation: { effectiveDate: life.date(21) } });
  await life.check(t);
});

test('a payment that races the lapse comes before it or after it', async (t) => {
  const ends = new Set<string>();
  for (let i = 0; i < 4; i += 1) {
    const life = await noticed(t);
    life.passTo(21);
    const [paid, step] = await Promise.allSettled([life.pay(1), takeStep(life, 21)]);
    t.is(step.status, 'fulfilled');
    const status = await statusOf(life);
    ends.add(status);
    if (status === 'active') t.is(paid.status, 'fulfilled');
    else t.is(status, 'lapsed');
    const stack = (await life.stack()).map(({ type }) => type);
    const expected = ['new_business', 'cancellation', 'reinstatement'];
    t.deepEqual(stack, status === 'active' ? expected : expected.slice(0, 2));
    await life.check(t);
  }
  t.true([...ends].every((status) => status === 'active' || status === 'lapsed'));
});

test('a policy that was lapsed and is reinstated begins without a notice', async (t) => {
  const life = await noticed(t);
  life.passTo(21);
  await takeStep(life, 21);
  const [open] = await life.open();
  await life.pay(1, open?.balanceCents);
  await life.reinstate();
  const policy = await life.policy();
  t.like(policy, { status: 'active', delinquency: { noticeOn: null } });
  await life.check(t);
  const [reopened] = await life.open();
  t.truthy(reopened);
});

test('no notice is sent on days under a hold', async (t) => {
  const life = await InsuredLife.begin(t);
  const { activities, command } = life.steps;
  life.passTo(1);
  await takeStep(life, 1);
  const hold = { state: 'TX', from: life.date(5), to: life.date(14) };
  await activities.placeBillingHold(command(newId('billingHold'), hold));
  life.passTo(20);
  t.is((await takeStep(life, 20)).status, 'active');
  life.passTo(21);
  const { status, cancellationDate } = await takeStep(life, 21);
  t.deepEqual([status, cancellationDate], ['pending_cancellation', addDays(life.date(21), 10)]);
});

test('a change of terms during a pending notice keeps its day, with the figures of the new terms', async (t) => {
  const life = await noticed(t);
  await life.endorse(11, { annualRevenueCents: 120_000_000 });
  t.like(await life.policy(), { status: 'pending_cancellation', cancellation: { effectiveDate: life.date(21) } });
  life.passTo(21);
  await takeStep(life, 21);
  t.is(await statusOf(life), 'lapsed');
  await life.check(t);
});

/** A check that may exceed its invoice, with everything that follows. */
async function check(life: InsuredLife, amountCents: number, number = 1): Promise<void> {
  const { activities, command } = life.steps;
  const invoiceId = (await life.invoices())[number - 1]?.id ?? '';
  const payload = { invoiceId, amountCents, method: 'check', reference: newId('request'), receivedDate: null } as const;
  await followed(life, [await activities.recordPayment(command(newId('payment'), { ...payload, mayExceed: true }))]);
}

const unappliedCents = (life: InsuredLife) =>
  life.read(async (em) => {
    const { data } = await listUnapplied(em, { policyId: life.policyId }, { limit: 100 });
    return data.reduce((sum, each) => sum + each.unappliedCents, 0);
  });

test("the insured's own unapplied cash pays an amount that falls due, and no demand goes out", async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  const [first, second] = await life.invoices();
  // Four times 2,500.00; fee and taxes are on the first. The check brings an extra 4,000.00.
  t.is(second?.totalCents, 250_000);
  await check(life, (first?.totalCents ?? 0) + 400_000);
  const day = life.dayOf(second?.dueDate ?? '') + 1;
  life.passTo(day);
  const step = await takeStep(life, day);
  t.like(step, { status: 'active', notice: null });
  t.is(step.applied?.length, 1);
  await followed(life, step.applied);
  t.is(await unappliedCents(life), 150_000);
  t.is((await takeStep(life, day)).notice, null);
  const third = life.dayOf((await life.invoices())[2]?.dueDate ?? '') + 1;
  life.passTo(third);
  // 1,500.00 is not enough: it is applied, and the remainder is past due.
  const short = await takeStep(life, third);
  t.deepEqual(short.notice, { kind: 'past_due', on: life.date(third) });
  await followed(life, short.applied);
  t.is((await life.open())[0]?.balanceCents, 100_000);
  await life.check(t);
});

test('money received after the notice keeps the policy in force even though nobody has applied it', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  life.passTo(1);
  await takeStep(life, 1);
  life.passTo(11);
  await takeStep(life, 11);
  life.passTo(15);
  // Sent for the second half, it also pays the first half.
  const [first, second] = await life.invoices();
  await check(life, (first?.totalCents ?? 0) + (second?.totalCents ?? 0), 2);
  t.is(await statusOf(life), 'pending_cancellation');
  life.passTo(21);
  const step = await takeStep(life, 21);
  await followed(life, step.applied);
  t.like(step, { status: 'active', notice: { kind: 'rescind' } });
  t.deepEqual([await life.open(), await unappliedCents(life)], [[], 0]);
  await life.check(t);
});

test('a reinstatement applies money the insured has sent meanwhile to its bills', async (t) => {
  const life = await noticed(t);
  life.passTo(21);
  await takeStep(life, 21);
  life.passTo(30);
  // Of the check, 865.70 is earned: 575.34 premium, 250.00 fee, 40.03 tax, 0.33 stamping fee.
  await check(life, 1_075_123);
  t.is(await unappliedCents(life), 988_553);
  const { applied } = await life.reinstate();
  await followed(life, applied);
  t.deepEqual([await life.open(), await unappliedCents(life)], [[], 0]);
  t.like(await life.policy(), { status: 'active', totalDueCents: 1_075_123 });
  await life.check(t);
  life.passTo(60);
  t.is((await takeStep(life, 60)).notice, null);
});

test('return premium whose check is not yet issued pays the bills of a reinstatement before they are past due', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(146);
  await life.settle((await life.cancel(146, { method: 'pro_rata' })).refundIds);
  // 219 of 365 days: 6,000.00 premium, 291.00 tax, 2.40 stamping fee.
  t.like(await life.disbursements(), [{ status: 'pending', amountCents: 629_340 }]);
  life.passTo(219);
  // With a gap of 73 days, 4,000.00, 194.00 and 1.60 are rebilled.
  t.deepEqual((await life.reinstate(219)).applied, []);
  t.like(await life.open(), [{ balanceCents: 419_560 }]);
  life.passTo(220);
  const step = await takeStep(life, 220);
  t.is(step.notice, null);
  await followed(life, step.applied);
  t.deepEqual(await life.open(), []);
  t.like(await life.disbursements(), [{ status: 'pending', amountCents: 629_340, cancelledCents: 419_560 }]);
  t.like(await life.balances(), { 2060: -209_780, 2070: 0 });
  t.is(await life.events('disbursement.cancelled'), 1);
  await life.check(t);
  t.deepEqual(await findingsOf(life), []);
  await life.sendChecks();
  t.is((await life.balances())[1010], 1_075_123 - 209_780);
  t.deepEqual(await findingsOf(life), []);
});
