// Renewal offers: with the flag `renewal_requires_payment`, an unpaid next term counts as never issued.
import test from 'ava';
import { DaUsage } from '../../../db/entities/authority/da-usage.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { policyTransactions } from '../../../db/queries/policy/policies.ts';
import { addDays, type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { prepareSteps, type Steps } from '../steps.ts';
import { inForce, policyOf, read, renew } from './renewal-steps.ts';

interface Offer {
  steps: Steps;
  id: string;
  nextId: string;
  start: BusinessDate;
}

const setFlag = (steps: Steps, value: boolean) =>
  steps.database.transaction(steps.orgId, (em) => putFlagOverride(em, 'renewal_requires_payment', value));

/** A policy on the first day of its next term, which is unpaid unless `before` pays for it earlier. */
async function offered(
  t: { title?: string },
  { isFlagOn = true, before }: { isFlagOn?: boolean; before?: (offer: Offer) => Promise<void> } = {},
): Promise<Offer> {
  const steps = await prepareSteps(t);
  await setFlag(steps, isFlagOn);
  const id = await inForce(steps, { daysLeft: 60 });
  const { renewal } = await renew(steps, id);
  const { policyId: nextId, effectiveDate: start } = renewal;
  await before?.({ steps, id, nextId, start });
  steps.passDays(60);
  const { activities, orgId } = steps;
  await activities.expirePolicy({ orgId, entityId: id, today: start });
  await activities.activatePolicy({ orgId, entityId: nextId, today: start });
  return { steps, id, nextId, start };
}

const takeStep = ({ steps, nextId, start }: Offer, day: number) =>
  steps.activities.takeDelinquencyStep({ orgId: steps.orgId, entityId: nextId, today: addDays(start, day) });

async function pay({ steps, nextId }: Offer, amountCents: number) {
  const [first] = await read(steps, (em) => invoicesOfPolicy(em, nextId));
  const receipt = {
    invoiceId: first!.id,
    amountCents,
    method: 'check',
    reference: '4711',
    receivedDate: null,
  } as const;
  const { paymentId } = await steps.activities.recordPayment(steps.command(newId('payment'), receipt));
  return { orgId: steps.orgId, entityId: paymentId };
}

const INSTALLMENT_CENTS = 39_900 + 19_500 + 20_464;

test('a next term whose first invoice is unpaid 10 days after its due date is cancelled flat, and the prior one has expired', async (t) => {
  const offer = await offered(t);
  const { steps, id, nextId, start } = offer;
  await pay(offer, 5_000);
  t.like(await policyOf(steps, id), { status: 'renewed', renewalPolicyId: nextId });
  steps.passDays(1);
  t.like(await takeStep(offer, 1), { status: 'active', notice: { kind: 'past_due' } });
  steps.passDays(9);
  t.like(await takeStep(offer, 10), { status: 'active', delinquency: { on: addDays(start, 11) } });
  steps.passDays(1);
  const ended = await takeStep(offer, 11);
  t.like(ended, { status: 'cancelled', delinquency: null, notice: { kind: 'not_taken', on: addDays(start, 11) } });
  const cancellation = { effectiveDate: start, reason: 'flat_not_taken', method: 'flat', source: 'insured' } as const;
  t.like(await policyOf(steps, nextId), { grossPremiumCents: 0, totalDueCents: 0, fees: [], cancellation });
  t.like(await policyOf(steps, id), { status: 'expired', renewalPolicyId: null });
  await read(steps, async (em) => {
    t.true((await invoicesOfPolicy(em, nextId)).slice(1).every(({ voidedAt }) => voidedAt !== null));
    const [refund, ...more] = await em.find(Payment, { policyId: nextId, kind: 'refund' });
    t.deepEqual(more, []);
    t.like(refund, { amountCents: -5_000, status: 'pending', id: ended.refundIds[0] });
    t.is((await em.findOneOrFail(DaUsage, { year: yearOf(start) })).usedCents, 0);
    const [event] = await em.find(Event, { type: 'policy.cancelled' });
    t.like(event?.data, { policyId: nextId, premiumChange: -3990, cancellation });
  });
  const again = await takeStep(offer, 11);
  t.deepEqual([again.refundIds, again.notice], [ended.refundIds, ended.notice]);

  // Within the 30 days, the policy can be renewed again, or the insured can still take the offer.
  await steps.activities.reinstatePolicy(steps.command(nextId, { effectiveDate: null, reason: 'Paid after all' }));
  t.like(await policyOf(steps, nextId), { status: 'active', grossPremiumCents: 399_000 });
  t.like(await policyOf(steps, id), { status: 'renewed', renewalPolicyId: nextId });
});

test('an offer that is paid in time stands, and falls behind later like every policy', async (t) => {
  const offer = await offered(t);
  const { steps, nextId } = offer;
  steps.passDays(11);
  const paid = await pay(offer, INSTALLMENT_CENTS);
  await steps.activities.postFiduciarySplit(paid);
  t.like(await takeStep(offer, 11), { status: 'active', notice: null });
  // When a chargeback makes it owed again, notice goes out, but the term is not undone.
  const [first] = await read(steps, (em) => invoicesOfPolicy(em, nextId));
  const setPaid = (paidCents: number) =>
    steps.database.transaction(steps.orgId, (em) => em.nativeUpdate(Invoice, { id: first!.id }, { paidCents }));
  await setPaid(0);
  t.like(await takeStep(offer, 11), { notice: { kind: 'past_due' }, delinquency: { what: 'notice of cancellation' } });
  await setPaid(INSTALLMENT_CENTS);
  // Before the second installment is 11 days past due.
  steps.passDays(31);
  for (const kind of ['past_due', 'notice'] as const) t.is((await takeStep(offer, 42)).notice?.kind, kind);
  t.is((await policyOf(steps, nextId)).status, 'pending_cancellation');
});

test('the end of an offer that is carried out weeks late takes the term whole, unless it was paid by then', async (t) => {
  for (const isPaid of [false, true]) {
    const offer = await offered(t);
    const { steps, id, nextId, start } = offer;
    // The second installment, due after a month, is past due by then too.
    steps.passDays(40);
    if (isPaid) await steps.activities.postFiduciarySplit(await pay(offer, INSTALLMENT_CENTS));
    t.like(await takeStep(offer, 40), { status: 'active', notice: { kind: 'past_due' } });
    if (isPaid) {
      // Only the second one is owed, and its own grace period has not ended.
      t.like(await takeStep(offer, 40), { status: 'active', delinquency: { what: 'notice of cancellation' } });
      t.like(await policyOf(steps, id), { status: 'renewed', renewalPolicyId: nextId });
    } else {
      t.like(await takeStep(offer, 40), { status: 'cancelled', notice: { kind: 'not_taken' } });
      t.like(await policyOf(steps, nextId), { grossPremiumCents: 0, cancellation: { effectiveDate: start } });
      t.like(await policyOf(steps, id), { status: 'expired', renewalPolicyId: null });
    }
  }
});

const billByQuarters = async ({ steps, nextId }: Offer) => {
  const payload = { installmentPlan: 'QUARTERLY_4', reason: null } as const;
  await steps.activities.changePaymentPlan(steps.command(nextId, payload));
};

test('an offer billed on another payment plan remains an offer until its first bill is paid', async (t) => {
  const offer = await offered(t, { before: billByQuarters });
  offer.steps.passDays(11);
  t.like(await takeStep(offer, 11), { status: 'active', notice: { kind: 'past_due' } });
  t.like(await takeStep(offer, 11), { status: 'cancelled', notice: { kind: 'not_taken' } });
  t.like(await policyOf(offer.steps, offer.id), { status: 'expired', renewalPolicyId: null });
});

test('a next term whose first invoice was paid before another plan billed the rest is no offer any more', async (t) => {
  const payFirst = async (offer: Offer) => {
    await offer.steps.activities.postFiduciarySplit(await pay(offer, INSTALLMENT_CENTS));
    await billByQuarters(offer);
  };
  const offer = await offered(t, { before: payFirst });
  offer.steps.passDays(11);
  t.like(await takeStep(offer, 11), { status: 'active', notice: { kind: 'past_due' } });
  t.like(await takeStep(offer, 11), { status: 'pending_cancellation' });
});

test('a payment that races the end of an offer comes before it or after it', async (t) => {
  const offer = await offered(t);
  offer.steps.passDays(11);
  await takeStep(offer, 11);
  const [paid, ended] = await Promise.allSettled([pay(offer, INSTALLMENT_CENTS), takeStep(offer, 11)]);
  t.is(ended.status, 'fulfilled');
  const { status } = await policyOf(offer.steps, offer.nextId);
  t.is(status, paid.status === 'fulfilled' ? 'active' : 'cancelled');
});

test('an unpaid next term gets its notice without the flag, or once it is off; under a hold it waits', async (t) => {
  const offer = await offered(t);
  const { steps, nextId, start } = offer;
  const hold = { state: 'TX', from: addDays(start, 9), to: addDays(start, 13) };
  await steps.activities.placeBillingHold(steps.command(newId('billingHold'), hold));
  steps.passDays(11);
  await takeStep(offer, 11);
  t.like(await takeStep(offer, 11), { status: 'active', delinquency: { on: addDays(start, 16) } });
  await setFlag(steps, false);
  steps.passDays(5);
  await takeStep(offer, 16);
  const stack = await read(steps, (em) => policyTransactions(em, nextId));
  t.like(stack.at(-1), { type: 'cancellation', changes: { reason: 'non_payment', lapse: true } });
  t.is((await policyOf(steps, nextId)).status, 'pending_cancellation');
  await setFlag(steps, true);
  // A notice that has gone out keeps the date that it states.
  t.like(await takeStep(offer, 16), { status: 'pending_cancellation', delinquency: { on: addDays(start, 26) } });
});

test('a next term that is cancelled flat by hand leaves the term before it expired, and free to be renewed again', async (t) => {
  const offer = await offered(t, { isFlagOn: false });
  const { steps, id, nextId, start } = offer;
  t.like(await policyOf(steps, id), { status: 'renewed', renewalPolicyId: nextId });
  const flat = { effectiveDate: start, reason: 'flat_not_taken', source: null, method: null } as const;
  await steps.activities.cancelPolicy(steps.command(nextId, flat));
  t.like(await policyOf(steps, id), { status: 'expired', renewalPolicyId: null });
  t.is(await read(steps, (em) => em.count(Event, { type: 'policy.expired' })), 1);
  const { renewal } = await renew(steps, id);
  t.like(await policyOf(steps, id), { status: 'renewed', renewalPolicyId: renewal.policyId });
});

test('a next term that is cancelled flat before it begins leaves the term before it in force, without one', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps, { daysLeft: 60 });
  const { renewal } = await renew(steps, id);
  const flat = { effectiveDate: renewal.effectiveDate, reason: 'flat_not_taken', source: null, method: null } as const;
  await steps.activities.cancelPolicy(steps.command(renewal.policyId, flat));
  t.like(await policyOf(steps, id), { status: 'active', renewalPolicyId: null });
});
