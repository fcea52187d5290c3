// Cancellations: the refund, who pays it, and the date until which no money moves.
import test from 'ava';
import { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { sumCents } from '../../../domain/money.ts';
import { transactionStatuses } from '../../../domain/policy/stack.ts';
import { refused } from '../steps.ts';
import { InsuredLife, revenueFor } from './insured-life.ts';

const PRO_RATA = { method: 'pro_rata' } as const;

test('10,000 cancelled on day 146 of 365 returns 6,000.00 pro rata, from everyone their own share', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(146);
  const { refundIds, status } = await life.cancel(146, PRO_RATA);
  t.is(status, 'cancelled');
  const [, cancellation] = await life.stack();
  t.like(cancellation, {
    type: 'cancellation',
    premiumChangeCents: -600_000,
    feeChangeCents: 0,
    taxChangeCents: -(29_100 + 240),
    grossPremiumAfterCents: 400_000,
    changes: { reason: 'insured_request', source: 'insured', method: 'pro_rata' },
  });
  const [refund] = await life.refunds();
  t.like(refund, { amountCents: -629_340, status: 'pending', requiresManualReview: true, id: refundIds[0] });
  t.deepEqual(refund?.composition, { premiumCents: 600_000, taxCents: 29_100, stampingCents: 240, feeCents: 0 });
  t.deepEqual<unknown, unknown>(await life.credits(cancellation?.id), [
    { invoiceId: refund?.invoiceId, kind: 'refunded', amountCents: -629_340 },
  ]);
  await life.check(t);

  await life.settle(refundIds);
  await life.check(t);
  const balances = await life.balances();
  t.deepEqual(
    [2010, 2020, 2030, 2040, 2050, 2090, 2060, 2070, 1010].map((account) => balances[account] ?? 0),
    [-310_000, -50_000, -40_000, -20_613, -170, -25_000, -629_340, 0, 1_075_123],
  );
  t.deepEqual([balances[4010], balances[4020], balances[1120]], [-40_000, -25_000, 65_000]);
  const records = await life.read((em) => em.find(CommissionRecord, {}));
  t.is(sumCents(records.map(({ agentCommissionCents }) => agentCommissionCents)), 50_000);
  const events = await life.read((em) => em.find(Event, { type: 'policy.cancelled' }));
  t.deepEqual(
    events.map(({ data }) => [data.grossPremium, data.effectiveDate, data.premiumChange, data.cancellation]),
    [
      [
        ...[4000, life.date(146), -6000],
        { effectiveDate: life.date(146), reason: 'insured_request', method: 'pro_rata', source: 'insured' },
      ],
    ],
  );
});

test('10,000 cancelled by the insured on day 146 returns 5,400.00, and 500 on day 150 returns 265.07', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(146);
  await life.settle((await life.cancel(146)).refundIds);
  t.is((await life.policy()).grossPremiumCents, 460_000);
  await life.check(t);

  const small = await InsuredLife.begin(t, { premiumCents: 50_000, withProducer: false });
  await small.pay(1);
  small.passTo(150);
  await small.settle((await small.cancel(150)).refundIds);
  t.is((await small.stack())[1]?.premiumChangeCents, -26_507);
  await small.check(t);
});

test('3,990.00 and an endorsement of 2,000.47 on day 182, cancelled by the carrier that day, return 4,000.94', async (t) => {
  const life = await InsuredLife.begin(t, { premiumCents: 399_000 });
  await life.pay(1);
  life.passTo(100);
  // 3,990.01 more a year × 183 / 365 = 2,000.47 (2,000.4708).
  await life.endorse(182, { annualRevenueCents: revenueFor(399_000 + 399_001) });
  t.is((await life.stack())[1]?.premiumChangeCents, 200_047);
  await life.pay(2);
  life.passTo(152);
  // With its 30 days of notice; 3,990.00 × 183 / 365 = 2,000.47, plus all of the endorsement.
  await life.cancel(182, { reason: 'increase_in_hazard' });
  t.is((await life.stack())[2]?.premiumChangeCents, -400_094);
  life.passTo(182);
  await life.settle((await life.takeEffect()).refundIds);
  t.is((await life.policy()).grossPremiumCents, 399_000 + 200_047 - 400_094);
  await life.check(t);
});

test('an insured who cancels early leaves a quarter of the premium', async (t) => {
  const life = await InsuredLife.begin(t);
  life.passTo(1);
  await life.cancel(1);
  t.is((await life.policy()).grossPremiumCents, 250_000);
  await life.check(t);
});

test('parts tie out when taxes that are paid come off premium that is not: 997.50, 57.84, 0.48 and the fee', async (t) => {
  const life = await InsuredLife.begin(t, {
    premiumCents: 399_000,
    policyFeeCents: 19_500,
    installmentPlan: 'MONTHLY_10',
  });
  // 399.00 + 195.00 + 202.97 + 1.67.
  await life.pay(1);
  life.passTo(11);
  // A quarter of 3,990.00 is earned; 4.85 and 0.04 percent of 997.50 + 195.00 are 57.84 and 0.48.
  await life.cancel(11, PRO_RATA);
  t.like(await life.policy(), { grossPremiumCents: 99_750, totalDueCents: 99_750 + 19_500 + 5_784 + 48 });
  const invoices = await life.invoices();
  t.deepEqual(
    invoices.filter(({ voidedAt }) => voidedAt === null).map(({ totalCents }) => totalCents),
    // 1,250.82 − 798.64 − 399.00 = 53.18.
    [79_864, 39_900, 5_318],
  );
  await life.check(t);
  await life.pay(2);
  await life.pay(3);
  await life.check(t);
  const balances = await life.balances();
  const owed = [2010, 2020, 2030, 2040, 2050, 2090].map((account) => -(balances[account] ?? 0));
  const [carrier = 0, agent = 0, mga = 0, ...others] = owed;
  t.deepEqual([carrier + agent + mga, ...others], [99_750, 5_784, 48, 19_500]);
});

test('parts tie out when premium that is paid is returned while only fee and taxes are unpaid', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2' });
  await life.pay(2);
  await life.pay(1, 500_000);
  life.passTo(300);
  // 65 of 365 days of 10,000.00 is 1,780.82: the first half has a balance of 751.23, most of it fee and taxes.
  const { refundIds } = await life.cancel(300, PRO_RATA);
  await life.check(t);
  await life.settle(refundIds);
  await life.check(t);
  t.deepEqual(await life.open(), []);
});

test('a flat stamping fee of 20.00 stays through an endorsement and a pro-rata cancellation, and goes back with a flat one', async (t) => {
  // Pennsylvania: 3 percent of the premium alone, so 300.00 of 10,000.00, and 20.00 once a term.
  const life = await InsuredLife.begin(t, { state: 'PA', withProducer: false });
  const stampingOf = async () => (await life.policy()).taxes.find(({ code }) => code === 'STAMPING_FEE')?.amountCents;
  t.is((await life.policy()).totalDueCents, 1_000_000 + 25_000 + 30_000 + 2_000);
  await life.pay(1);
  life.passTo(73);
  // 2,000.00 more a year × 292 / 365 = 1,600.00.
  await life.endorse(73, { annualRevenueCents: revenueFor(1_200_000) });
  t.like((await life.stack())[1], { premiumChangeCents: 160_000, taxChangeCents: 4_800 });
  await life.pay(2);
  life.passTo(146);
  await life.settle((await life.cancel(146, PRO_RATA)).refundIds);
  // 10,000.00 × 219 / 365 and 1,600.00 × 219 / 292, with 3 percent of 7,200.00.
  t.like((await life.stack())[2], { premiumChangeCents: -720_000, feeChangeCents: 0, taxChangeCents: -21_600 });
  t.is(await stampingOf(), 2_000);
  await life.check(t);
  t.is((await life.balances())[2050], -2_000);

  const untaken = await InsuredLife.begin(t, { state: 'PA', withProducer: false, startsIn: 10 });
  await untaken.pay(1);
  await untaken.settle((await untaken.cancel(0, { reason: 'flat_not_taken' })).refundIds);
  t.like((await untaken.stack())[1], {
    premiumChangeCents: -1_000_000,
    feeChangeCents: -25_000,
    taxChangeCents: -32_000,
  });
  await untaken.check(t);
  await untaken.reinstate();
  t.is((await untaken.policy()).totalDueCents, 1_057_000);
  await untaken.check(t);
});

test('unpaid invoices become void or smaller, the last due first, and bring no refund', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  await life.pay(1);
  life.passTo(146);
  const { refundIds } = await life.cancel(146, PRO_RATA);
  t.deepEqual(refundIds, []);
  const invoices = await life.invoices();
  t.deepEqual(
    invoices.map(({ totalCents, voidedAt }) => [totalCents, voidedAt !== null]),
    [
      [325_123, false],
      [250_000 - 129_340, false],
      [250_000, true],
      [250_000, true],
    ],
  );
  const [, cancellation] = await life.stack();
  const credits = [
    { invoiceId: invoices[1]?.id, kind: 'reduced', amountCents: -129_340 },
    { invoiceId: invoices[3]?.id, kind: 'reduced', amountCents: -250_000 },
    { invoiceId: invoices[2]?.id, kind: 'reduced', amountCents: -250_000 },
  ];
  t.deepEqual<unknown, unknown>(await life.credits(cancellation?.id), credits);
  await life.check(t);
  t.is(await life.unbilledCents(), 0, 'what a cancellation made void is not owed');
  await life.pay(2);
  await life.check(t);
});

test('an invoice on which a credit leaves nothing to pay is shared out, and the taxes go back from where they lie', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  await life.pay(1);
  await life.pay(2, 150_000);
  life.passTo(146);
  const { refundIds } = await life.cancel(146, PRO_RATA);
  const invoices = await life.invoices();
  t.like(invoices[1], { totalCents: 150_000, paidCents: 150_000 });
  const [refund] = await life.refunds();
  t.like(refund, { invoiceId: invoices[0]?.id, amountCents: -29_340 });
  await life.check(t);
  await life.settle(refundIds);
  await life.check(t);
  const balances = await life.balances();
  t.deepEqual(
    [2010, 2020, 2030, 2040, 2050, 2090].map((account) => balances[account]),
    [-310_000, -50_000, -40_000, -20_613, -170, -25_000],
  );
});

test('a policy that has not begun is cancelled flat immediately: nothing is earned, and fee and taxes are refunded too', async (t) => {
  const life = await InsuredLife.begin(t, { startsIn: 10 });
  await life.pay(1);
  const { refundIds, status } = await life.cancel(0, { reason: 'flat_not_taken' });
  t.is(status, 'cancelled');
  t.like(await life.policy(), { grossPremiumCents: 0, fees: [], totalDueCents: 0 });
  await life.settle(refundIds);
  await life.check(t);
  const { 1010: cash, 2060: owed, ...others } = await life.balances();
  t.deepEqual([cash, owed], [1_075_123, -1_075_123], 'all of it is owed by check');
  t.true(
    Object.values(others).every((cents) => cents === 0),
    'the other books are as they were',
  );
});

test('a future cancellation moves nothing before its day, and on it the amount with endorsements since', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(100);
  const payload = { reason: 'increase_in_hazard' } as const;
  const announced = await life.cancel(146, payload);
  t.like(announced, { status: 'pending_cancellation', cancellationDate: life.date(146), refundIds: [] });
  t.like((await life.stack())[1], { premiumChangeCents: -600_000, taxChangeCents: -29_340 });
  t.is((await life.policy()).grossPremiumCents, 1_000_000);
  t.deepEqual((await life.refunds()).length, 0);
  t.is(await life.events('policy.cancelled'), 0);
  await life.check(t);
  t.like(await life.takeEffect(), { status: 'pending_cancellation', refundIds: [] });

  await life.endorse(100, { annualRevenueCents: revenueFor(1_120_000) });
  const [, first, , second] = await life.stack();
  // 219 of the 365 days of 10,000.00, and of the 265 days of 871.23.
  t.like(second, { type: 'cancellation', premiumChangeCents: -672_000, effectiveDate: life.date(146) });
  const term = { effectiveDate: life.start, expirationDate: life.end };
  const statuses = transactionStatuses(await life.stack(), term, life.date(100));
  t.deepEqual([statuses.get(first?.id ?? ''), statuses.get(second?.id ?? '')], ['reversed', 'scheduled']);
  await life.check(t);

  life.passTo(146);
  const ended = await life.takeEffect();
  t.like(ended, { status: 'cancelled', cancellationDate: null, transactionId: second?.id });
  await life.check(t);
  await life.settle(ended.refundIds);
  await life.check(t);
  t.is((await life.policy()).grossPremiumCents, 1_087_123 - 672_000);
  t.is(await life.events('policy.cancelled'), 1);
  // A second run returns the refunds of the first: a run that was cut off has yet to start their sagas.
  const credits = (await life.credits(second?.id)) ?? [];
  // The endorsement's own invoice is voided, the rest is refunded.
  t.is(credits.length, 2);
  t.is(sumCents(credits.map(({ amountCents }) => amountCents)), second?.totalChangeCents ?? 0);
  t.like(await life.takeEffect(), { status: 'cancelled', refundIds: ended.refundIds });
  t.is(await life.events('policy.cancelled'), 1);
});

test('a carrier gives notice in time, an insured goes back thirty days at most', async (t) => {
  const life = await InsuredLife.begin(t);
  life.passTo(100);
  const early = await refused(t, life.cancel(109, { reason: 'increase_in_hazard' }), 'notice_period_not_met');
  t.is(early.earliestDate, life.date(110));
  await refused(t, life.cancel(69), 'outside_policy_term');
  await refused(t, life.cancel(365), 'outside_policy_term');
  t.is((await life.stack()).length, 1);
});

test('a cancellation run twice under one id, even simultaneously, happens once', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(50);
  const id = newId('request');
  const first = await life.cancel(50, PRO_RATA, id);
  t.deepEqual(await life.cancel(50, PRO_RATA, id), { ...first, repeated: true });
  t.is((await life.refunds()).length, 1);

  const other = await InsuredLife.begin(t);
  const outcomes = await Promise.allSettled([other.cancel(0), other.cancel(0)]);
  t.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.is((await other.stack()).length, 2);
  await other.check(t);
});

test('a simultaneous payment and cancellation run one after the other, and the money is right either way', async (t) => {
  const life = await InsuredLife.begin(t);
  life.passTo(146);
  const [cancelled] = await Promise.allSettled([life.cancel(146, PRO_RATA), life.pay(1)]);
  t.is(cancelled.status, 'fulfilled');
  if (cancelled.status === 'fulfilled') await life.settle(cancelled.value.refundIds);
  if ((await life.open()).length > 0) await life.pay(1);
  await life.check(t);
  const { 1010: cash = 0, 2060: owed = 0 } = await life.balances();
  t.is(cash + owed, 445_783);
});
