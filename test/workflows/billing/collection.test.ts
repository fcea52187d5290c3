import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import test from 'ava';
import type { CollectPayload } from '../../../contracts/billing.ts';
import { collectionWorkflowId } from '../../../contracts/machinery/start.ts';
import { PaymentIntent } from '../../../db/entities/billing/payment-intent.ts';
import { findInvoice } from '../../../db/queries/billing/invoices.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { readableHistory } from '../readable-history.ts';
import { bill, insure, payment, SAMPLE_TOTAL_CENTS } from './billed.ts';

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

const BALANCE: CollectPayload = { amountCents: null, isRetry: false };
const RETRY: CollectPayload = { amountCents: null, isRetry: true };

const collect = (tenant: Tenant, invoiceId: string, payload = BALANCE) =>
  tenant.lifecycle.collect(tenant.command(invoiceId, payload));

const attempts = (tenant: Tenant, invoiceId: string) =>
  tenant.database.forOrg(tenant.orgId, (em) => intentsOf(em, invoiceId));

const refusal = (error: unknown) =>
  error instanceof DomainError ? { code: error.code, details: error.details } : { code: String(error), details: {} };

const code = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error) => refusal(error).code,
  );

/** An organization with an invoice for the sample. */
async function billed() {
  const tenant = await engine.organization();
  const insurance = await insure(tenant);
  return { tenant, insurance, invoiceId: await bill(insurance) };
}

/** What the processor's event triggers. */
const mark = (tenant: Tenant, intentId: string, status: PaymentIntent['status']) =>
  tenant.database.transaction(tenant.orgId, async (em) => {
    (await em.findOneOrFail(PaymentIntent, { processorId: intentId })).status = status;
  });

test('an attempt is for the balance, is known to the processor with its purpose, and is kept', async (t) => {
  const { tenant, invoiceId } = await billed();
  const { intentId, amountCents } = await collect(tenant, invoiceId);
  t.is(amountCents, SAMPLE_TOTAL_CENTS);
  t.like(await engine.providers.card.readIntent(intentId), { amountCents: SAMPLE_TOTAL_CENTS });
  const kept = await attempts(tenant, invoiceId);
  t.is(kept.length, 1);
  t.like(kept[0], { attempt: 1, processorId: intentId, status: 'open' });
});

test('a repeated or simultaneous call gets the open attempt', async (t) => {
  const { tenant, invoiceId } = await billed();
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => collect(tenant, invoiceId)));
  outcomes.push(await collect(tenant, invoiceId));
  t.is(new Set(outcomes.map(({ intentId }) => intentId)).size, 1);
  t.not((await collect(tenant, invoiceId, { amountCents: 5_000, isRetry: false })).intentId, outcomes[0]?.intentId);
  t.is((await attempts(tenant, invoiceId)).length, 2);
});

test('a client secret is in no history', async (t) => {
  const { tenant, invoiceId } = await billed();
  const { intentId } = await collect(tenant, invoiceId);
  const { clientSecret } = await engine.providers.card.readIntent(intentId);
  const handle = engine.temporal.client.workflow.getHandle(collectionWorkflowId(tenant.orgId, invoiceId));
  await handle.result();
  const payloads: string[] = [];
  const collectData = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'data' && typeof inner === 'string') payloads.push(Buffer.from(inner, 'base64').toString());
      else collectData(inner);
    }
  };
  collectData(await readableHistory(JSON.parse(historyToJSON(await handle.fetchHistory()))));
  t.true(payloads.some((text) => text.includes(intentId)));
  t.true(clientSecret.length > intentId.length);
  t.false(payloads.some((text) => text.includes(clientSecret) || text.includes('_secret_')));
});

test('a retry follows a failed attempt, and is a new one', async (t) => {
  const { tenant, invoiceId } = await billed();
  t.is(await code(collect(tenant, invoiceId, RETRY)), 'no_failed_payment');
  const first = await collect(tenant, invoiceId);
  t.is(await code(collect(tenant, invoiceId, RETRY)), 'no_failed_payment');
  await mark(tenant, first.intentId, 'failed');
  const second = await collect(tenant, invoiceId, RETRY);
  t.not(second.intentId, first.intentId);
  t.is(await code(collect(tenant, invoiceId, RETRY)), 'no_failed_payment');
});

test('nothing beyond the balance is collected', async (t) => {
  const tenant = await engine.organization();
  const insurance = await insure(tenant);
  const invoiceId = await bill(insurance);
  const above = await t.throwsAsync(
    collect(tenant, invoiceId, { amountCents: SAMPLE_TOTAL_CENTS + 1, isRetry: false }),
  );
  t.like(refusal(above), { code: 'amount_exceeds_balance', details: { balance: 10_751.23 } });
  const voided = await bill(insurance, { voidedAt: new Date() });
  t.is(await code(collect(tenant, voided)), 'invalid_state_transition');
  await tenant.lifecycle.recordPayment(tenant.command(`pay_${invoiceId.slice(4)}`, payment(invoiceId)));
  t.is(await code(collect(tenant, invoiceId)), 'amount_exceeds_balance');
  t.deepEqual(await attempts(tenant, invoiceId), []);
});

test.serial('a decline is reported, leaves its reason on the invoice, and may be tried again', async (t) => {
  const { tenant, invoiceId } = await billed();
  engine.providers.processor.planFault({ method: 'POST', path: '/v1/payment_intents', effect: 'decline', times: 1 });
  const declined = await t.throwsAsync(collect(tenant, invoiceId));
  t.like(refusal(declined), { code: 'payment_declined', details: { code: 'card_declined' } });
  const invoice = await tenant.database.forOrg(tenant.orgId, (em) => findInvoice(em, invoiceId));
  t.is(invoice?.lastPaymentError?.code, 'card_declined');
  const { intentId } = await collect(tenant, invoiceId, RETRY);
  t.deepEqual(
    (await attempts(tenant, invoiceId)).map(({ attempt, status }) => [attempt, status]),
    [
      [2, 'open'],
      [1, 'failed'],
    ],
  );
  t.is((await engine.providers.card.readIntent(intentId)).amountCents, SAMPLE_TOTAL_CENTS);
});

test.serial('a lost response is requested again under the same key: one intent', async (t) => {
  const { tenant, invoiceId, insurance } = await billed();
  engine.providers.processor.planFault({ method: 'POST', path: '/v1/payment_intents', effect: 'cut_after', times: 4 });
  const { intentId } = await collect(tenant, invoiceId);
  // The processor returns the same intent for this key, which names invoice, attempt and amount.
  const metadata = { orgId: tenant.orgId, invoiceId, policyId: insurance.invoice.policyId };
  const idempotencyKey = `pi:${invoiceId}:1:${SAMPLE_TOTAL_CENTS}`;
  const again = await engine.providers.card.createIntent({ idempotencyKey, amountCents: SAMPLE_TOTAL_CENTS, metadata });
  t.is(again.id, intentId);
  t.is((await attempts(tenant, invoiceId)).length, 1);
});
