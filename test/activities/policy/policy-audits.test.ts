// The premium audit of an ended term, through its activity: what it bills or returns, and that the parts tie out.
import test from 'ava';
import { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import { newId } from '../../../db/ids.ts';
import { putRelation } from '../../../db/queries/access/relations.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { invoiceStatus } from '../../../domain/billing/invoice.ts';
import { sumCents } from '../../../domain/money.ts';
import { refused } from '../steps.ts';
import { InsuredLife, type LifeOptions, revenueFor } from './insured-life.ts';

/** The plain rates charge 10,000.00 for the estimated revenue. */
const audit = (life: InsuredLife, premiumCents: number, commandId?: string) => {
  const payload = { actualRevenueCents: revenueFor(premiumCents), reason: 'Books of the year' };
  return life.steps.activities.auditPolicy(life.steps.command(life.policyId, payload, commandId));
};

async function begun(t: { title?: string }, options: LifeOptions = {}): Promise<InsuredLife> {
  const life = await InsuredLife.begin(t, { ...options, startsIn: 1 });
  life.passTo(0);
  await life.activate();
  return life;
}

async function expire(life: InsuredLife): Promise<void> {
  life.passTo(365);
  const { activities, orgId } = life.steps;
  await activities.expirePolicy({ orgId, entityId: life.policyId, today: life.date(365) });
}

test('a quarter more revenue is billed on one invoice due in 15 days, shared at its own tier, and once', async (t) => {
  const life = await begun(t);
  await life.pay(1);
  await expire(life);
  life.passTo(380);
  const issued = await audit(life, 1_250_000, 'req_audit');
  t.like(issued, { status: 'expired', refundIds: [], delinquency: null });
  // 2,500.00; 12,750.00 × 4.85 percent = 618.38, less 497.13; 12,750.00 × 0.04 percent = 5.10, less 4.10.
  const [, row] = await life.stack();
  t.like(row, {
    ...{ type: 'audit', effectiveDate: life.start, changes: { actualRevenueCents: revenueFor(1_250_000) } },
    ...{ premiumChangeCents: 250_000, feeChangeCents: 0, taxChangeCents: 12_225, totalChangeCents: 262_225 },
  });
  const [, invoice] = await life.invoices();
  t.like(invoice, { dueDate: life.date(395), totalCents: 262_225 });
  t.deepEqual(
    invoice?.lines.map(({ code, amountCents }) => [code, amountCents]),
    [
      ['PREMIUM', 250_000],
      ['SL_TAX', 12_125],
      ['STAMPING_FEE', 100],
    ],
  );
  t.like(await life.policy(), { grossPremiumCents: 1_250_000, annualRevenueCents: revenueFor(1_000_000) });
  t.is(await life.events('policy.audited'), 1);
  await life.check(t);
  t.is((await audit(life, 1_250_000, 'req_audit')).transactionId, issued.transactionId);
  t.deepEqual(await refused(t, audit(life, 900_000), 'already_exists'), { transactionId: issued.transactionId });

  life.passTo(396);
  const { activities, orgId } = life.steps;
  t.is(invoiceStatus(invoiceAmounts((await life.invoices())[1]!), life.date(396)), 'past_due');
  const step = await activities.takeDelinquencyStep({ orgId, entityId: life.policyId, today: life.date(396) });
  t.like(step, { status: 'expired', delinquency: null, notice: null });
  await life.pay(2);
  await life.check(t);
  const [earned] = await life.read((em) => em.find(CommissionRecord, { invoiceId: invoice?.id ?? '' }));
  t.like(earned, { grossPremiumCents: 250_000, agentCommissionCents: 31_250, mgaCommissionCents: 25_000, tier: 1 });
});

test('less revenue reduces the unpaid part first, and the rest is refunded', async (t) => {
  const life = await begun(t, { installmentPlan: 'MONTHLY_10' });
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9]) await life.pay(number);
  await expire(life);
  const { refundIds } = await audit(life, 800_000);
  // 2,000.00; 8,250.00 × 4.85 percent = 400.13, less 497.13; 8,250.00 × 0.04 percent = 3.30, less 4.10.
  t.like((await life.stack())[1], { premiumChangeCents: -200_000, taxChangeCents: -9_780 });
  await life.check(t, { isQuiet: false });
  const refunds = await life.refunds();
  // The last installment is 1,000.00 of premium.
  t.is(sumCents(refunds.map(({ amountCents }) => amountCents)), -(209_780 - 100_000));
  t.deepEqual(await life.open(), []);
  await life.settle(refundIds);
  await life.check(t);
});

test('the audit of a policy cancelled early waits for the end of the term, and counts the days in force', async (t) => {
  const life = await begun(t);
  await life.pay(1);
  life.passTo(146);
  await life.settle((await life.cancel(146)).refundIds);
  // At short rate, 0.9 × 6,000.00 is returned.
  t.is((await life.policy()).grossPremiumCents, 460_000);
  life.passTo(364);
  const early = { missing: [], blockers: ['TERM_NOT_ENDED'], earliestDate: life.date(365) };
  t.deepEqual(await refused(t, audit(life, 1_250_000), 'not_ready'), early);
  life.passTo(365);
  t.is((await audit(life, 1_250_000)).status, 'cancelled');
  // 2,500.00 for 146 of 365 days.
  t.is((await life.policy()).grossPremiumCents, 560_000);
  await life.pay(2);
  await life.check(t);
  const details = await refused(t, life.reinstate(), 'not_ready');
  t.deepEqual(details, { missing: [], blockers: ['AUDITED'] });
});

test('an audit without a difference is on record with 0, and one of a policy never in force is refused', async (t) => {
  const life = await begun(t);
  await life.pay(1);
  await expire(life);
  await audit(life, 1_000_000);
  const [, transaction] = await life.stack();
  t.like(transaction, { type: 'audit', totalChangeCents: 0 });
  t.deepEqual(await life.credits(transaction?.id), []);
  t.is((await life.invoices()).length, 1);
  t.is(await life.events('policy.audited'), 1);
  await life.check(t);

  const flat = await InsuredLife.begin(t, { startsIn: 1 });
  await flat.cancel(0);
  flat.passTo(365);
  const never = { missing: [], blockers: ['NEVER_IN_FORCE'] };
  t.deepEqual(await refused(t, audit(flat, 1_250_000), 'not_ready'), never);
});

test('an audit is within the own authority of the caller, and bills no more than one payment can be', async (t) => {
  const life = await begun(t);
  await expire(life);
  const { steps, policyId } = life;
  const slip = await refused(t, audit(life, 2_000_000_000), 'validation_failed');
  t.like(slip, { field: 'actualRevenue', rule: 'max', most: 10_000_000 });
  const actor = { kind: 'user', id: newId('user'), role: 'underwriter' } as const;
  await steps.database.transaction(steps.orgId, (em) =>
    putRelation(em, {
      ...{ objectType: 'organization', objectId: steps.orgId, relation: 'authority' },
      ...{ subjectType: 'user', subjectId: actor.id },
      limits: { maxLimitCents: 100_000_000, maxPremiumCents: 1_200_000, linesOfBusiness: null },
    }),
  );
  const payload = { actualRevenueCents: revenueFor(1_250_000), reason: null };
  const beyond = steps.activities.auditPolicy({ ...steps.command(policyId, payload), actor });
  t.like(await refused(t, beyond, 'forbidden'), { permission: 'policy:audit', limit: 12_000, actual: 12_500 });
  await audit(life, 1_250_000);
});
