import test from 'ava';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { InboundEvent } from '../../../db/entities/inbound/inbound-event.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { createOrganization } from '../../../db/queries/platform/new-organization.ts';
import type { CardEvent } from '../../../domain/billing/card-events.ts';
import { processorId } from '../../support/card-events.ts';
import { attempt, prepareSteps, type Steps } from '../steps.ts';

let steps: Steps;

test.before('the activities', async (t) => {
  steps = await prepareSteps(t);
});

/** An event about the organization's money that names no invoice. */
function received(changes: Partial<CardEvent> = {}): CardEvent {
  return {
    ...{ eventId: processorId('evt'), type: 'payment_intent.succeeded', livemode: false, createdAt: 1_795_000_000 },
    ...{ intentId: processorId('pi'), chargeId: null, disputeId: null, currency: 'usd', amountCents: 5_000 },
    ...{ status: 'succeeded', metadata: { orgId: steps.orgId, invoiceId: null, refundId: null }, failure: null },
    ...changes,
  };
}

const handle = (event: CardEvent) => attempt(1, () => steps.activities.handleCardEvent(event));
const paymentsOf = (intentId: string | null) =>
  steps.database.forOrg(steps.orgId, (em) => em.find(Payment, { reference: intentId ?? '' }));
const rowsOf = ({ eventId }: CardEvent, orgId = steps.orgId) =>
  steps.database.forOrg(orgId, (em) => em.find(InboundEvent, { id: eventId }));

test('a rerun after the commit returns the first result, so that the same saga starts', async (t) => {
  const event = received();
  const first = await handle(event);
  const second = await handle(event);
  t.is(first.outcome, 'unapplied');
  t.deepEqual(second, first);
  t.truthy(second.payment);
  t.is((await paymentsOf(event.intentId)).length, 1);
  t.like(await rowsOf(event), [{ outcome: 'unapplied', paymentId: first.paymentId, type: event.type }]);
});

test('two simultaneous runs record the payment once, and both return it', async (t) => {
  const event = received();
  const runs = await Promise.all([handle(event), handle(event)].map((run) => run.catch(() => handle(event))));
  t.is(new Set(runs.map(({ paymentId }) => paymentId)).size, 1);
  t.deepEqual(
    runs.map(({ outcome }) => outcome),
    ['unapplied', 'unapplied'],
  );
  t.is((await paymentsOf(event.intentId)).length, 1);
});

test('an event processed without an organization stays unassigned when its organization appears', async (t) => {
  const orgId = newId('organization');
  const event = received({ metadata: { orgId, invoiceId: null, refundId: null } });
  t.is((await handle(event)).outcome, 'unmatched');
  await steps.database.transaction(orgId, (em) => createOrganization(em, { id: orgId, name: 'Late' }));
  t.like(await handle(event), { outcome: 'known', payment: null });
  t.is((await steps.database.forOrg(orgId, (em) => em.find(Payment, {}))).length, 0);
});

test('a payment event without a currency is recorded, and one in a foreign currency is not', async (t) => {
  const [bare, foreign] = [received({ currency: null }), received({ currency: 'eur' })];
  t.is((await handle(bare)).outcome, 'unapplied');
  t.is((await handle(foreign)).outcome, 'alerted');
  const kept = [await paymentsOf(bare.intentId), await paymentsOf(foreign.intentId)];
  t.deepEqual(
    kept.map((payments) => payments.map(({ amountCents }) => amountCents)),
    [[5_000], []],
  );
});

test('an event of an unknown type fails, so that it is sent again', async (t) => {
  const event = received({ type: 'charge.captured' });
  await t.throwsAsync(handle(event));
  t.deepEqual(await rowsOf(event), []);
});

test('money returned from a payment with neither a record nor an invoice raises an alert', async (t) => {
  const reversals = [
    received({ type: 'charge.refunded' }),
    received({ type: 'charge.dispute.created', disputeId: processorId('dp') }),
    received({ type: 'refund.failed', processorRefundId: 're_unknown' }),
    received({
      type: 'charge.refunded',
      metadata: { orgId: steps.orgId, invoiceId: newId('invoice'), refundId: null },
    }),
  ];
  for (const event of reversals) {
    t.is((await handle(event)).outcome, 'unmatched', event.type);
    t.like(await rowsOf(event), [{ outcome: 'unmatched' }]);
    const alerts = await steps.database.forOrg(steps.orgId, (em) =>
      em.find(Event, { type: 'financial.operation_failed' }),
    );
    const about = alerts.filter(({ data }) => data.reference === event.intentId);
    t.deepEqual(
      about.map(({ data }) => data.operation),
      ['card_event.unmatched'],
    );
  }
});

test('an event without an amount or an intent raises an alert and books nothing', async (t) => {
  for (const event of [received({ amountCents: 0 }), received({ amountCents: null }), received({ intentId: null })]) {
    t.is((await handle(event)).outcome, 'alerted');
    t.is((await paymentsOf(event.intentId)).length, 0);
  }
});

test('an event that returns more than the payment is booked up to the payment, with an alert', async (t) => {
  const payment = received();
  await handle(payment);
  const { intentId } = payment;
  const took = { intentId, disputeId: processorId('dp'), status: 'needs_response', amountCents: 99_999_999 };
  const { paymentId } = await handle(received({ ...took, type: 'charge.dispute.created' }));
  t.truthy(paymentId);
  const [row, alerts] = await steps.database.forOrg(steps.orgId, async (em) => [
    await em.findOneOrFail(Payment, { id: paymentId ?? '' }),
    await em.find(Event, { type: 'financial.operation_failed' }),
  ]);
  t.like(row, { kind: 'chargeback', amountCents: -5_000, coveredCents: 0 });
  t.is(alerts.filter(({ data }) => data.operation === 'card_event.amount' && data.reference === intentId).length, 1);
});

test('a recorded payment keeps its organization, even when a later event names another one', async (t) => {
  const payment = received();
  const { paymentId } = await handle(payment);
  const orgId = newId('organization');
  await steps.database.transaction(orgId, (em) => createOrganization(em, { id: orgId, name: 'Another' }));
  const metadata = { orgId, invoiceId: null, refundId: null };
  const { intentId } = payment;
  t.like(await handle(received({ intentId, metadata })), { outcome: 'known', paymentId });
  const refund = await handle(received({ intentId, metadata, type: 'charge.refunded', amountCents: 2_000 }));
  t.like(refund, { outcome: 'recorded', orgId: steps.orgId });
});
