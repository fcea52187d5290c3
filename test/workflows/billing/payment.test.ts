import test from 'ava';
import { receiptPath } from '../../../activities/billing/payments/receipts.ts';
import type { PayPayload } from '../../../contracts/billing.ts';
import { paymentWorkflowId } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { policyTransactions } from '../../../db/queries/policy/policies.ts';
import { addDays } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { bill, books, insure, payment, SAMPLE_TOTAL_CENTS } from './billed.ts';

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

/** Records a payment, waits until its saga has ended, and returns its id. */
async function pay(tenant: Tenant, payload: PayPayload): Promise<string> {
  const paymentId = newId('payment');
  await tenant.lifecycle.recordPayment(tenant.command(paymentId, payload));
  await saga(tenant, paymentId).result();
  return paymentId;
}

const saga = (tenant: Tenant, paymentId: string) =>
  engine.temporal.client.workflow.getHandle(paymentWorkflowId(tenant.orgId, paymentId));

const code = (error: unknown) => (error instanceof DomainError ? error.code : String(error));

async function history(tenant: Tenant, paymentId: string) {
  const { events } = await saga(tenant, paymentId).fetchHistory();
  return events ?? [];
}

test('a full payment is shared out as the worked example says, and both ledgers balance', async (t) => {
  const tenant = await engine.organization();
  const invoiceId = await bill(await insure(tenant));
  const paymentId = await pay(tenant, payment(invoiceId, { reference: '1042' }));

  const { balances, payments, commissions, entries, invoice } = await books(tenant, invoiceId);
  // Domain facts 4.2: 10,000.00 is 7,750 + 1,250 + 1,000; on the cash basis of Contract 3.4. A liability is a credit.
  t.deepEqual(balances, {
    1010: 1_075_123,
    1120: 125_000,
    2010: -775_000,
    2020: -125_000,
    2030: -100_000,
    2040: -49_713,
    2050: -410,
    2070: 0,
    2090: -25_000,
    4010: -100_000,
    4020: -25_000,
  });
  t.deepEqual(entries, ['receipt', 'earnings', 'split']);
  t.is(invoice.paidCents, SAMPLE_TOTAL_CENTS);
  t.like(payments[0], { id: paymentId, kind: 'manual', method: 'check', reference: '1042', completesInvoice: true });
  t.is(payments.length, 1);
  t.like(commissions[0], {
    type: 'earned',
    producerId: invoice.producerId,
    grossPremiumCents: 1_000_000,
    agentCommissionCents: 125_000,
    mgaCommissionCents: 100_000,
    carrierNetCents: 775_000,
    tier: 1,
    rates: { agentRate: '0.125', mgaRate: '0.10' },
  });
  t.is(commissions.length, 1);
});

test('a bind fixes the producer and the rates on its transaction', async (t) => {
  const tenant = await engine.organization();
  for (const withProducer of [true, false]) {
    const { invoice } = await insure(tenant, { withProducer });
    const [bound] = await tenant.database.forOrg(tenant.orgId, (em) => policyTransactions(em, invoice.policyId));
    t.is(bound?.producerId, invoice.producerId);
    t.deepEqual(bound?.commission, { tier: 1, agentRate: '0.125', mgaRate: '0.10' });
  }
});

test('a full payment raises one event for the receipt and one for the paid invoice', async (t) => {
  const tenant = await engine.organization();
  const invoiceId = await bill(await insure(tenant));
  await pay(tenant, payment(invoiceId, { reference: '1042' }));

  const { events, invoice } = await books(tenant, invoiceId);
  const { policyId, invoiceNumber } = invoice;
  const data = { invoiceId, invoiceNumber, policyId, amount: 10_751.23, reference: '1042', status: 'paid' };
  t.deepEqual(
    events.map((event) => [event.type, event.data]),
    [
      ['payment.received', data],
      ['invoice.paid', data],
    ],
  );
});

test('the receipt names payer, invoice, lines, payment and balance, and what they say is not read as HTML', async (t) => {
  const tenant = await engine.organization();
  const insurance = await insure(tenant);
  const invoiceId = await bill(insurance, { insuredName: 'Salt & <b>Pepper</b> "Grill"' });
  await pay(tenant, payment(invoiceId, { amountCents: 100_000, reference: '<script>alert(1)</script>' }));

  const { payments, invoice } = await books(tenant, invoiceId);
  const [paid] = payments;
  if (!paid) return t.fail();
  const path = receiptPath(tenant.orgId, invoice.invoiceNumber, paid.createdAt);
  t.regex(path, new RegExp(`^docs/${tenant.orgId}/receipts/RCPT-${invoice.invoiceNumber}-\\d{8}T\\d{9}Z\\.html$`));
  const page = new TextDecoder().decode((await engine.providers.storage.get(path)) ?? new Uint8Array());
  t.true(page.startsWith('<!doctype html>'));
  for (const text of [
    'Salt &amp; &lt;b&gt;Pepper&lt;/b&gt; &#34;Grill&#34;',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    invoice.invoiceNumber,
    'Surplus lines tax',
    '$497.13',
    '$10,751.23',
    '$1,000.00',
    '$9,751.23',
    'Test',
  ]) {
    t.true(page.includes(text), text);
  }
  t.false(/<script|<b>/.test(page));
});

test('the share of an agent stays with the carrier without a producer, and there is no commission record', async (t) => {
  const tenant = await engine.organization();
  const invoiceId = await bill(await insure(tenant, { withProducer: false }));
  await pay(tenant, payment(invoiceId));

  const { balances, commissions } = await books(tenant, invoiceId);
  t.deepEqual(commissions, []);
  t.false(2020 in balances);
  // 7,750.00 + 1,250.00.
  t.is(balances[2010], -900_000);
  t.is(balances[2030], -100_000);
});

test('a partial payment stays unapplied until the rest comes; only its receipt and its event follow', async (t) => {
  const tenant = await engine.organization();
  const invoiceId = await bill(await insure(tenant));
  const first = await pay(tenant, payment(invoiceId, { amountCents: 75_123, method: 'cash', reference: 'till 7' }));

  const part = await books(tenant, invoiceId);
  t.deepEqual(part.balances, { 1010: 75_123, 2070: -75_123 });
  t.deepEqual(part.commissions, []);
  t.deepEqual(
    part.events.map(({ type, data }) => [type, data.amount, data.status]),
    [['payment.received', 751.23, 'partially_paid']],
  );
  const scheduled = (await history(tenant, first)).filter((event) => event.activityTaskScheduledEventAttributes);
  t.deepEqual(
    scheduled.map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name),
    ['storeReceipt', 'publishPaymentEvents'],
  );

  await pay(tenant, payment(invoiceId, { amountCents: 1_000_000 }));
  const whole = await books(tenant, invoiceId);
  t.is(whole.balances[2070], 0);
  t.is(whole.balances[2010], -775_000);
  t.deepEqual(whole.entries, ['receipt', 'receipt', 'earnings', 'split']);
  t.deepEqual(
    whole.events.map(({ type, data }) => [type, data.amount]),
    [
      ['payment.received', 751.23],
      ['payment.received', 10_000],
      ['invoice.paid', 10_751.23],
    ],
  );
});

test('one of eight racing full payments is recorded, and the seven others are more than the balance', async (t) => {
  const tenant = await engine.organization();
  const invoiceId = await bill(await insure(tenant));
  const attempts = Array.from({ length: 8 }, () => pay(tenant, payment(invoiceId)));
  const outcomes = await Promise.allSettled(attempts);
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as DomainError] : [],
  );
  t.deepEqual(refusals.map(code), Array(7).fill('amount_exceeds_balance'));
  t.true(refusals.every(({ details }) => details.balance === 0));

  const { balances, payments, entries } = await books(tenant, invoiceId);
  t.is(payments.length, 1);
  t.is(balances[1010], SAMPLE_TOTAL_CENTS);
  t.deepEqual(entries, ['receipt', 'earnings', 'split']);
});

test('a payment that cannot be recorded says why, and its saga ends without a step', async (t) => {
  const tenant = await engine.organization();
  const insurance = await insure(tenant);
  const [invoiceId, voided] = [await bill(insurance), await bill(insurance, { voidedAt: new Date() })];
  await pay(tenant, payment(invoiceId, { amountCents: 1, reference: 'A-1' }));
  const refused = async (payload: PayPayload) => {
    const paymentId = newId('payment');
    const { code, details } = (await t.throwsAsync(tenant.lifecycle.recordPayment(tenant.command(paymentId, payload)), {
      instanceOf: DomainError,
    })) as DomainError;
    await saga(tenant, paymentId).result();
    const { typedSearchAttributes } = await saga(tenant, paymentId).describe();
    const status = typedSearchAttributes.getAll().find(({ key }) => key.name === 'EntityStatus')?.value;
    t.is(status, 'refused');
    const names = (await history(tenant, paymentId)).map(
      ({ markerRecordedEventAttributes: marker }) => marker?.markerName,
    );
    t.is(names.filter((name) => name === 'core_local_activity').length, 1);
    return { code, details };
  };

  t.is((await refused(payment(invoiceId, { amountCents: 1, reference: 'A-1' }))).code, 'already_exists');
  t.like(await refused(payment(invoiceId)), { code: 'amount_exceeds_balance' });
  t.like((await refused(payment(invoiceId))).details, { balance: 10_751.22 });
  const closed = await refused(payment(voided));
  t.is(closed.code, 'invalid_state_transition');
  t.like(closed.details, { resource: 'invoice', from: 'void', action: 'pay' });
  const early = await refused(payment(invoiceId, { receivedDate: addDays(tenant.today, 1) }));
  t.is(early.code, 'validation_failed');
  t.like(early.details, { field: 'receivedDate', rule: 'max' });
  t.is((await refused(payment(newId('invoice')))).code, 'not_found');
  t.is((await books(tenant, invoiceId)).payments.length, 1);
});

test('a repeated command returns the same response, and nothing happens twice', async (t) => {
  const tenant = await engine.organization();
  const invoiceId = await bill(await insure(tenant));
  const command = tenant.command(newId('payment'), payment(invoiceId));
  const first = await tenant.lifecycle.recordPayment(command);
  await saga(tenant, command.entityId).result();
  t.deepEqual(await tenant.lifecycle.recordPayment(command), first);
  await saga(tenant, command.entityId).result();

  const { payments, entries, commissions, events } = await books(tenant, invoiceId);
  t.is(payments.length, 1);
  t.deepEqual(entries, ['receipt', 'earnings', 'split']);
  t.is(commissions.length, 1);
  t.is(events.length, 2);
});
