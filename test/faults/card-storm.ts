// A thousand card events for three hundred invoices, the totals they must produce, and their delivery: each event
// several times, shuffled, eight at a time, and repeated until answered 200.
import { declined, type IntentFacts, processorId, succeeded, type WireEvent } from '../support/card-events.ts';
import type { TestResponse } from '../support/client.ts';

/** An invoice before any payment. */
export interface OpenInvoice {
  id: string;
  orgId: string;
  totalCents: number;
  hasProducer: boolean;
}

/** What the invoice must show in the end. */
export interface Expectation {
  invoice: OpenInvoice;
  /** Cents by intent. */
  payments: Map<string, number>;
  paidCents: number;
  unappliedCents: number;
}

export interface Plan {
  events: WireEvent[];
  expected: Expectation[];
  /** Stored intents: their events name no organization or invoice. */
  stored: { intentId: string; invoice: OpenInvoice; amountCents: number }[];
}

/**
 * Makes the events. In turn an invoice is paid in full, overpaid, paid after a failure, paid in two parts, or paid
 * only in part.
 */
export function planFor(invoices: readonly OpenInvoice[]): Plan {
  const plan: Plan = { events: [], expected: [], stored: [] };
  for (const [turn, invoice] of invoices.entries()) {
    const [first, second] = [Math.floor(invoice.totalCents / 3), Math.ceil((invoice.totalCents * 2) / 3)];
    const amounts = [[invoice.totalCents], [invoice.totalCents + 100], [invoice.totalCents], [first, second], [first]];
    addPayments(plan, invoice, amounts[turn % amounts.length] ?? [], turn);
  }
  return plan;
}

function addPayments({ events, expected, stored }: Plan, invoice: OpenInvoice, amounts: number[], turn: number): void {
  const payments = new Map(amounts.map((amountCents) => [processorId('pi'), amountCents]));
  for (const [intentId, amountCents] of payments) {
    const isStored = turn % 2 === 0;
    if (isStored) stored.push({ intentId, invoice, amountCents });
    const owner = isStored ? {} : { orgId: invoice.orgId, invoiceId: invoice.id };
    const facts: IntentFacts = { intentId, amountCents, ...owner };
    events.push(succeeded(facts), turn % 5 === 2 ? declined(facts) : succeeded(facts));
    events.push({ ...succeeded(facts), type: 'payment_intent.created' });
  }
  const sumCents = amounts.reduce((sum, cents) => sum + cents, 0);
  const paidCents = Math.min(sumCents, invoice.totalCents);
  expected.push({ invoice, payments, paidCents, unappliedCents: sumCents - paidCents });
}

/** The same order for the same seed, so that a failure can be reproduced. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const left = [...items];
  let state = seed;
  const result: T[] = [];
  while (left.length > 0) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    result.push(...left.splice(state % left.length, 1));
  }
  return result;
}

export interface Storm {
  deliver: (event: WireEvent) => Promise<TestResponse>;
  atATime: number;
  /** Called after each accepted delivery, with the number accepted so far. */
  onTaken: (count: number) => void;
}

/** Delivers everything, retrying each delivery until it is accepted; returns how often each status came back. */
export async function deliverAll(
  deliveries: readonly WireEvent[],
  { deliver, atATime, onTaken }: Storm,
): Promise<Map<number, number>> {
  const waiting = [...deliveries];
  const statuses = new Map<number, number>();
  let taken = 0;
  const sender = async () => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      const { status } = await deliver(event);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) onTaken(++taken);
      else waiting.push(event);
    }
  };
  await Promise.all(Array.from({ length: atATime }, sender));
  return statuses;
}
