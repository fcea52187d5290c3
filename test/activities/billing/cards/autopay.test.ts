// The charge to a stored card, interrupted between the processor and the record: nothing is charged twice, no attempt
// stays open, and the bill can again be paid by hand.
import test, { type ExecutionContext } from 'ava';
import type { AutopayAttempt } from '../../../../contracts/autopay.ts';
import { Autopay } from '../../../../db/entities/billing/autopay.ts';
import { AutopaySetup } from '../../../../db/entities/billing/autopay-setup.ts';
import { Payment } from '../../../../db/entities/billing/payment.ts';
import { PaymentIntent } from '../../../../db/entities/billing/payment-intent.ts';
import { Event } from '../../../../db/entities/platform/event.ts';
import { newId } from '../../../../db/ids.ts';
import { addRow } from '../../../../db/new-rows.ts';
import type { CardEvent } from '../../../../domain/billing/card-events.ts';
import { processorId } from '../../../support/card-events.ts';
import { InsuredLife } from '../../policy/insured-life.ts';
import { attempt, refused } from '../../steps.ts';

interface Charged {
  life: InsuredLife;
  opened: AutopayAttempt;
  bill: { orgId: string; invoiceId: string };
  /** As the processor would have it if the worker had stopped right after its call. */
  charge: () => Promise<{ intentId: string | null; chargeId: string | null; status: string }>;
  rows: () => Promise<PaymentIntent[]>;
}

/** An insured with a stored card whose bill of 10,751.23 is due, and the attempt opened for it. */
async function due(t: ExecutionContext): Promise<Charged> {
  const life = await InsuredLife.begin(t);
  const { activities, database, orgId, providers } = life.steps;
  const { insuredId } = await life.policy();
  const setupId = newId('autopaySetup');
  const created = await providers.card.createSetup({
    idempotencyKey: setupId,
    customer: { key: null, idempotencyKey: insuredId },
    metadata: { orgId, insuredId, setupId },
  });
  providers.processor.setUp(created.id);
  await database.transaction(orgId, async (em) => {
    addRow(em, Autopay, {
      ...{ id: newId('autopay'), insuredId, status: 'pending', suspendedReason: null, customerKey: null },
      ...{ setupId: null, paymentMethodKey: null, card: null },
    });
    addRow(em, AutopaySetup, {
      ...{ id: setupId, insuredId, setupIntentKey: created.id, status: 'open', termsVersion: '2026-11' },
      ...{ agreedAt: new Date(), agreedBy: 'test' },
    });
  });
  await activities.recordAutopaySetup({ orgId, setupId, setupIntentKey: created.id });
  const [invoice] = await life.invoices();
  if (invoice === undefined) throw new Error('There is no bill');
  life.passTo(life.dayOf(invoice.dueDate));
  const bill = { orgId, invoiceId: invoice.id };
  const opened = await activities.openAutopayCharge(bill);
  if (opened === null) throw new Error('The bill is not due');
  const autopay = await life.read((em) => em.findOneOrFail(Autopay, { insuredId }));
  const { customerKey, paymentMethodKey } = autopay;
  const { attemptId, amountCents, policyId, invoiceId } = opened;
  const charge = () =>
    providers.card.chargeKeptCard({
      ...{ idempotencyKey: `ap:${attemptId}:${amountCents}`, amountCents },
      ...{ customerKey: customerKey ?? '', paymentMethodKey: paymentMethodKey ?? '' },
      metadata: { orgId, invoiceId, policyId, attemptId },
    });
  const rows = () => life.read((em) => em.find(PaymentIntent, { invoiceId }, { orderBy: { attempt: 'asc' } }));
  return { life, opened, bill, charge, rows };
}

function eventOf({ opened, bill }: Charged, changes: Partial<CardEvent>): CardEvent {
  const { orgId, invoiceId } = bill;
  return {
    ...{ eventId: processorId('evt'), type: 'payment_intent.succeeded', livemode: false, createdAt: 1_795_000_000 },
    ...{ intentId: null, chargeId: null, disputeId: null, currency: 'usd', amountCents: opened.amountCents },
    ...{ status: 'succeeded', metadata: { orgId, invoiceId, refundId: null }, failure: null },
    ...changes,
  };
}

const owner = (of: Charged, sql: string) =>
  of.life.steps.database.transaction(of.bill.orgId, (em) => em.execute(sql, [of.bill.orgId]));

test('a charge that the processor reports before it is recorded is complete, and recorded once', async (t) => {
  const of = await due(t);
  const { activities } = of.life.steps;
  const { intentId, chargeId } = await of.charge();
  await attempt(1, () => activities.handleCardEvent(eventOf(of, { intentId, chargeId })));
  t.is((await activities.chargeAutopay(of.opened)).outcome, 'paid');
  t.like(await of.rows(), [{ status: 'succeeded', processorId: intentId }]);
  t.is((await of.life.read((em) => em.find(Payment, { kind: 'card' }))).length, 1);
  t.deepEqual((await activities.dueAutopay({ orgId: of.bill.orgId, after: '' })).invoiceIds, []);
});

test('an attempt without an outcome is resumed after autopay is switched off, and the bill can be paid by hand again', async (t) => {
  const of = await due(t);
  const { activities, command } = of.life.steps;
  const { orgId, invoiceId } = of.bill;
  await owner(of, `update autopays set status = 'off', payment_method_key = null, card = null where org_id = ?`);
  t.true((await activities.organizationsWithCharges({ after: '', limit: 10 })).includes(orgId));
  t.deepEqual((await activities.dueAutopay({ orgId, after: '' })).invoiceIds, [invoiceId]);
  t.deepEqual(await activities.openAutopayCharge(of.bill), of.opened);
  t.is((await activities.chargeAutopay(of.opened)).outcome, 'given_up');
  t.like(await of.rows(), [{ status: 'cancelled' }]);
  t.deepEqual((await activities.dueAutopay({ orgId, after: '' })).invoiceIds, []);
  const byHand = await activities.openAttempt(command(invoiceId, { amountCents: null, isRetry: false }));
  t.is(byHand.amountCents, of.opened.amountCents);
});

test('a charge made before autopay was switched off is found and recorded', async (t) => {
  const of = await due(t);
  await of.charge();
  await owner(of, `update autopays set status = 'off', payment_method_key = null, card = null where org_id = ?`);
  t.is((await of.life.steps.activities.chargeAutopay(of.opened)).outcome, 'paid');
  t.like(await of.rows(), [{ status: 'succeeded' }]);
});

test('autopay does not charge the bill of a policy that has ended since the attempt was opened', async (t) => {
  const of = await due(t);
  await owner(of, `update policies set status = 'cancelled' where org_id = ?`);
  t.is((await of.life.steps.activities.chargeAutopay(of.opened)).outcome, 'given_up');
  t.is((await of.life.read((em) => em.find(Payment, {}))).length, 0);
});

test('the next run counts a decline that an event reports for an undecided charge, and notifies the insured', async (t) => {
  const of = await due(t);
  const { activities, providers } = of.life.steps;
  const intentId = processorId('pi');
  await owner(of, `update payment_intents set status = 'open', processor_id = '${intentId}' where org_id = ?`);
  const failure = { code: 'card_declined', declineCode: 'do_not_honor', message: 'No.' };
  const event = eventOf(of, { type: 'payment_intent.payment_failed', intentId, status: 'failed', failure });
  await attempt(1, () => activities.handleCardEvent(event));
  t.deepEqual(await activities.openAutopayCharge(of.bill), of.opened);
  providers.card.findKeptCardCharge = async () => ({
    ...{ intentId, status: 'requires_payment_method', chargeId: null, receivedCents: 0, createdAt: 1_795_000_000 },
    failure: { code: 'do_not_honor', message: 'No.' },
  });
  t.like(await activities.chargeAutopay(of.opened), { outcome: 'failed', notice: { kind: 'autopay_failed' } });
  t.like(await of.rows(), [{ status: 'failed', failureCode: 'do_not_honor' }]);
  t.is(await activities.openAutopayCharge(of.bill), null, 'it is tried again in three days');
});

test('a card entered a second time is not removed at the processor', async (t) => {
  const of = await due(t);
  const { activities, database, providers } = of.life.steps;
  const { orgId } = of.bill;
  const { insuredId } = await of.life.policy();
  const setupId = newId('autopaySetup');
  const { id, customerKey } = await providers.card.createSetup({
    ...{ idempotencyKey: setupId, customer: { key: null, idempotencyKey: insuredId } },
    metadata: { orgId, insuredId, setupId },
  });
  providers.processor.setUp(id);
  const given = (await providers.card.readSetup(id))?.paymentMethodKey ?? '';
  await owner(of, `update autopays set payment_method_key = '${given}' where org_id = ?`);
  await database.transaction(orgId, async (em) => {
    addRow(em, AutopaySetup, {
      ...{ id: setupId, insuredId, setupIntentKey: id, status: 'open', termsVersion: '2026-11' },
      ...{ agreedAt: new Date(), agreedBy: 'test' },
    });
  });
  t.is((await activities.recordAutopaySetup({ orgId, setupId, setupIntentKey: id })).outcome, 'enabled');
  const order = { idempotencyKey: 'again', amountCents: 100, customerKey, paymentMethodKey: given };
  const metadata = { orgId, invoiceId: of.bill.invoiceId, policyId: of.opened.policyId, attemptId: 'again' };
  t.is((await providers.card.chargeKeptCard({ ...order, metadata })).status, 'succeeded');
});

test('a payment that a person has started is not started again while autopay charges the bill', async (t) => {
  const of = await due(t);
  const { activities, command, providers } = of.life.steps;
  const { invoiceId } = of.bill;
  await owner(of, `update payment_intents set status = 'cancelled' where org_id = ?`);
  const byHand = await activities.openAttempt(command(invoiceId, { amountCents: null, isRetry: false }));
  const { intentId } = await activities.createIntent(byHand);
  t.truthy(await activities.openAutopayCharge(of.bill));
  await providers.card.cancelIntent(intentId);
  await refused(
    t,
    attempt(1, () => activities.createIntent(byHand)),
    'invalid_state_transition',
  );
  t.is((await of.rows()).length, 3);
});

test('a person who starts to pay just as autopay starts gets no payment intent', async (t) => {
  const of = await due(t);
  const { activities, command, providers } = of.life.steps;
  const { invoiceId } = of.bill;
  await owner(of, `update payment_intents set status = 'cancelled' where org_id = ?`);
  const byHand = await activities.openAttempt(command(invoiceId, { amountCents: null, isRetry: false }));
  const createIntent = providers.card.createIntent;
  providers.card.createIntent = async (order) => {
    const intent = await createIntent(order);
    t.truthy(await activities.openAutopayCharge(of.bill));
    return intent;
  };
  const refusal = () => attempt(1, () => activities.createIntent(byHand));
  await refused(t, refusal(), 'invalid_state_transition');
  await refused(t, refusal(), 'invalid_state_transition');
  t.like(await of.rows(), [{ attempt: 1 }, { status: 'open' }, { status: 'creating', processorId: null }]);
});

test('a charge ends immediately when the bill was just paid by hand, so that the next attempt does not wait', async (t) => {
  const of = await due(t);
  const { activities, command, providers } = of.life.steps;
  const { invoiceId } = of.bill;
  await owner(of, `update payment_intents set status = 'cancelled' where org_id = ?`);
  const byHand = await activities.openAttempt(command(invoiceId, { amountCents: null, isRetry: false }));
  const { intentId } = await activities.createIntent(byHand);
  const opened = await activities.openAutopayCharge(of.bill);
  providers.processor.pay(intentId);
  t.is((await activities.chargeAutopay(opened as AutopayAttempt)).outcome, 'given_up');
  t.like(await of.rows(), [{ attempt: 1 }, { status: 'open' }, { status: 'cancelled', processorId: null }]);
});

test('a decline of a card that was replaced meanwhile does not count against the new one', async (t) => {
  const of = await due(t);
  const { activities, providers } = of.life.steps;
  await owner(of, `update autopays set setup_id = '${newId('autopaySetup')}' where org_id = ?`);
  const failure = { code: 'expired_card', message: 'No.' };
  providers.card.findKeptCardCharge = async () => ({
    ...{ intentId: processorId('pi'), status: 'requires_payment_method', chargeId: null, receivedCents: 0 },
    ...{ createdAt: 1_795_000_000, failure },
  });
  t.like(await activities.chargeAutopay(of.opened), { outcome: 'failed', notice: null });
  t.is((await of.life.read((em) => em.findOneOrFail(Autopay, {}))).status, 'active');
});

test('a charge that needs the cardholder to confirm it counts as declined: nobody is there to do so', async (t) => {
  const of = await due(t);
  const { activities, providers } = of.life.steps;
  providers.card.findKeptCardCharge = async () => ({
    ...{ intentId: processorId('pi'), status: 'requires_action', chargeId: null, receivedCents: 0 },
    ...{ createdAt: 1_795_000_000, failure: null },
  });
  t.is((await activities.chargeAutopay(of.opened)).outcome, 'failed');
});

test('a refusal that came days after the charge began is retried three days after it', async (t) => {
  const of = await due(t);
  const { activities, providers } = of.life.steps;
  of.life.passTo(of.life.dayOf(of.life.today) + 5);
  providers.card.findKeptCardCharge = async () => ({
    ...{ intentId: processorId('pi'), status: 'requires_payment_method', chargeId: null, receivedCents: 0 },
    ...{ createdAt: 1_795_000_000, failure: { code: 'insufficient_funds', message: 'No.' } },
  });
  t.is((await activities.chargeAutopay(of.opened)).outcome, 'failed');
  t.is(await activities.openAutopayCharge(of.bill), null);
  t.deepEqual((await activities.dueAutopay({ orgId: of.bill.orgId, after: '' })).invoiceIds, []);
});

test('a bill whose payment was charged back for good is not charged to the card again', async (t) => {
  const of = await due(t);
  const { activities } = of.life.steps;
  await activities.chargeAutopay(of.opened);
  const [paid] = await of.rows();
  const dispute = {
    intentId: paid?.processorId ?? null,
    disputeId: processorId('dp'),
    status: 'lost',
    reason: 'fraudulent',
  };
  const event = eventOf(of, { type: 'charge.dispute.closed', ...dispute });
  await attempt(1, () => activities.handleCardEvent(event));
  const [bill] = await of.life.invoices();
  t.like(bill, { disputed: false, paidCents: of.opened.amountCents, refundedBeforePaidCents: of.opened.amountCents });
  of.life.passTo(of.life.dayOf(bill?.dueDate ?? ''));
  t.is(await activities.openAutopayCharge(of.bill), null);
});

test('a bill that falls due after its term has expired is charged as agreed', async (t) => {
  const of = await due(t);
  const { activities } = of.life.steps;
  await owner(of, `update policies set status = 'expired' where org_id = ?`);
  t.deepEqual((await activities.dueAutopay({ orgId: of.bill.orgId, after: '' })).invoiceIds, [of.bill.invoiceId]);
  t.is((await activities.chargeAutopay(of.opened)).outcome, 'paid');
});

test('a bill that is paid while the processor is searched is not charged', async (t) => {
  const of = await due(t);
  const { activities, providers } = of.life.steps;
  const find = providers.card.findKeptCardCharge;
  providers.card.findKeptCardCharge = async (...search) => {
    await owner(of, 'update invoices set paid_cents = total_cents where org_id = ?');
    return find(...search);
  };
  t.is((await activities.chargeAutopay(of.opened)).outcome, 'given_up');
  t.like(await of.rows(), [{ status: 'cancelled', processorId: null }]);
});

test('a request the processor refuses because of our own fault alerts operators, and says nothing to the insured', async (t) => {
  const of = await due(t);
  const { activities, providers } = of.life.steps;
  const charge = providers.card.chargeKeptCard;
  // Below the processor's minimum amount.
  providers.card.chargeKeptCard = (order) => charge({ ...order, amountCents: 1 });
  t.like(await activities.chargeAutopay(of.opened), { outcome: 'given_up', notice: null });
  t.like(await of.rows(), [{ status: 'cancelled', failureCode: null }]);
  const alerts = await of.life.read((em) => em.find(Event, { type: 'financial.operation_failed' }));
  t.like(alerts, [{ data: { operation: 'autopay.charge', invoiceId: of.bill.invoiceId } }]);
  t.is((await of.life.read((em) => em.findOneOrFail(Autopay, {}))).status, 'active');
});

test('a card missing at the processor counts as a declined card', async (t) => {
  const of = await due(t);
  const { activities } = of.life.steps;
  await owner(of, `update autopays set payment_method_key = 'pm_gone' where org_id = ?`);
  t.like(await activities.chargeAutopay(of.opened), { outcome: 'failed', notice: { kind: 'autopay_suspended' } });
});
