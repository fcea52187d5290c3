// Endorsements: their price, how they are billed and refunded, and whose approval they need.
import test from 'ava';
import { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { refused } from '../steps.ts';
import { InsuredLife, revenueFor } from './insured-life.ts';

const MORE = { annualRevenueCents: revenueFor(1_120_000) };
const LESS = { annualRevenueCents: revenueFor(500_000) };

test('an endorsement before a later one of the same terms, which the row of the policy does not show, counts a version of it', async (t) => {
  const life = await InsuredLife.begin(t);
  const insuring = (name: string) => ({ additionalInsureds: [{ name }] });
  await life.endorse(110, insuring('Later Landlord'));
  const { version } = await life.policy();
  await life.endorse(100, insuring('Earlier Landlord'));
  t.like(await life.policy(), { version: version + 1, additionalInsureds: [{ name: 'Later Landlord' }] });
});

test('an endorsement of 1,200 a year on day 100 of 365 costs 871.23 and is billed with its tax', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.check(t);
  await life.pay(1);
  life.passTo(100);
  const { refundIds, transactionId } = await life.endorse(100, MORE);
  t.deepEqual(refundIds, []);
  const [, endorsement] = await life.stack();
  t.like(endorsement, { id: transactionId, type: 'endorsement', sequence: 2, premiumChangeCents: 87_123 });
  // 4.85 percent of 11,121.23 less 497.13, and 0.04 percent less 4.10; the fee is charged once.
  t.like(endorsement, { feeChangeCents: 0, taxChangeCents: 53_938 - 49_713 + (445 - 410) });
  t.like(endorsement?.before, { annualRevenueCents: 100_000_000 });
  t.like(endorsement?.after, { annualRevenueCents: 112_000_000 });
  t.like(await life.policy(), { annualRevenueCents: 112_000_000, grossPremiumCents: 1_087_123, status: 'active' });
  const [, added] = await life.invoices();
  t.like(added, { dueDate: life.date(115), totalCents: 87_123 + 4_225 + 35, transactionId });
  const events = await life.read((em) => em.find(Event, { type: 'policy.endorsed' }));
  t.deepEqual(
    events.map(({ data }) => data),
    [
      {
        ...{ policyId: life.policyId, policyNumber: (await life.policy()).policyNumber, effectiveDate: life.date(100) },
        ...{ grossPremium: 10_871.23, premiumChange: 871.23, transactionId },
      },
    ],
  );
  await life.check(t);
  await life.pay(2);
  await life.check(t);
});

test('additional premium spreads over the installments not yet due, the tax on the first of them', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  await life.pay(1);
  life.passTo(100);
  await life.endorse(100, MORE);
  const totals = (await life.invoices()).map(({ totalCents }) => totalCents);
  // The second was due on day 90 and is past due. 871.23 is 435.62 + 435.61; the tax is 42.60.
  t.deepEqual(totals, [325_123, 250_000, 250_000 + 43_562 + 4_260, 250_000 + 43_561]);
  await life.check(t);
  for (const number of [2, 3, 4]) await life.pay(number);
  await life.check(t);
});

test('return premium comes off the last unpaid installments first, and only the rest is refunded', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'QUARTERLY_4' });
  for (const number of [1, 2, 3]) await life.pay(number);
  // The premium is halved from the first day: 5,000.00 and 244.50 of taxes less.
  const { refundIds } = await life.endorse(0, LESS);
  const invoices = await life.invoices();
  t.truthy(invoices[3]?.voidedAt);
  t.is(invoices[3]?.voidedBy, (await life.stack())[1]?.id);
  const refunds = await life.refunds();
  t.deepEqual(
    refunds.map(({ invoiceId, amountCents, composition }) => [invoiceId, amountCents, composition]),
    [
      [invoices[2]?.id, -250_000, { premiumCents: 250_000, taxCents: 0, stampingCents: 0, feeCents: 0 }],
      [invoices[0]?.id, -24_450, { premiumCents: 0, taxCents: 24_250, stampingCents: 200, feeCents: 0 }],
    ],
  );
  await life.check(t);
  await life.settle(refundIds);
  await life.check(t);
  const balances = await life.balances();
  t.is(balances[2040], -(49_713 - 24_250));
  t.is(balances[2090], -25_000);
  // Half of the return on the whole premium.
  t.deepEqual([balances[2010], balances[2020], balances[2030]], [-387_500, -62_500, -50_000]);
});

test('an out-of-sequence endorsement takes its place, and names the amount it moves of a later one', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.pay(1);
  life.passTo(200);
  const later = await life.endorse(200, { annualRevenueCents: revenueFor(2_000_000) });
  await life.check(t);
  await life.endorse(100, MORE);
  const [, , earlier] = await life.stack();
  // 1,200 a year from day 100 on, and 1,200 less from day 200 on: 871.23 − 542.47.
  t.deepEqual(earlier?.reapplied, [{ transactionId: later.transactionId, premiumChangeCents: -54_247 }]);
  t.is(earlier?.premiumChangeCents, 87_123 - 54_247);
  t.is((await life.policy()).annualRevenueCents, revenueFor(2_000_000));
  await life.check(t);
});

test('an endorsement run twice under one id is issued once', async (t) => {
  const life = await InsuredLife.begin(t);
  const id = newId('request');
  const first = await life.endorse(10, MORE, id);
  const again = await life.endorse(10, MORE, id);
  t.deepEqual(again, { ...first, repeated: true });
  t.is((await life.stack()).length, 2);
  await life.check(t);
});

test('two simultaneous endorsements run one after the other', async (t) => {
  const life = await InsuredLife.begin(t);
  await Promise.all([life.endorse(10, MORE), life.endorse(10, { deductibleCents: 100_000 })]);
  const stack = await life.stack();
  t.deepEqual(
    stack.map(({ sequence }) => sequence),
    [1, 2, 3],
  );
  t.like(await life.policy(), { annualRevenueCents: 112_000_000, deductibleCents: 100_000 });
  await life.check(t);
});

test('an endorsement above the authority is refused, and leaves one referral and nothing else', async (t) => {
  const life = await InsuredLife.begin(t);
  const before = await life.everything();
  const tooHigh = { limitCents: 300_000_000 };
  const details = await refused(t, life.endorse(10, tooHigh), 'delegated_authority_exceeded');
  await refused(t, life.endorse(10, tooHigh), 'delegated_authority_exceeded');
  const referrals = await life.read((em) => em.find(Referral, {}));
  t.is(referrals.length, 1);
  t.like(referrals[0], { policyId: life.policyId, status: 'pending', requestedBy: 'test-admin' });
  t.like((details.daFlags as object[])[0], {
    code: 'DA_LIMIT_EXCEEDED',
    referralId: referrals[0]?.id,
    actual: 3_000_000,
  });
  t.deepEqual(await life.everything(), before);

  await life.read(async (em) => {
    const decided = { status: 'approved' as const, decidedBy: 'chief', decidedAt: new Date() };
    await em.nativeUpdate(Referral, { id: referrals[0]?.id ?? '' }, decided);
  });
  await life.endorse(10, tooHigh);
  t.like(await life.policy(), { limitCents: 300_000_000, aggregateLimitCents: 600_000_000 });
  await life.check(t);
});

test("the last of the year's authority is not used twice", async (t) => {
  const life = await InsuredLife.begin(t);
  await life.read((em) => em.nativeUpdate(DaContract, {}, { maxAnnualPremiumVolumeCents: 1_150_000 }));
  const changes = [life.endorse(0, MORE), life.endorse(0, { ...MORE, annualRevenueCents: revenueFor(1_240_000) })];
  const outcomes = await Promise.allSettled(changes);
  // Either one alone fits or is too much; together they never exceed 11,500.00.
  t.true(outcomes.some(({ status }) => status === 'rejected'));
  t.true((await life.policy()).grossPremiumCents <= 1_150_000);
  await life.check(t);
});

test('an endorsement that lowers or does not affect premium never needs authority', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.read((em) => em.nativeUpdate(DaContract, {}, { status: 'suspended' }));
  await life.endorse(10, LESS);
  await life.endorse(10, { insuredAddress: { line1: '1 Main St', city: 'Austin', state: 'TX', postalCode: '78701' } });
  await refused(t, life.endorse(10, MORE), 'delegated_authority_exceeded');
  await life.check(t);
});

test('an endorsement outside the term is refused', async (t) => {
  const life = await InsuredLife.begin(t);
  await refused(t, life.endorse(-1, MORE), 'outside_policy_term');
  await refused(t, life.endorse(365, MORE), 'outside_policy_term');
});
