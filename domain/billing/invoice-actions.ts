// What may be done with an invoice: pay, void, reissue, refund. The activity decides under the row lock; the API runs
// the same checks first, so that a request ruled out by the row alone starts no workflow. Spec 3.1, Contract 3.4.
import { addYears, type BusinessDate } from '../dates.ts';
import { DomainError, validationError } from '../errors.ts';
import { RECEIPT_MAX_YEARS_BACK } from '../limits.ts';
import { type Cents, toDollars } from '../money.ts';
import { type InvoiceAmounts, invoiceBalance } from './invoice.ts';

/** What decides which actions an invoice allows; `isReissued` if it is void and cannot be billed again. */
export type InvoiceFacts = InvoiceAmounts & { isReissued: boolean };

/** Lists what an invoice allows, judged by the invoice alone. */
export function actionsOn(invoice: InvoiceFacts & { disputed: boolean }): string[] {
  if (invoice.voided) return actionsWhenVoid(invoice);
  const isOwed = invoiceBalance(invoice) > 0;
  return [
    ...(isOwed ? ['pay'] : []),
    ...(isOwed && !invoice.disputed ? ['payment_intent'] : []),
    holdsMoney(invoice) ? 'refund' : 'void',
  ];
}

/** A void invoice can only be reissued, and only once. */
function actionsWhenVoid({ isReissued }: InvoiceFacts): string[] {
  return isReissued ? [] : ['reissue'];
}

/** Whether an invoice holds payments that were not returned. */
function holdsMoney({ paidCents, refundedCents }: InvoiceAmounts): boolean {
  return paidCents > refundedCents;
}

/**
 * Returns the amount in cents that a payment or collection attempt takes; a null `amountCents` takes the whole balance.
 * @throws DomainError invalid_state_transition for a void invoice; amount_exceeds_balance with `{amount, balance}` in
 * dollars for more than is owed, and when nothing is owed. Contract 3.4
 */
function ensurePayable(
  invoice: InvoiceFacts,
  amountCents: Cents | null,
  action: 'pay' | 'payment_intent' | 'retry',
): Cents {
  if (invoice.voided) throw refusedWhenVoid(action, invoice);
  const balanceCents = invoiceBalance(invoice);
  const takenCents = amountCents ?? balanceCents;
  if (takenCents > 0 && takenCents <= balanceCents) return takenCents;
  const message =
    balanceCents === 0 ? 'The invoice has no balance to pay.' : 'The amount is more than the balance of the invoice.';
  throw new DomainError('amount_exceeds_balance', message, {
    amount: toDollars(takenCents),
    balance: toDollars(balanceCents),
  });
}

/**
 * Refuses to collect by card on an invoice while a bank decides about money on it; a manual payment is accepted.
 * @throws DomainError invalid_state_transition
 */
export function ensureUndisputed(isDisputed: boolean, action: 'payment_intent' | 'retry', balanceCents: Cents): void {
  if (!isDisputed) return;
  const details = { resource: 'invoice', from: 'disputed', action, allowed: balanceCents > 0 ? ['pay'] : [] };
  throw new DomainError(
    'invalid_state_transition',
    `"${action}" is not allowed while the invoice is in dispute. Wait for the bank's decision.`,
    details,
  );
}

/**
 * Refuses money that an invoice cannot take; with `mayExceed`, only money for a void one.
 * @throws DomainError as `ensurePayable` does
 */
export function ensureReceivable(invoice: InvoiceFacts, amountCents: Cents, mayExceed: boolean): void {
  if (!mayExceed || invoice.voided) ensurePayable(invoice, amountCents, 'pay');
}

/**
 * Says what to do with money received before its policy lapsed for non-payment but recorded only now: the invoice
 * bills only what is earned. Decision 0291.
 * @throws DomainError amount_exceeds_balance with `{amount, balance, lapsedOn}`, amounts in dollars
 */
export function ensureNotForLapsed(
  { status, cancellation }: { status: string; cancellation: { effectiveDate: BusinessDate } | null },
  invoice: InvoiceAmounts,
  { amountCents, receivedDate, mayExceed = false }: LateMoney,
): void {
  const balanceCents = invoiceBalance(invoice);
  if (status !== 'lapsed' || cancellation === null || receivedDate === null || mayExceed) return;
  if (receivedDate >= cancellation.effectiveDate || amountCents <= balanceCents) return;
  const { effectiveDate: lapsedOn } = cancellation;
  const message = `The policy lapsed on ${lapsedOn}, after this payment was received. Record the payment with \`unapplied: true\`, then reinstate the policy: the reinstatement applies the money to what it bills.`;
  const details = { amount: toDollars(amountCents), balance: toDollars(balanceCents), lapsedOn };
  throw new DomainError('amount_exceeds_balance', message, details);
}

interface LateMoney {
  amountCents: Cents;
  receivedDate: BusinessDate | null;
  mayExceed?: boolean;
}

/**
 * Refuses an implausible received date: in the future, or more than a year ago. Null is today.
 * @throws DomainError validation_failed for field `receivedDate`, rule min or max
 */
export function ensureReceivedInTime(given: BusinessDate | null, today: BusinessDate): void {
  if (given === null) return;
  if (given > today) {
    throw validationError('receivedDate', 'max', 'receivedDate must not be later than today.', { max: today });
  }
  const earliest = addYears(today, -RECEIPT_MAX_YEARS_BACK);
  if (given < earliest) {
    throw validationError('receivedDate', 'min', 'receivedDate must not be more than a year ago.', { min: earliest });
  }
}

/** The smallest amount that the card processor collects, in cents. */
const CARD_MINIMUM_CENTS = 50;

/**
 * Returns the amount in cents that an attempt to collect by card takes; a null `amountCents` takes the whole balance.
 * @throws DomainError as `ensurePayable` does; invalid_state_transition with `{minimum, amount}` in dollars for less
 * than the card processor takes, which must be paid by another method. Contract 3.4
 */
export function ensureCollectable(
  invoice: InvoiceFacts,
  amountCents: Cents | null,
  action: 'payment_intent' | 'retry',
): Cents {
  const takenCents = ensurePayable(invoice, amountCents, action);
  if (takenCents >= CARD_MINIMUM_CENTS) return takenCents;
  const least = toDollars(CARD_MINIMUM_CENTS);
  const message = `A card payment must be at least ${least.toFixed(2)} dollars. Pay this amount by check, transfer or cash.`;
  throw new DomainError('invalid_state_transition', message, {
    ...{ resource: 'invoice', from: holdsMoney(invoice) ? 'partially_paid' : 'open', action },
    ...{ allowed: ['pay'], minimum: least, amount: toDollars(takenCents), balance: toDollars(invoiceBalance(invoice)) },
  });
}

/**
 * Returns how much unapplied cash an invoice takes, in cents; a null `amountCents` takes as much as both allow.
 * @throws DomainError as `ensurePayable` does; amount_exceeds_balance with `{amount, unapplied}` in dollars for more
 * than is left. Contract 3.4
 */
export function ensureAppliable(invoice: InvoiceFacts, unappliedCents: Cents, amountCents: Cents | null): Cents {
  const wantedCents = amountCents ?? Math.min(unappliedCents, invoiceBalance(invoice));
  if (wantedCents <= unappliedCents && unappliedCents > 0) return ensurePayable(invoice, wantedCents, 'pay');
  throw new DomainError('amount_exceeds_balance', 'The amount is more than the unapplied part of the payment.', {
    amount: toDollars(wantedCents),
    unapplied: toDollars(Math.max(unappliedCents, 0)),
  });
}

/**
 * Refuses to void an invoice with money on it, and to void a void one, except to `reissue` it once.
 * @throws DomainError invalid_state_transition; invoice_has_payments with `{paidAmount, refundedAmount}` in dollars.
 * Contract 3.4
 */
export function ensureInvoiceVoidable(invoice: InvoiceFacts, reissue: boolean): void {
  if (invoice.voided) {
    if (reissue && !invoice.isReissued) return;
    throw refusedWhenVoid('void', invoice);
  }
  if (!holdsMoney(invoice)) return;
  throw new DomainError('invoice_has_payments', 'The invoice has payments. Refund them before you void it.', {
    paidAmount: toDollars(invoice.paidCents),
    refundedAmount: toDollars(invoice.refundedCents),
  });
}

/**
 * Returns the amount of a refund in cents; a null `amountCents` refunds everything refundable.
 * @throws DomainError refund_exceeds_paid with `{amount, refundable}` in dollars. Contract 3.4
 */
export function ensureRefundable(refundableCents: Cents, amountCents: Cents | null): Cents {
  const givenCents = amountCents ?? refundableCents;
  if (givenCents > 0 && givenCents <= refundableCents) return givenCents;
  throw new DomainError(
    'refund_exceeds_paid',
    'The amount is more than the part of the payments that has not been refunded.',
    {
      amount: toDollars(givenCents),
      refundable: toDollars(Math.max(refundableCents, 0)),
    },
  );
}

function refusedWhenVoid(action: string, invoice: InvoiceFacts): DomainError {
  return new DomainError('invalid_state_transition', `"${action}" is not allowed: the invoice is void.`, {
    resource: 'invoice',
    from: 'void',
    action,
    allowed: actionsWhenVoid(invoice),
  });
}
