import test, { type ExecutionContext } from 'ava';
import { inboundWorkflowId, paymentWorkflowId, refundWorkflowId } from '../../../contracts/machinery/start.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { lockInvoice } from '../../../db/queries/billing/invoices.ts';
import { createOrganization } from '../../../db/queries/platform/new-organization.ts';
import {
  declined,
  deliveryTo,
  disputed,
  processorId,
  refunded,
  succeeded,
  type WireEvent,
} from '../../support/card-events.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

const ALIAS = '/v1/webhooks/card-processor';
const RECEIVED = { received: true };
const DEDUPLICATED = { received: true, deduplicated: true };

let platform: Platform;
let deliver: ReturnType<typeof deliveryTo>;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
  deliver = deliveryTo(platform.anonymous);
});

/** An invoice and its organization. */
interface Bill {
  house: House;
  orgId: string;
  invoiceId: string;
  policyId: string;
  totalCents: number;
}

/** A policy with one open invoice of 4,389.64. */
async function bill(): Promise<Bill> {
  const house = await newHouse(platform);
  const { invoices, policyId } = await bound(house.as('underwriter'));
  const [{ id: invoiceId, total }] = invoices;
  return { house, orgId: house.orgId, invoiceId, policyId, totalCents: Math.round(total * 100) };
}

/** The whole invoice, paid through a new intent that names it. */
function payment({ orgId, invoiceId, totalCents }: Bill) {
  return { intentId: processorId('pi'), amountCents: totalCents, orgId, invoiceId };
}

const invoiceOf = async ({ house, invoiceId }: Bill) =>
  bodyOf(await house.as('billing_admin').get(`/v1/invoices/${invoiceId}`));

const eventsOf = async (house: Pick<House, 'as'>, type: string) =>
  bodyOf(await house.as('org_admin').get('/v1/events', { query: { type } })).data;

const paymentsIn = (orgId: string) =>
  platform.database.forOrg(orgId, (em) => em.find(Payment, {}, { orderBy: { id: 'asc' } }));

const workflow = (id: string) => platform.temporal.client.workflow.getHandle(id);

const ATTEMPTS = 5;

/** Delivers an event that must be accepted; resends one that was not handled in time, as its sender does. */
async function taken(t: ExecutionContext, event: WireEvent, body: object = RECEIVED) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const answer = await deliver(event);
    if (answer.status === 503) continue;
    t.is(answer.status, 200, answer.text);
    if (attempt === 1) t.deepEqual(answer.body, body);
    return;
  }
  t.fail(`The event was not taken in ${ATTEMPTS} attempts`);
}

test('a signed payment is recorded once, pays its invoice, and its saga goes on by itself', async (t) => {
  const it = await bill();
  const facts = payment(it);
  const event = succeeded(facts);
  await taken(t, event);
  t.like(await invoiceOf(it), { status: 'paid', paidAmount: 4389.64, balance: 0 });
  const [row, ...others] = await paymentsIn(it.orgId);
  t.is(others.length, 0);
  t.like(row, { invoiceId: it.invoiceId, policyId: it.policyId, kind: 'card', method: 'card', status: 'succeeded' });
  t.like(row, { reference: facts.intentId, amountCents: 438_964, appliedCents: 438_964, completesInvoice: true });
  const taking = await workflow(inboundWorkflowId('card-processor', event.id)).describe();
  t.is(taking.status.name, 'COMPLETED');
  await workflow(paymentWorkflowId(it.orgId, row?.id ?? '')).result();
  t.is((await eventsOf(it.house, 'invoice.paid')).length, 1);
});

test('the neutral path takes the same events', async (t) => {
  const it = await bill();
  const event = succeeded(payment(it));
  const first = await deliver(event, { path: ALIAS });
  t.deepEqual([first.status, first.body], [200, RECEIVED]);
  await taken(t, event, DEDUPLICATED);
  t.is((await paymentsIn(it.orgId)).length, 1);
});

test('a repeated event returns without work, and another event of the same intent records nothing', async (t) => {
  const it = await bill();
  const facts = payment(it);
  const event = succeeded(facts);
  await taken(t, event);
  await taken(t, event, DEDUPLICATED);
  await taken(t, succeeded(facts));
  t.is((await paymentsIn(it.orgId)).length, 1);
  t.is((await invoiceOf(it)).paidAmount, 4389.64);
});

test('an event whose mark was lost is known by its workflow', async (t) => {
  const it = await bill();
  const event = succeeded(payment(it));
  await taken(t, event);
  await platform.database.forOrg(it.orgId, (em) => em.execute('delete from kv_entries where key = ?', [keyOf(event)]));
  await taken(t, event, DEDUPLICATED);
  t.is((await paymentsIn(it.orgId)).length, 1);
});

test('one of eight simultaneous copies is processed, and all get a response', async (t) => {
  const it = await bill();
  const event = succeeded(payment(it));
  const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(event)));
  t.true(answers.every(({ status }) => status === 200 || status === 503));
  t.is(answers.filter(({ status, body }) => status === 200 && body.deduplicated === undefined).length, 1);
  t.is((await paymentsIn(it.orgId)).length, 1);
});

test('a copy that comes while the first is at work waits for its outcome', async (t) => {
  const it = await bill();
  const event = succeeded(payment(it));
  const { first, second } = await platform.database.transaction(it.orgId, async (em) => {
    await lockInvoice(em, it.invoiceId);
    const begun = deliver(event);
    await eventually(() => isClaimed(event), { what: 'the first copy to be at work' });
    return { first: begun, second: deliver(event) };
  });
  t.deepEqual((await first).body, RECEIVED);
  t.deepEqual((await second).body, DEDUPLICATED);
});

const keyOf = ({ id }: WireEvent) => `wh:card-processor:${id}`;

async function isClaimed(event: WireEvent): Promise<boolean> {
  const rows = await platform.database.forOrg(platform.orgId, (em) =>
    em.execute<unknown[]>("select 1 from kv_entries where key = ? and value->>'holder' is not null", [keyOf(event)]),
  );
  return rows.length === 1;
}

test('an overpayment stays unapplied and raises one alert', async (t) => {
  const it = await bill();
  await taken(t, succeeded({ ...payment(it), amountCents: it.totalCents + 100 }));
  t.like(await invoiceOf(it), { status: 'paid', paidAmount: 4389.64 });
  t.like((await paymentsIn(it.orgId))[0], { amountCents: 439_064, appliedCents: 438_964 });
  const [alert, ...others] = await eventsOf(it.house, 'financial.operation_failed');
  t.like(alert.data, { severity: 'critical', requiresManualReview: true, amount: 1, invoiceId: it.invoiceId });
  t.is(others.length, 0);
});

test('two intents that pay the same invoice are both recorded, the second unapplied', async (t) => {
  const it = await bill();
  await taken(t, succeeded(payment(it)));
  await taken(t, succeeded(payment(it)));
  t.deepEqual((await paymentsIn(it.orgId)).map(({ appliedCents }) => appliedCents).sort(), [0, 438_964].sort());
  t.is((await invoiceOf(it)).paidAmount, 4389.64);
  t.is((await eventsOf(it.house, 'financial.operation_failed')).length, 1);
});

test('money for an invoice that was voided meanwhile is recorded and stays unapplied', async (t) => {
  const it = await bill();
  await platform.database.transaction(it.orgId, async (em) => {
    const invoice = await lockInvoice(em, it.invoiceId);
    if (invoice) invoice.voidedAt = new Date();
  });
  await taken(t, succeeded(payment(it)));
  t.like((await paymentsIn(it.orgId))[0], { invoiceId: it.invoiceId, amountCents: 438_964, appliedCents: 0 });
  t.like(await invoiceOf(it), { status: 'void', paidAmount: 0 });
  t.is((await eventsOf(it.house, 'financial.operation_failed')).length, 1);
});

test('money of an organization without an invoice is recorded and raises an alert', async (t) => {
  const [it, other] = [await bill(), await bill()];
  const foreign = { ...payment(it), invoiceId: other.invoiceId };
  await taken(t, succeeded(foreign));
  t.like((await paymentsIn(it.orgId))[0], { invoiceId: null, appliedCents: 0, reference: foreign.intentId });
  t.is((await paymentsIn(other.orgId)).length, 0);
  t.is((await invoiceOf(other)).paidAmount, 0);
  t.is((await eventsOf(it.house, 'financial.operation_failed')).length, 1);
});

test('money that matches nobody raises an alert for the demo organization', async (t) => {
  const orgId = newId('organization');
  await platform.database.transaction(orgId, (em) => createOrganization(em, { id: orgId, name: 'Demo', isDemo: true }));
  const intentId = processorId('pi');
  const stranger = newId('organization');
  await taken(t, succeeded({ intentId, amountCents: 5_000, orgId: stranger, invoiceId: 'inv_none' }));
  const asDemo: Pick<House, 'as'> = { as: (role) => platform.as({ role, org: orgId }) };
  const [alert] = await eventsOf(asDemo, 'financial.operation_failed');
  t.like(alert.data, {
    operation: 'card_event.unmatched',
    reference: intentId,
    amount: 50,
    requiresManualReview: true,
  });
  t.is((await paymentsIn(orgId)).length, 0);
});

test('money in another currency or mode raises an alert and pays nothing', async (t) => {
  const it = await bill();
  await taken(t, succeeded({ ...payment(it), currency: 'eur' }));
  await taken(t, succeeded({ ...payment(it), livemode: true }));
  t.like(await invoiceOf(it), { status: 'open', paidAmount: 0 });
  t.is((await paymentsIn(it.orgId)).length, 0);
  const alerts = await eventsOf(it.house, 'financial.operation_failed');
  t.deepEqual(alerts.map(({ data }: { data: { operation: string } }) => data.operation).sort(), [
    'card_event.currency',
    'card_event.mode',
  ]);
});

test('a failed payment raises one event and shows on the invoice until it is paid', async (t) => {
  const it = await bill();
  const facts = payment(it);
  const failure = declined(facts);
  await taken(t, failure);
  await taken(t, failure, DEDUPLICATED);
  const { lastPaymentError, status } = await invoiceOf(it);
  t.is(status, 'open');
  t.like(lastPaymentError, { code: 'insufficient_funds', message: 'Your card has insufficient funds.' });
  const [event, ...others] = await eventsOf(it.house, 'payment.failed');
  t.is(others.length, 0);
  t.like(event.data, { invoiceId: it.invoiceId, policyId: it.policyId, amount: 4389.64, reference: facts.intentId });
  t.like(event.data, { status: 'failed', severity: 'warning', code: 'insufficient_funds' });
  await taken(t, succeeded(facts));
  t.like(await invoiceOf(it), { status: 'paid', lastPaymentError: null });
});

test('a failure that arrives after the same payment has succeeded undoes nothing', async (t) => {
  const it = await bill();
  const facts = payment(it);
  await taken(t, succeeded(facts));
  await taken(t, declined(facts));
  t.like(await invoiceOf(it), { status: 'paid', lastPaymentError: null });
  t.is((await eventsOf(it.house, 'payment.failed')).length, 0);
});

test('an event of any other type is acknowledged and has no effect', async (t) => {
  const event = { ...succeeded({ intentId: processorId('pi'), amountCents: 100 }), type: 'customer.created' };
  await taken(t, event);
  await taken(t, event, DEDUPLICATED);
  await t.throwsAsync(workflow(inboundWorkflowId('card-processor', event.id)).describe(), {
    name: 'WorkflowNotFoundError',
  });
});

test('a refund is recorded once, and its saga goes on by itself', async (t) => {
  const it = await bill();
  const facts = payment(it);
  await taken(t, succeeded(facts));
  const event = refunded({ ...facts, amountCents: 150_000, chargeCents: it.totalCents });
  await taken(t, event);
  await taken(t, event, DEDUPLICATED);
  await taken(t, refunded({ ...facts, amountCents: 150_000, chargeCents: it.totalCents }));
  t.like(await invoiceOf(it), { status: 'partially_refunded', paidAmount: 4389.64, refundedAmount: 1500 });
  const [refund, ...others] = (await paymentsIn(it.orgId)).filter(({ kind }) => kind === 'refund');
  t.is(others.length, 0);
  t.like(refund, { amountCents: -150_000, requiresManualReview: true, status: 'succeeded' });
  await workflow(refundWorkflowId(it.orgId, refund?.id ?? '')).result();
});

test('a refund that overtakes its payment returns 500, and is recorded when it is sent again after it', async (t) => {
  const it = await bill();
  const facts = payment(it);
  const event = refunded({ ...facts, chargeCents: it.totalCents });
  const early = await deliver(event);
  t.is(early.status, 500, early.text);
  t.is(early.body.error, 'internal_error');
  await taken(t, succeeded(facts));
  await taken(t, event);
  t.like(await invoiceOf(it), { status: 'refunded', refundedAmount: 4389.64 });
});

test('a dispute is a chargeback of its payment, although it names nobody', async (t) => {
  const it = await bill();
  const facts = payment(it);
  await taken(t, succeeded(facts));
  await taken(t, disputed({ intentId: facts.intentId, amountCents: it.totalCents, status: 'needs_response' }));
  t.like((await paymentsIn(it.orgId)).at(-1), { kind: 'chargeback', amountCents: -438_964, status: 'succeeded' });
  t.like(await invoiceOf(it), { refundedAmount: 4389.64 });
});

test('the sender gets 503 in time without a worker, and the event is not marked', async (t) => {
  const idle = await startCheckedPlatform(t, { worker: false, variables: { WEBHOOK_DEADLINE_MS: '1000' } });
  const answer = await deliveryTo(idle.anonymous)(succeeded({ intentId: processorId('pi'), amountCents: 100 }));
  t.is(answer.status, 503, answer.text);
  t.true(Number(answer.headers.get('retry-after')) > 0);
  const marks = await idle.database.forOrg(idle.orgId, (em) => em.execute<unknown[]>('select 1 from kv_entries'));
  t.deepEqual(marks, []);
});
