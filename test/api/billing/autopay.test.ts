// Autopay: a stored card is charged on the due date of each bill, once, and never for a bill that is already settled.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Insured, insured } from '../policy/policy-calls.ts';

const TERMS = { termsVersion: '2026-11' };
const FAILS_LATER = 'pm_card_chargeCustomerFail';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface Payer extends Insured {
  portal: TestClient;
  billing: TestClient;
  /** The first bill. */
  bill: () => ReturnType<typeof bodyOf>;
  autopay: () => ReturnType<typeof bodyOf>;
  dueDate: string;
}

/** An insured whose first bill, of 4,389.64, is due in a few days. */
async function payer(plan = 'PAY_IN_FULL'): Promise<Payer> {
  const policy = await insured(platform, plan, { insuredEmail: `autopay-${Math.random()}@example.com` });
  const { house, policyId, invoices } = policy;
  const portal = platform.as({ role: 'policyholder', org: house.orgId, sub: policyId });
  const billing = house.as('billing_admin');
  const bill = async () => bodyOf(await billing.get(`/v1/invoices/${invoices[0]?.id}`));
  const { dueDate } = await bill();
  const autopay = async () => bodyOf(await portal.get('/v1/portal/autopay'));
  return { ...policy, portal, billing, bill, autopay, dueDate };
}

/** Enters a card in the portal; returns its id at the processor. */
async function giveCard(of: Payer, card?: string): Promise<string> {
  const setup = bodyOf(await of.portal.post('/v1/portal/autopay', TERMS), 201);
  const { processor, card: port } = platform.providers;
  processor.setUp(setup.setupIntentId, card);
  await eventually(async () => (await of.autopay()).status === 'active', { what: 'the card' });
  return (await port.readSetup(setup.setupIntentId))?.paymentMethodKey ?? '';
}

async function eventsOf({ house }: Payer, type: string) {
  return bodyOf(await house.as('org_admin').get('/v1/events', { query: { type } })).data;
}

/** How often the processor has collected money for a policy. */
function chargesOf({ policyId }: Payer): number {
  const taken = platform.providers.processor.events().filter(({ type }) => type === 'payment_intent.succeeded');
  return taken.filter(({ data }) => JSON.stringify(data).includes(policyId)).length;
}

const mailsTo = async (of: Payer, subject: string) => {
  const { insuredEmail } = await of.read();
  return platform.providers.mails.filter((mail) => mail.to === insuredEmail && mail.subject.startsWith(subject));
};

test('an insured enters a card in the portal, and sees its last digits and the terms that they agreed to', async (t) => {
  const of = await payer();
  t.like(await of.autopay(), { status: 'off', card: null, consent: null, terms: { version: '2026-11' } });
  const other = await of.portal.post('/v1/portal/autopay', { termsVersion: '2020-01' });
  t.is(other.status, 400);
  t.like(other.body.details, { field: 'termsVersion', rule: 'enum' });
  await giveCard(of, 'pm_card_mastercard');
  const shown = await of.autopay();
  t.deepEqual(shown.card, { brand: 'mastercard', last4: '4444', expMonth: 12, expYear: 2034 });
  t.like(shown.consent, { termsVersion: '2026-11', agreedBy: of.policyId });
  t.deepEqual(bodyOf(await of.billing.get(`${of.path}/autopay`)), shown);
  t.is((await eventsOf(of, 'autopay.enabled')).length, 1);
  platform.providers.processor.repeat();
  await platform.providers.processor.settled();
  t.is((await eventsOf(of, 'autopay.enabled')).length, 1);
});

test('a bill is announced three days before and charged once on its due date, like any card payment', async (t) => {
  const of = await payer();
  await giveCard(of);
  await of.advance(addDays(of.dueDate, -1));
  t.like(await of.bill(), { status: 'open' });
  const [mail] = await eventually(
    async () => {
      const mails = await mailsTo(of, 'Automatic payment scheduled');
      return mails.length > 0 && mails;
    },
    { what: 'the e-mail before the charge' },
  );
  t.regex(mail?.text ?? '', /\$4,389\.64 to your visa card ending in 4242/);
  await of.advance(addDays(of.dueDate, 5));
  const paid = await of.bill();
  t.like(paid, { status: 'paid', balance: 0, payments: { length: 1 } });
  t.like(paid.payments[0], { kind: 'card', method: 'card', amount: 4_389.64 });
  t.is(chargesOf(of), 1);
  await eventually(async () => (await eventsOf(of, 'invoice.paid')).length === 1, { what: 'the saga' });
  t.is((await mailsTo(of, 'Payment past due')).length, 0);
  t.is((await mailsTo(of, 'Automatic payment scheduled')).length, 1);
});

test('a card charge goes back to the same card, even after the insured has switched autopay off', async (t) => {
  const of = await payer();
  await giveCard(of);
  await of.advance(of.dueDate);
  const path = `/v1/invoices/${of.invoices[0]?.id}/refund`;
  bodyOf(await of.billing.post(path, { amount: 100, reason: 'Goodwill' }), 201);
  t.is((await of.portal.del('/v1/portal/autopay')).status, 204);
  bodyOf(await of.billing.post(path, { amount: 50, reason: 'Goodwill' }), 201);
  t.is((await of.bill()).refundedAmount, 150);
  const refunds = platform.providers.processor.events().filter(({ type }) => type === 'refund.created');
  t.is(refunds.filter(({ data }) => JSON.stringify(data).includes(of.house.orgId)).length, 2);
});

test('every installment is charged on its own due date', async (t) => {
  const of = await payer('QUARTERLY_4');
  await giveCard(of);
  await of.advance(addDays(of.effectiveDate, 100));
  t.is(chargesOf(of), 2);
});

test('a refused charge is retried 3 and 7 days after the first, then autopay is suspended and everybody is notified', async (t) => {
  const of = await payer();
  await giveCard(of, FAILS_LATER);
  await of.advance(of.dueDate);
  t.like(await of.bill(), { status: 'open', lastPaymentError: { code: 'generic_decline' } });
  t.is((await of.autopay()).status, 'active');
  await of.advance(addDays(of.dueDate, 2));
  t.is(tries(of), 1);
  await of.advance(addDays(of.dueDate, 3));
  t.is(tries(of), 2);
  await of.advance(addDays(of.dueDate, 7));
  t.is(tries(of), 3);
  t.like(await of.autopay(), { status: 'suspended', suspendedReason: 'card_declined' });
  const [event] = await eventsOf(of, 'autopay.suspended');
  t.like(event.data, { reason: 'card_declined', policyId: of.policyId, invoiceId: of.invoices[0]?.id });
  const failed = async () => (await mailsTo(of, 'Automatic payment failed')).length === 2;
  await eventually(failed, { what: 'two e-mails about a failure' });
  const stopped = async () => (await mailsTo(of, 'Automatic payments stopped')).length === 1;
  await eventually(stopped, { what: 'the e-mail about the end' });
  await of.advance(addDays(of.dueDate, 9));
  t.is(tries(of), 3);

  await giveCard(of);
  await of.advance(addDays(of.dueDate, 10));
  t.is((await of.bill()).status, 'paid');
  t.is(chargesOf(of), 1);
});

/** How often the bank has declined. */
function tries({ policyId }: Payer): number {
  const refused = platform.providers.processor.events().filter(({ type }) => type === 'payment_intent.payment_failed');
  return refused.filter(({ data }) => JSON.stringify(data).includes(policyId)).length;
}

test("a bank that requires its customer's confirmation suspends autopay at the first refusal", async (t) => {
  const of = await payer();
  await giveCard(of, 'pm_card_authenticationRequired');
  await of.advance(addDays(of.dueDate, 4));
  t.is(tries(of), 1);
  t.like(await of.autopay(), { status: 'suspended', suspendedReason: 'authentication_required' });
  const again = bodyOf(await of.portal.post(`/v1/portal/invoices/${of.invoices[0]?.id}/payment-intent`, {}), 201);
  platform.providers.processor.pay(again.paymentIntentId);
  await eventually(async () => (await of.bill()).status === 'paid', { what: 'the payment by hand' });
});

test('a lost response is looked up: the card is charged once', async (t) => {
  const of = await payer();
  await giveCard(of);
  const { processor } = platform.providers;
  processor.planFault({ method: 'POST', path: '/v1/payment_intents', effect: 'cut_after', times: 4 });
  await of.advance(of.dueDate);
  await eventually(async () => (await of.bill()).status === 'paid', { what: 'the payment' });
  processor.clearFaults();
  t.is(chargesOf(of), 1);
  t.is((await of.bill()).payments.length, 1);
});

test('a bill paid by check is not charged, nor is a card that was switched off', async (t) => {
  const paid = await payer();
  await giveCard(paid);
  const body = { amount: 4_389.64, method: 'check', reference: 'Check 1' };
  bodyOf(await paid.billing.post(`/v1/invoices/${paid.invoices[0]?.id}/pay`, body), 201);
  const off = await payer();
  const card = await giveCard(off);
  t.is((await off.portal.del('/v1/portal/autopay')).status, 204);
  t.is((await off.portal.del('/v1/portal/autopay')).status, 204);
  t.like(await off.autopay(), { status: 'off', card: null, consent: null });
  t.is((await eventsOf(off, 'autopay.disabled')).length, 1);
  for (const each of [paid, off]) await each.advance(addDays(each.dueDate, 1));
  t.is(chargesOf(paid), 0);
  t.is(chargesOf(off), 0);
  const detached = () => platform.providers.processor.events().filter(({ type }) => type === 'payment_method.detached');
  await eventually(() => JSON.stringify(detached()).includes(card), { what: 'the processor lets go of the card' });
});

test('a payment that a person has started is cancelled before the card is charged', async (t) => {
  const of = await payer();
  await giveCard(of);
  const begun = bodyOf(await of.portal.post(`/v1/portal/invoices/${of.invoices[0]?.id}/payment-intent`, {}), 201);
  await of.advance(of.dueDate);
  t.is((await of.bill()).status, 'paid');
  t.is(chargesOf(of), 1);
  t.is((await platform.providers.card.readIntent(begun.paymentIntentId)).status, 'canceled');
});

test('staff set up autopay and switch it off for the insured; readers may not', async (t) => {
  const of = await payer();
  const path = `${of.path}/autopay`;
  const setup = bodyOf(await of.billing.post(path, TERMS), 201);
  platform.providers.processor.setUp(setup.setupIntentId);
  await eventually(async () => (await of.autopay()).status === 'active', { what: 'the card' });
  t.is((await of.house.as('auditor').post(path, TERMS)).status, 403);
  t.is((await of.house.as('auditor').get(path)).status, 200);
  t.is((await of.billing.del(path)).status, 204);
  t.is((await of.autopay()).status, 'off');
});

test('a card entered after the setup was cancelled is not charged', async (t) => {
  const of = await payer();
  const setup = bodyOf(await of.portal.post('/v1/portal/autopay', TERMS), 201);
  t.is((await of.autopay()).status, 'pending');
  t.is((await of.portal.del('/v1/portal/autopay')).status, 204);
  platform.providers.processor.setUp(setup.setupIntentId);
  await platform.providers.processor.settled();
  await of.advance(of.dueDate);
  t.is((await of.autopay()).status, 'off');
  t.is(chargesOf(of), 0);
});
