// Delivers events to the endpoint, several at a time. Each attempt is signed by the SDK's own signer and retried
// until the endpoint answers 2xx.
import Stripe from 'stripe';
import { type Delivery, dueDeliveries, keepAttempt, nextDueMs } from './delivery-queue.ts';
import { eventText } from './events.ts';
import type { Store } from './store.ts';

const ANSWER_TIMEOUT_MS = 20_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
const AT_A_TIME = 8;

export interface DelivererOptions {
  store: Store;
  webhookSecret: string;
  endpoint: string | null;
}

export class Deliverer {
  readonly #store: Store;
  readonly #webhookSecret: string;
  readonly #closing = new AbortController();
  readonly #atWork = new Map<number, Promise<void>>();
  #endpoint: string | null;
  #atATime = AT_A_TIME;
  #timer: NodeJS.Timeout | null = null;
  #waiting: (() => void)[] = [];

  constructor({ store, webhookSecret, endpoint }: DelivererOptions) {
    this.#store = store;
    this.#webhookSecret = webhookSecret;
    this.#endpoint = endpoint;
  }

  /** Where events go from now on. */
  deliverTo(endpoint: string): void {
    this.#endpoint = endpoint;
    this.wake();
  }

  /** How many are delivered at a time: one preserves their order. */
  deliverAtATime(count: number): void {
    this.#atATime = count;
  }

  /** Delivers whatever is due; called whenever something may be. */
  wake(): void {
    if (this.#closing.signal.aborted || this.#endpoint === null) return;
    const nowMs = Date.now();
    const free = this.#atATime - this.#atWork.size;
    const due = free > 0 ? dueDeliveries(this.#store, nowMs, free, new Set(this.#atWork.keys())) : [];
    for (const delivery of due) this.#atWork.set(delivery.id, this.#deliver(delivery, this.#endpoint));
    this.#sleep(nowMs);
  }

  /** Settles when nothing is left except what is held back. */
  settled(): Promise<void> {
    if (this.#endpoint === null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.wake();
    });
  }

  /** Aborts deliveries in progress; they are made after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#timer) clearTimeout(this.#timer);
    await Promise.all(this.#atWork.values());
  }

  #sleep(nowMs: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    const dueMs = nextDueMs(this.#store, nowMs);
    this.#timer = dueMs === null ? null : setTimeout(() => this.wake(), dueMs - nowMs);
    const isSettled = dueMs === null && this.#atWork.size === 0;
    if (isSettled) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #deliver(delivery: Delivery, endpoint: string): Promise<void> {
    const status = await this.#post(delivery, endpoint);
    // We aborted it: it counts as not attempted.
    if (this.#closing.signal.aborted) return;
    const atMs = Date.now();
    const isDone = status !== null && status >= 200 && status < 300;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** delivery.attempts, LONGEST_PAUSE_MS);
    keepAttempt(this.#store, delivery, { eventId: delivery.eventId, atMs, status }, isDone ? null : atMs + pauseMs);
    this.#atWork.delete(delivery.id);
    this.wake();
  }

  async #post({ eventId }: Delivery, endpoint: string): Promise<number | null> {
    const body = eventText(this.#store, eventId) ?? '';
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: this.#webhookSecret });
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }
}
