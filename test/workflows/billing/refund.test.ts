import test from 'ava';
import { SEARCH_ATTRIBUTES } from '../../../contracts/machinery/search-attributes.ts';
import { refundWorkflowId } from '../../../contracts/machinery/start.ts';
import type { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import { newId } from '../../../db/ids.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { invoiceBalance, invoiceStatus } from '../../../domain/billing/invoice.ts';
import { DomainError } from '../../../domain/errors.ts';
import { decide, listWaiting, NotWaiting } from '../../../scripts/ops/waiting.ts';
import { eventually } from '../../support/eventually.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { bill, books, insure, SAMPLE_TOTAL_CENTS } from './billed.ts';
import {
  allReturned,
  chargeRefunded,
  deliver,
  dispute,
  issueChecks,
  payByCard,
  payByCheck,
  refund,
  refunded,
  refundSaga,
} from './returned.ts';

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

/** An organization of its own with the sample billed: TX, 10,751.23. Domain facts 4.2. */
async function billed(): Promise<{ tenant: Tenant; invoiceId: string }> {
  const tenant = await engine.organization();
  return { tenant, invoiceId: await bill(await insure(tenant)) };
}

async function invoiceState(tenant: Tenant, invoiceId: string) {
  const { invoice, payments } = await books(tenant, invoiceId);
  const amounts = invoiceAmounts(invoice);
  return {
    status: invoiceStatus(amounts, tenant.today),
    balanceCents: invoiceBalance(amounts),
    paidCents: invoice.paidCents,
    refundedCents: invoice.refundedCents,
    returns: payments.filter(({ amountCents }) => amountCents < 0).map(({ amountCents }) => amountCents),
  };
}

/** Nonzero balances; a liability is a credit. */
async function balances(tenant: Tenant, invoiceId: string) {
  const all = Object.entries((await books(tenant, invoiceId)).balances);
  return Object.fromEntries(all.filter(([, cents]) => cents !== 0));
}

const code = (error: unknown) => (error instanceof DomainError ? error.code : String(error));

test('half of the worked example goes back from each party in proportion, and the commission with it', async (t) => {
  const { tenant, invoiceId } = await billed();
  await payByCheck(engine, tenant, invoiceId);
  // 5,375.61 of 10,751.23 is half, less half a cent: 775,000 × 537,561 ÷ 1,075,123 = 387,499.64.
  const { refundId } = await refunded(engine, tenant, invoiceId, 537_561);
  t.like(await balances(tenant, invoiceId), { 1010: SAMPLE_TOTAL_CENTS, 2060: -537_561 }, 'owed until it is issued');
  await issueChecks(tenant, invoiceId);
  t.deepEqual(await balances(tenant, invoiceId), {
    1010: 537_562,
    1120: 62_500,
    2010: -387_500,
    2020: -62_500,
    2030: -50_000,
    2040: -24_857,
    2050: -205,
    2090: -12_500,
    4010: -50_000,
    4020: -12_500,
  });
  const { commissions, payments } = await books(tenant, invoiceId);
  const reversal = commissions.find(({ type }) => type === 'reversal');
  t.like(reversal, {
    reversesId: commissions.find(({ type }) => type === 'earned')?.id,
    sourceType: 'refund',
    sourceId: refundId,
    grossPremiumCents: -500_000,
    agentCommissionCents: -62_500,
    mgaCommissionCents: -50_000,
    carrierNetCents: -387_500,
  });
  t.like(
    payments.find(({ id }) => id === refundId),
    { kind: 'refund', method: 'check', status: 'succeeded', reference: refundId, requiresManualReview: true },
  );
  t.deepEqual(await invoiceState(tenant, invoiceId), {
    status: 'partially_refunded',
    balanceCents: 0,
    paidCents: SAMPLE_TOTAL_CENTS,
    refundedCents: 537_561,
    returns: [-537_561],
  });
});

test('refunds in parts return exactly its share to each party', async (t) => {
  const { tenant, invoiceId } = await billed();
  await payByCheck(engine, tenant, invoiceId);
  for (const cents of [1, 333_333, 2, 1, 99_999, null]) await refunded(engine, tenant, invoiceId, cents);
  await issueChecks(tenant, invoiceId);
  t.deepEqual(await balances(tenant, invoiceId), {});
  const { commissions } = await books(tenant, invoiceId);
  for (const part of ['grossPremiumCents', 'agentCommissionCents', 'mgaCommissionCents', 'carrierNetCents'] as const) {
    t.is(
      commissions.reduce((sum, record: CommissionRecord) => sum + record[part], 0),
      0,
      part,
    );
  }
  t.is((await invoiceState(tenant, invoiceId)).status, 'refunded');
  const again = await t.throwsAsync(refund(tenant, invoiceId));
  t.like(again, { code: 'refund_exceeds_paid', details: { refundable: 0 } });
});

test('one of eight racing refunds of the whole is given and seven are refused', async (t) => {
  const { tenant, invoiceId } = await billed();
  await payByCheck(engine, tenant, invoiceId);
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => refund(tenant, invoiceId)));
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [code(result.reason)] : []));
  t.deepEqual(
    refusals,
    Array.from({ length: 7 }, () => 'refund_exceeds_paid'),
  );
  await allReturned(engine, tenant, invoiceId);
  await issueChecks(tenant, invoiceId);
  t.deepEqual(await balances(tenant, invoiceId), {});
});

test('racing refunds of a third of a card payment are given three times, and each party ends with nothing', async (t) => {
  const { tenant, invoiceId } = await billed();
  await payByCard(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS);
  const third = 358_374;
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => refund(tenant, invoiceId, third)));
  t.is(results.filter(({ status }) => status === 'fulfilled').length, 3);
  await refunded(engine, tenant, invoiceId);
  await allReturned(engine, tenant, invoiceId);
  t.deepEqual(await balances(tenant, invoiceId), {});
  t.is((await invoiceState(tenant, invoiceId)).refundedCents, SAMPLE_TOTAL_CENTS);
});

test('a refund of 1,000.00 is not to be reviewed, one of 1,000.01 is', async (t) => {
  const { tenant, invoiceId } = await billed();
  await payByCheck(engine, tenant, invoiceId);
  t.false((await refunded(engine, tenant, invoiceId, 100_000)).requiresManualReview);
  t.true((await refunded(engine, tenant, invoiceId, 100_001)).requiresManualReview);
});

test('a refund sent twice under one key is one refund with one response', async (t) => {
  const { tenant, invoiceId } = await billed();
  await payByCard(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS);
  const command = tenant.command(newId('refund'), { invoiceId, amountCents: 5_000, reason: 'Twice' });
  const first = await tenant.lifecycle.refundInvoice(command);
  await refundSaga(engine, tenant, command.entityId).result();
  t.deepEqual(await tenant.lifecycle.refundInvoice(command), first);
  await refundSaga(engine, tenant, command.entityId).result();
  t.deepEqual((await invoiceState(tenant, invoiceId)).returns, [-5_000]);
});

test('a refund of a card payment carries the id of the processor, and its event is the same refund, however often and late it comes', async (t) => {
  const { tenant, invoiceId } = await billed();
  const { intentId, paymentId } = await payByCard(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS);
  const { refundId } = await refunded(engine, tenant, invoiceId, 40_000);
  const events = [chargeRefunded(intentId, 40_000), chargeRefunded(intentId, 40_000)];
  for (const event of events) t.like(await deliver(engine, event), { outcome: 'known', paymentId: refundId });
  const { payments } = await books(tenant, invoiceId);
  const row = payments.find(({ id }) => id === refundId);
  t.is(row?.reference, (await engine.providers.card.findRefund(intentId, { refundId, paymentId }))?.id);
  t.deepEqual((await invoiceState(tenant, invoiceId)).returns, [-40_000]);
});

test('refunds at the processor are recorded once each by its running total, out of order and repeated', async (t) => {
  const { tenant, invoiceId } = await billed();
  const { intentId } = await payByCard(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS);
  const [first, second, third] = [10_000, 25_000, 60_000].map((cents) => chargeRefunded(intentId, cents));
  for (const event of [second, first, third, first, second, third]) await deliver(engine, event!);
  await allReturned(engine, tenant, invoiceId);
  const state = await invoiceState(tenant, invoiceId);
  t.deepEqual(state.returns, [-25_000, -35_000]);
  t.is(state.refundedCents, 60_000);
  t.is((await balances(tenant, invoiceId))[1110], SAMPLE_TOTAL_CENTS - 60_000);
});

test.serial(
  'a refund is taken from the card before the check, and gives the reservation back when the processor declines',
  async (t) => {
    const { tenant, invoiceId } = await billed();
    await payByCheck(engine, tenant, invoiceId, 75_123);
    await payByCard(engine, tenant, invoiceId, 1_000_000);
    engine.providers.processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'decline', times: 1 });
    const declined = await t.throwsAsync(refund(tenant, invoiceId));
    t.like(declined, { code: 'payment_declined', details: { code: 'card_declined' } });
    t.is((await invoiceState(tenant, invoiceId)).refundedCents, 0);
    const { events, payments } = await books(tenant, invoiceId);
    t.like(payments.at(-1), { kind: 'refund', status: 'failed' });
    t.like(events.at(-1), { type: 'financial.operation_failed', data: { operation: 'refund' } });

    const { refundId } = await refunded(engine, tenant, invoiceId);
    const row = (await books(tenant, invoiceId)).payments.find(({ id }) => id === refundId);
    t.deepEqual(
      row?.allocations.map(({ method, amountCents }) => [method, amountCents]),
      [
        ['card', 1_000_000],
        ['check', 75_123],
      ],
    );
    t.deepEqual(await balances(tenant, invoiceId), { 1010: 75_123, 2060: -75_123 });
    await issueChecks(tenant, invoiceId);
    t.deepEqual(await balances(tenant, invoiceId), {});
  },
);

test.serial('a lost response of the processor is looked up: the money goes back once', async (t) => {
  const { tenant, invoiceId } = await billed();
  const { intentId, paymentId } = await payByCard(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS);
  engine.providers.processor.planFault({ method: 'POST', path: '/v1/refunds', effect: 'cut_after', times: 3 });
  const { refundId } = await refunded(engine, tenant, invoiceId, 12_345);
  const { payments } = await books(tenant, invoiceId);
  const found = await engine.providers.card.findRefund(intentId, { refundId, paymentId });
  t.is(payments.find(({ id }) => id === refundId)?.reference, found?.id);
  t.is(found?.amountCents, 12_345);
  const [notice] = engine.providers.processor.events().filter(({ type, data }) => {
    return type === 'charge.refunded' && (data.object as { payment_intent?: string }).payment_intent === intentId;
  });
  t.like(notice?.data.object, { amount_refunded: 12_345 });
});

test('a refund before full payment has to be paid once more, and after that goes back like any other', async (t) => {
  const { tenant, invoiceId } = await billed();
  await payByCheck(engine, tenant, invoiceId, 500_000);
  await refunded(engine, tenant, invoiceId, 200_000);
  await issueChecks(tenant, invoiceId);
  t.like(await invoiceState(tenant, invoiceId), {
    status: 'partially_paid',
    balanceCents: SAMPLE_TOTAL_CENTS - 300_000,
    paidCents: 500_000,
  });
  t.deepEqual(await balances(tenant, invoiceId), { 1010: 300_000, 2070: -300_000 });
  await payByCheck(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS - 300_000);
  t.like(await invoiceState(tenant, invoiceId), { status: 'paid', balanceCents: 0 });
  t.is((await balances(tenant, invoiceId))[2070], undefined);
  await refunded(engine, tenant, invoiceId);
  await issueChecks(tenant, invoiceId);
  t.deepEqual(await balances(tenant, invoiceId), {});
  t.like(await invoiceState(tenant, invoiceId), { status: 'refunded', balanceCents: 0 });
});

test('a chargeback goes back like a refund, and all of it is undone by reversals when it is won', async (t) => {
  const { tenant, invoiceId } = await billed();
  const { intentId } = await payByCard(engine, tenant, invoiceId, SAMPLE_TOTAL_CENTS);
  const before = await balances(tenant, invoiceId);
  const created = dispute('created', intentId, SAMPLE_TOTAL_CENTS, 'needs_response');
  t.is((await deliver(engine, created)).outcome, 'recorded');
  await allReturned(engine, tenant, invoiceId);
  t.deepEqual(await balances(tenant, invoiceId), {});
  t.like(await invoiceState(tenant, invoiceId), { status: 'refunded', returns: [-SAMPLE_TOTAL_CENTS] });
  const alerts = (await books(tenant, invoiceId)).events.filter(({ data }) => data.operation === 'chargeback');
  t.is(alerts.length, 1);

  const won = dispute('closed', intentId, SAMPLE_TOTAL_CENTS, 'won');
  t.is((await deliver(engine, won)).outcome, 'alerted');
  t.is((await deliver(engine, { ...won, eventId: `${won.eventId}2` })).outcome, 'known');
  t.deepEqual(await balances(tenant, invoiceId), before);
  t.like(await invoiceState(tenant, invoiceId), { status: 'paid', refundedCents: 0 });
  const { commissions } = await books(tenant, invoiceId);
  t.is(
    commissions.reduce((sum, { agentCommissionCents }) => sum + agentCommissionCents, 0),
    125_000,
  );
  await refunded(engine, tenant, invoiceId, 100);
  t.is((await invoiceState(tenant, invoiceId)).status, 'partially_refunded');
});

test('a refund that waits for approval is listed as such, and no operator decides on it', async (t) => {
  const { tenant, invoiceId } = await billed();
  await tenant.database.transaction(tenant.orgId, (em) => putFlagOverride(em, 'refund_approval', true));
  await payByCheck(engine, tenant, invoiceId);
  const { refundId } = await refund(tenant, invoiceId, 200_000);
  const { client } = engine.temporal;
  const workflowId = refundWorkflowId(tenant.orgId, refundId);
  const status = async () => {
    const { typedSearchAttributes } = await client.workflow.getHandle(workflowId).describe();
    return typedSearchAttributes.get(SEARCH_ATTRIBUTES.entityStatus) ?? null;
  };
  await eventually(async () => (await status()) === 'awaiting_approval', { what: 'the refund to wait' });
  t.deepEqual(await listWaiting(client, tenant.orgId), []);
  const skip = decide(client, workflowId, { kind: 'skip', operator: 'ops', reason: 'In a hurry.' });
  const { message } = await t.throwsAsync(skip, { instanceOf: NotWaiting });
  t.regex(message, /a person approves or rejects it/);
  const by = { actor: { kind: 'user', id: 'test-other', role: 'org_admin' } } as const;
  await tenant.lifecycle.decideRefund({ ...tenant.command(refundId, { decision: 'approve', reason: null }), ...by });
  await refundSaga(engine, tenant, refundId).result();
  t.is(await status(), null);
});

test('a lost chargeback stays, and one that is won before it was reported takes nothing', async (t) => {
  const { tenant, invoiceId } = await billed();
  const lost = await payByCard(engine, tenant, invoiceId, 500_000);
  const won = await payByCard(engine, tenant, invoiceId, 575_123);
  await deliver(engine, dispute('created', lost.intentId, 500_000, 'needs_response'));
  await deliver(engine, dispute('closed', lost.intentId, 500_000, 'lost'));
  await deliver(engine, dispute('closed', won.intentId, 575_123, 'won'));
  await deliver(engine, dispute('created', won.intentId, 575_123, 'needs_response'));
  await allReturned(engine, tenant, invoiceId);
  t.is((await invoiceState(tenant, invoiceId)).refundedCents, 500_000);
  t.is((await balances(tenant, invoiceId))[1110], 575_123);
});
