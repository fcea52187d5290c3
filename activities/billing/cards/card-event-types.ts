/**
 * Handles each type of card processor event inside the event's transaction. An event that we must not book (unmatched,
 * in another currency, from another mode) raises an alert and changes no invoice. Spec 6.4, Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { PaymentOutcome, RefundOutcome } from '../../../contracts/billing.ts';
import type { InboundOutcome } from '../../../contracts/inbound.ts';
import { Invoice, type PaymentFault } from '../../../db/entities/billing/invoice.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { cardPayment, intentsOf } from '../../../db/queries/billing/payments.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { PLATFORM_SCOPE } from '../../../db/scope.ts';
import type { CardEvent } from '../../../domain/billing/card-events.ts';
import { type CardEventType, isCardEventType } from '../../../domain/billing/card-events.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { toDollars } from '../../../domain/money.ts';
import { auditOf } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { lockForMoney } from '../../money-locks.ts';
import { raiseAlert } from '../refunds/refund-rows.ts';
import { CARD_PROCESSOR, recordCardReceipt } from './card-receipts.ts';
import { recordCardRefund } from './card-refunds.ts';
import { recordDispute } from './chargebacks.ts';
import { recordRefundChange } from './failed-refunds.ts';

/** The result of an event, with the payment or refund whose saga continues from it. */
export interface HandledCardEvent extends InboundOutcome {
  payment: PaymentOutcome | null;
  /** Applications of the payment to other invoices, or other money kept; each has its own saga. */
  applications?: PaymentOutcome[];
  refund: RefundOutcome | null;
  /** The policy whose workflow is notified that its debts have changed; missing where there is none. */
  policyToNotify?: string | null;
  /** Policies whose invoices had received money that was never good. */
  otherPoliciesToNotify?: string[];
  /** Refunds that no longer wait for approval; missing where there are none. */
  endedRefunds?: string[];
}

/** An event, its owner, and the scope that records it. */
export interface OwnedCardEvent {
  event: CardEvent;
  /** Null for an event that belongs to no organization. */
  orgId: string | null;
  invoiceId: string | null;
  /** The owning organization, or the one alerted in its place. */
  scope: string;
}

/** An event of ours that identifies its payment and amount. */
interface UsableCardEvent extends OwnedCardEvent {
  event: CardEvent & { intentId: string; amountCents: number };
  orgId: string;
}

type Handler = (em: EntityManager, deps: Deps, owned: UsableCardEvent) => Promise<HandledCardEvent>;

const HANDLERS: Readonly<Record<CardEventType, Handler>> = {
  'payment_intent.succeeded': takePayment,
  'payment_intent.payment_failed': noteFailure,
  'payment_intent.canceled': noteCancellation,
  'charge.refunded': takeRefund,
  'charge.refund.updated': takeRefundChange,
  'refund.updated': takeRefundChange,
  'refund.failed': takeRefundChange,
  'charge.dispute.created': takeDispute,
  'charge.dispute.updated': takeDispute,
  'charge.dispute.closed': takeDispute,
  'charge.dispute.funds_withdrawn': takeDispute,
  'charge.dispute.funds_reinstated': takeDispute,
};

const CURRENCY = 'usd';

/**
 * Handles an event by its type. New rows are persisted; the caller writes them.
 * @throws Error for a type that a newer api accepts but this worker does not know: the processor resends it, so it is
 * not lost
 */
export async function handleByType(em: EntityManager, deps: Deps, owned: OwnedCardEvent): Promise<HandledCardEvent> {
  const { type } = owned.event;
  if (!isCardEventType(type)) throw new Error(`No handler for ${type}`);
  const objection = objectionTo(owned, deps);
  if (objection !== null) return raiseObjection(em, deps, owned, objection);
  return HANDLERS[type](em, deps, owned as UsableCardEvent);
}

/** Always records captured money, and applies as much as the invoice can take. */
async function takePayment(em: EntityManager, deps: Deps, owned: UsableCardEvent): Promise<HandledCardEvent> {
  const { event, orgId, invoiceId } = owned;
  const { intentId, chargeId, amountCents, createdAt } = event;
  const receipt = { orgId, intentId, chargeId, amountCents, invoiceId, createdAt };
  const { applications, leftCents, known, ...payment } = await recordCardReceipt(em, deps, receipt);
  const outcome = leftCents > 0 ? 'unapplied' : 'recorded';
  const handled = { orgId, paymentId: payment.paymentId, payment, applications, refund: null };
  return { outcome: known ? 'known' : outcome, ...handled };
}

/** Money refunded at the processor; refunds that we requested are already known. */
async function takeRefund(em: EntityManager, deps: Deps, owned: UsableCardEvent): Promise<HandledCardEvent> {
  const { event, orgId } = owned;
  const { intentId, chargeId, createdAt } = event;
  const receipt = await received(em, owned);
  if (receipt === null) return raiseObjection(em, deps, owned, NO_PAYMENT);
  const refundedCents = atMost(em, deps, event, receipt);
  const recorded = await recordCardRefund(em, deps, { orgId, intentId, chargeId, refundedCents, createdAt });
  if (recorded === null) return nothing('known', orgId);
  const { known, ...refund } = recorded;
  return { outcome: known ? 'known' : 'recorded', orgId, paymentId: refund.refundId, payment: null, refund };
}

/** A refund that never reached the card. */
async function takeRefundChange(em: EntityManager, deps: Deps, owned: UsableCardEvent): Promise<HandledCardEvent> {
  const { event, orgId } = owned;
  const { intentId, processorRefundId = null, amountCents, status, createdAt, metadata } = event;
  if (processorRefundId === null || status === null) return raiseObjection(em, deps, owned, INCOMPLETE);
  if ((await received(em, owned)) === null) return raiseObjection(em, deps, owned, NO_PAYMENT);
  const { refundId } = metadata;
  const change = { orgId, intentId, processorRefundId, refundId, amountCents, status, createdAt };
  return nothing(await recordRefundChange(em, deps, change), orgId);
}

/** Money that a customer's bank charges back, or that we win back. */
async function takeDispute(em: EntityManager, deps: Deps, owned: UsableCardEvent): Promise<HandledCardEvent> {
  const { event, orgId } = owned;
  const { intentId, disputeId, type, status, reason = null, createdAt } = event;
  if (disputeId === null || status === null) return raiseObjection(em, deps, owned, INCOMPLETE);
  const receipt = await received(em, owned);
  if (receipt === null) return raiseObjection(em, deps, owned, NO_PAYMENT);
  const amountCents = atMost(em, deps, event, receipt);
  const notice = { orgId, intentId, disputeId, amountCents, type, status, reason, createdAt };
  const { outcome, refund, kept = [], ...toNotify } = await recordDispute(em, deps, notice);
  const [payment = null, ...applications] = kept;
  return { outcome, orgId, paymentId: refund?.refundId ?? null, payment, applications, refund, ...toNotify };
}

/**
 * Finds the payment that an event is about. Events may arrive out of order, so a refund may be reported before its
 * payment. Such an event fails and is not marked as handled: the processor resends it for days. A workflow waiting
 * here would keep the processor waiting for an answer. Null where no invoice of ours waits for the payment.
 */
async function received(em: EntityManager, { event, invoiceId }: UsableCardEvent): Promise<Payment | null> {
  const payment = await cardPayment(em, event.intentId);
  if (payment !== null) return payment;
  if (invoiceId === null || (await em.count(Invoice, { id: invoiceId })) === 0) return null;
  const message = 'The payment that this event reverses has not been recorded yet.';
  throw ApplicationFailure.create({ message, type: 'payment_not_recorded', nonRetryable: true, category: 'BENIGN' });
}

/** No more goes back than was received: an event for more is booked up to that amount and raises an alert. */
function atMost(em: EntityManager, deps: Deps, event: UsableCardEvent['event'], receipt: Payment): number {
  const { amountCents, intentId: reference } = event;
  if (amountCents <= receipt.amountCents) return amountCents;
  const { id: paymentId, invoiceId } = receipt;
  const message = 'The card processor reports a return above the amount received; only the amount received is booked.';
  raiseAlert(em, deps, { operation: 'card_event.amount', message, paymentId, invoiceId, reference, amountCents });
  return receipt.amountCents;
}

/**
 * Notes on the invoice why its last attempt failed, and publishes it. An attempt that has since succeeded is left
 * alone.
 */
async function noteFailure(em: EntityManager, deps: Deps, owned: UsableCardEvent): Promise<HandledCardEvent> {
  const { event, orgId, invoiceId } = owned;
  const { intentId, amountCents, failure } = event;
  const locked = invoiceId === null ? null : await lockForMoney(em, invoiceId);
  if (locked === null) return raiseObjection(em, deps, owned, NO_INVOICE);
  if ((await cardPayment(em, intentId)) !== null) return nothing('known', orgId);
  const { invoice, policy } = locked;
  const attempt = (await intentsOf(em, invoice.id)).find(({ processorId }) => processorId === intentId);
  const code = failure?.declineCode ?? failure?.code ?? null;
  // The next autopay run finds the refusal at the processor, counts it and notifies the insured.
  const isPersons = attempt !== undefined && !attempt.autopaySetupId;
  if (isPersons && (attempt.status === 'open' || attempt.status === 'creating')) attempt.status = 'failed';
  noteFault(invoice, { code, message: failure?.message ?? 'The payment failed.', at: instantOf(event) });
  const origin = { actor: CARD_PROCESSOR, requestId: null, entityId: invoice.id };
  writeAudit(em, auditOf(origin, 'payment:fail', 'invoice', { reference: intentId, amountCents, code }));
  await em.flush();
  const { id, invoiceNumber } = invoice;
  const facts = {
    invoiceId: id,
    invoiceNumber,
    policyId: policy.id,
    amount: toDollars(amountCents),
    reference: intentId,
  };
  writeEvent(em, 'payment.failed', { ...facts, status: 'failed', severity: 'warning', code }, new Date(deps.now()));
  return nothing('recorded', orgId);
}

/** One of our attempts that can no longer be paid: another can be opened. A failed one can still be retried. */
async function noteCancellation(
  em: EntityManager,
  _deps: Deps,
  { event, orgId, invoiceId }: UsableCardEvent,
): Promise<HandledCardEvent> {
  const locked = invoiceId === null ? null : await lockForMoney(em, invoiceId);
  const attempts = locked === null ? [] : await intentsOf(em, locked.invoice.id);
  const attempt = attempts.find(({ processorId }) => processorId === event.intentId);
  if (attempt?.status !== 'open' && attempt?.status !== 'creating') return nothing('known', orgId);
  attempt.status = 'cancelled';
  await em.flush();
  return nothing('recorded', orgId);
}

/** The latest failure wins, whatever order the events arrive in; a paid invoice has none. */
function noteFault(invoice: Invoice, fault: PaymentFault): void {
  const isOlder = invoice.lastPaymentError !== null && invoice.lastPaymentError.at > fault.at;
  if (!isOlder && invoiceBalance(invoiceAmounts(invoice)) > 0) invoice.lastPaymentError = fault;
}

function instantOf({ createdAt }: CardEvent): string {
  return new Date(createdAt * 1000).toISOString();
}

/** Why an event raises an alert instead of being booked. */
interface Objection {
  outcome: 'unmatched' | 'alerted';
  operation: string;
  message: string;
}

const NO_INVOICE: Objection = {
  outcome: 'unmatched',
  operation: 'card_event.unmatched',
  message: 'A card processor event matches no invoice.',
};

const NO_PAYMENT: Objection = {
  outcome: 'unmatched',
  operation: 'card_event.unmatched',
  message: 'A card processor event matches no payment and no invoice.',
};

const INCOMPLETE: Objection = {
  outcome: 'alerted',
  operation: 'card_event.incomplete',
  message: 'A card processor event does not identify its payment or amount.',
};

/** An event that names no currency is about our own: every intent is opened in it. */
function isForeign({ currency }: CardEvent): boolean {
  return currency !== null && currency !== CURRENCY;
}

/** The reason not to book an event, or null. */
function objectionTo({ event, orgId }: OwnedCardEvent, { environment }: Deps): Objection | null {
  const objection = (operation: string, message: string): Objection => ({ outcome: 'alerted', operation, message });
  if (event.livemode !== (environment === 'production')) {
    return objection(
      'card_event.mode',
      'A card processor event is from the wrong mode (live or test) for this installation.',
    );
  }
  if (isForeign(event)) {
    return objection('card_event.currency', 'A card processor event is in an unsupported currency.');
  }
  if (event.intentId === null || event.amountCents === null || event.amountCents === 0) return INCOMPLETE;
  return orgId === null ? NO_INVOICE : null;
}

/** Alerts about an event that is not booked: always in the log, and as an event where an organization can read it. */
function raiseObjection(em: EntityManager, deps: Deps, owned: OwnedCardEvent, objection: Objection): HandledCardEvent {
  const { event, orgId, invoiceId, scope } = owned;
  const { operation, message, outcome } = objection;
  const { eventId, type, intentId, amountCents } = event;
  deps.logger.error({ eventId, type, intentId, orgId, operation }, message);
  if (scope !== PLATFORM_SCOPE) {
    const amount = !isForeign(event) && amountCents !== null ? { amount: toDollars(amountCents) } : {};
    const facts = { operation, message, paymentId: null, invoiceId, reference: intentId, workflowId: null, ...amount };
    writeEvent(
      em,
      'financial.operation_failed',
      { severity: 'critical', requiresManualReview: true, ...facts },
      new Date(deps.now()),
    );
  }
  return nothing(outcome, orgId);
}

function nothing(outcome: InboundOutcome['outcome'], orgId: string | null): HandledCardEvent {
  return { outcome, orgId, paymentId: null, payment: null, refund: null };
}
