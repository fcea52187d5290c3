// Controls what happens outside the API: customers pay, banks challenge and dispute, and deliveries go astray. Tests
// call it in-process; people and other processes use /_control.
import { chargeAccountFee, failPayout, type PayoutOptions, payOut } from './balance/payouts.ts';
import type { Deliverer } from './deliverer.ts';
import { type Attempt, enqueue, keptAttempts, type Order, releaseAll } from './delivery-queue.ts';
import { closeDispute, type DisputeOptions, openDispute, updateDispute } from './disputes.ts';
import { type Emit, eventText, keepEvent, keptEvents } from './events.ts';
import type { Fault, Faults } from './faults.ts';
import type { Form } from './form.ts';
import { changeBehaviour } from './kept/payment-methods.ts';
import { setUp } from './kept/setup-intents.ts';
import type { Work } from './operation.ts';
import { authenticateIntent, confirmIntent } from './payment-intents.ts';
import { missing } from './problem.ts';
import { createRefund, failRefund } from './refunds.ts';
import type { Store } from './store.ts';
import type { Answer, Dispute, Intent, Refund, SetupIntent, WireEvent } from './wire.ts';

export interface Release {
  order?: Order;
  /** How many times each is delivered. */
  copies?: number;
  /** How many are delivered at a time from now on. */
  atATime?: number;
}

export interface CardProcessorControl {
  /** A customer confirms an intent. Returns its status; a decline is `requires_payment_method`. */
  pay: (intentId: string, paymentMethod?: string) => Intent['status'];
  /** The customer answers the bank's challenge. */
  authenticate: (intentId: string, succeeds: boolean) => Intent['status'];
  /** A customer stores a card, and answers the bank's challenge. Returns its status. */
  setUp: (setupIntentId: string, testCard?: string) => SetupIntent['status'];
  /** From now on a stored card behaves like another test card. */
  changeCard: (paymentMethodId: string, testCard: string) => void;
  /** Someone refunds money at the processor itself, by default all that is left. Returns the refund's id. */
  refund: (intentId: string, amountCents?: number) => string;
  /** An accepted refund fails to reach the card. */
  failRefund: (refundId: string) => void;
  /** The balance is paid out to the bank account. Returns the payout's id. */
  payOut: (how?: PayoutOptions) => string;
  /** The processor deducts an account fee from the balance. */
  chargeAccountFee: (cents: number) => void;
  /** The bank rejects a payout, and the money is back at the processor. */
  failPayout: (payoutId: string) => void;
  /** The cardholder disputes the payment. Returns the dispute's id. */
  dispute: (intentId: string, amountCents?: number, how?: Omit<DisputeOptions, 'amountCents'>) => string;
  /** The evidence is submitted; an inquiry becomes a dispute. */
  updateDispute: (disputeId: string) => void;
  closeDispute: (disputeId: string, status: 'won' | 'lost') => void;
  /** Holds back events from now on. */
  hold: () => void;
  /** Delivers the events that were held back. */
  release: (how?: Release) => void;
  /** Delivers events again, all of them by default. */
  repeat: (eventId?: string, times?: number) => void;
  /** All events, oldest first. */
  events: () => WireEvent[];
  /** Every delivery attempt, oldest first. */
  deliveries: () => Attempt[];
  /** Settles when everything that is not held back has been delivered. */
  settled: () => Promise<void>;
  /** Makes the next calls of an operation fail. */
  planFault: (fault: Fault) => void;
  clearFaults: () => void;
  /** Events are delivered there from now on. */
  deliverTo: (endpoint: string) => void;
}

export interface ControlParts {
  store: Store;
  deliverer: Deliverer;
  faults: Faults;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Builds the event emitter, which queues events in the same transaction as the change, and its controls. */
export function createControl({ store, deliverer, faults, now }: ControlParts): {
  work: () => Work;
  control: CardProcessorControl;
} {
  let isHolding = false;
  const work = (): Work => {
    const nowMs = now();
    const emit: Emit = (type, object, previous) => {
      enqueue(store, keepEvent(store, nowMs, type, object, previous).id, isHolding, Date.now());
    };
    return { store, nowMs, emit };
  };
  const outside = <T>(happens: (work: Work) => T): T => {
    const result = store.transaction(() => happens(work()));
    deliverer.wake();
    return result;
  };
  const control: CardProcessorControl = {
    pay: (id, paymentMethod = 'pm_card_visa') =>
      outside((given) => intentIn(confirmIntent({ ...given, id, form: { payment_method: paymentMethod } })).status),
    authenticate: (id, succeeds) => outside((given) => authenticateIntent(given, id, succeeds).status),
    setUp: (id, testCard = 'pm_card_visa') => outside((given) => setUp(given, id, testCard).status),
    changeCard: (id, testCard) => void outside((given) => changeBehaviour(given, id, testCard)),
    refund: (intentId, amountCents) =>
      outside((given) => {
        const form: Form = { payment_intent: intentId };
        if (amountCents !== undefined) form.amount = String(amountCents);
        return (createRefund({ ...given, id: '', form }).body as Refund).id;
      }),
    failRefund: (refundId) => void outside((given) => failRefund(given, refundId)),
    payOut: (how) => outside((given) => payOut(given, how).id),
    chargeAccountFee: (cents) => void outside((given) => chargeAccountFee(given, cents)),
    failPayout: (payoutId) => void outside((given) => failPayout(given, payoutId)),
    dispute: (intentId, amountCents, how = {}) =>
      outside((given): Dispute['id'] => openDispute(given, intentId, { ...how, amountCents }).id),
    updateDispute: (disputeId) => void outside((given) => updateDispute(given, disputeId)),
    closeDispute: (disputeId, status) => void outside((given) => closeDispute(given, disputeId, status)),
    hold: () => {
      isHolding = true;
    },
    release: ({ order = 'as_happened', copies = 1, atATime } = {}) => {
      isHolding = false;
      if (atATime !== undefined) deliverer.deliverAtATime(atATime);
      releaseAll(store, order, copies, Date.now());
      deliverer.wake();
    },
    repeat: (eventId, times = 1) => {
      const ids = eventId === undefined ? keptEvents(store).map(({ id }) => id) : [knownEvent(store, eventId)];
      outside(() => {
        for (let time = 0; time < times; time += 1) for (const id of ids) enqueue(store, id, isHolding, Date.now());
      });
    },
    events: () => keptEvents(store),
    deliveries: () => keptAttempts(store),
    settled: () => deliverer.settled(),
    planFault: (fault) => faults.plan(fault),
    clearFaults: () => faults.clear(),
    deliverTo: (endpoint) => deliverer.deliverTo(endpoint),
  };
  return { work, control };
}

function intentIn({ status, body }: Answer): Intent {
  return status === 402 ? (body as { error: { payment_intent: Intent } }).error.payment_intent : (body as Intent);
}

function knownEvent(store: Store, eventId: string): string {
  if (eventText(store, eventId) === null) throw missing('event', eventId);
  return eventId;
}
