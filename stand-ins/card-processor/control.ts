// What happens outside of the API: customers pay, banks challenge and dispute, and deliveries go astray. Tests call it
// in the process, people and other processes under /_control.
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
  /** How often each is delivered. */
  copies?: number;
  /** How many are under way at a time from now on. */
  atATime?: number;
}

export interface CardProcessorControl {
  /** A customer confirms an intent. Answers its status; a decline is `requires_payment_method`. */
  pay: (intentId: string, paymentMethod?: string) => Intent['status'];
  /** The customer answers the bank's challenge. */
  authenticate: (intentId: string, succeeds: boolean) => Intent['status'];
  /** A customer has a card kept, and answers the bank's challenge. Answers its status. */
  setUp: (setupIntentId: string, testCard?: string) => SetupIntent['status'];
  /** From now on a kept card behaves as another test card. */
  changeCard: (paymentMethodId: string, testCard: string) => void;
  /** Somebody refunds money at the processor itself, all that is left by default. Answers the refund's id. */
  refund: (intentId: string, amountCents?: number) => string;
  /** A refund that was accepted does not reach the card. */
  failRefund: (refundId: string) => void;
  /** The balance goes to the bank account. Answers the payout's id. */
  payOut: (how?: PayoutOptions) => string;
  /** The processor takes a fee for the account, off the balance. */
  chargeAccountFee: (cents: number) => void;
  /** The bank does not take a payout, and the processor has the money again. */
  failPayout: (payoutId: string) => void;
  /** The cardholder disputes the payment. Answers the dispute's id. */
  dispute: (intentId: string, amountCents?: number, how?: Omit<DisputeOptions, 'amountCents'>) => string;
  /** The evidence is sent in; an inquiry becomes a dispute. */
  updateDispute: (disputeId: string) => void;
  closeDispute: (disputeId: string, status: 'won' | 'lost') => void;
  /** Holds back what happens from now on. */
  hold: () => void;
  /** Delivers what was held back. */
  release: (how?: Release) => void;
  /** Delivers events again, all of them by default. */
  repeat: (eventId?: string, times?: number) => void;
  /** Everything that has happened, oldest first. */
  events: () => WireEvent[];
  /** Every attempt to deliver, oldest first. */
  deliveries: () => Attempt[];
  /** Settles when everything that is not held back has been delivered. */
  settled: () => Promise<void>;
  /** Lets the next calls of an operation go wrong. */
  planFault: (fault: Fault) => void;
  clearFaults: () => void;
  /** From now on events are delivered there. */
  deliverTo: (endpoint: string) => void;
}

export interface ControlParts {
  store: Store;
  deliverer: Deliverer;
  faults: Faults;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The event emitter of the state, which queues events in the same transaction, and the control over it. */
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
