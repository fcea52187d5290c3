/**
 * Money captured by the card processor. It is always recorded and applied as far as its invoice can take it; the rest
 * stays unapplied and raises an alert. Runs inside the event's transaction. Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { newId } from '../../../db/ids.ts';
import { cardPayment, intentsOf } from '../../../db/queries/billing/payments.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { sumCents, toDollars } from '../../../domain/money.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { attemptsLeft, paymentOutcome } from '../../../plans/billing/payment-outcome.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import type { Deps } from '../../context.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';
import { persistReceipt } from '../payments/receipt-rows.ts';
import { applyToOthers, billsThatTake } from './rebilled-receipts.ts';

/** The actor when the processor reports a change. */
export const CARD_PROCESSOR: ActorRef = { kind: 'machine', id: 'card-processor', role: 'superadmin' };

/** The money in a signed `payment_intent.succeeded`. */
export interface CardReceipt {
  orgId: string;
  intentId: string;
  chargeId: string | null;
  amountCents: number;
  /** Null when the event names no invoice of the organization. */
  invoiceId: string | null;
  /** Unix seconds. */
  createdAt: number;
}

/** A recorded receipt. */
interface RecordedReceipt extends PaymentOutcome {
  /** Its applications to other bills; each has a saga, like a payment. */
  applications: PaymentOutcome[];
  /** The unapplied part. */
  leftCents: number;
  /** Whether it was already recorded. */
  known: boolean;
}

/** Records a payment intent's money in the caller's transaction, once per intent. */
export async function recordCardReceipt(em: EntityManager, deps: Deps, receipt: CardReceipt): Promise<RecordedReceipt> {
  const named = receipt.invoiceId === null ? null : await lockForMoney(em, receipt.invoiceId);
  const earlier = await cardPayment(em, receipt.intentId);
  if (earlier !== null) {
    const { invoiceId } = earlier;
    const taker = invoiceId === null || invoiceId === named?.invoice.id ? named : await lockForMoney(em, invoiceId);
    const payment = { ...paymentOutcome(earlier, taker), ...(await attemptsLeft(em, earlier)) };
    return { ...payment, ...(await knownApplications(em, earlier, payment.unappliedCents)), known: true };
  }
  await markSucceeded(em, receipt, named);
  const [taker = null, ...others] = named === null ? [] : await billsThatTake(em, named, receipt.amountCents);
  const { today } = await businessDay(em, receipt.orgId, deps.now());
  const recordedAt = new Date(deps.now());
  const receivedAt = new Date(Math.min(receipt.createdAt * 1000, deps.now()));
  const money = { method: 'card', reference: receipt.intentId, receivedAt } as const;
  const by = { actor: CARD_PROCESSOR, requestId: null };
  const payment = await persistReceipt(em, taker, {
    ...money,
    ...by,
    ...{ paymentId: newId('payment'), kind: 'card', amountCents: receipt.amountCents, chargeId: receipt.chargeId },
    ...{ receivedOn: today, recordedAt },
  });
  const { applications, leftCents } = await applyToOthers(em, payment.unappliedCents, others, {
    ...by,
    ...{ receipt: { ...money, id: payment.paymentId }, appliedOn: today, appliedAt: recordedAt },
  });
  const recorded = { ...payment, applications, leftCents, known: false };
  if (leftCents > 0) raiseUnapplied(em, receipt, recorded, recordedAt);
  return recorded;
}

/** The applications of an earlier receipt to other bills that no saga has finished. */
async function knownApplications(
  em: EntityManager,
  { id }: Payment,
  unappliedCents: number,
): Promise<Pick<RecordedReceipt, 'applications' | 'leftCents'>> {
  const taken = await em.find(Payment, { kind: 'application', sourcePaymentId: id }, { orderBy: { id: 'asc' } });
  const applications: PaymentOutcome[] = [];
  for (const application of taken.filter(({ sagaEndedAt }) => sagaEndedAt === null)) {
    const bill = application.invoiceId === null ? null : await lockForMoney(em, application.invoiceId);
    applications.push({ ...paymentOutcome(application, bill), ...(await attemptsLeft(em, application)) });
  }
  return { applications, leftCents: unappliedCents - sumCents(taken.map(({ appliedCents }) => appliedCents)) };
}

/** Marks the attempt of ours that brought the money in, if any. */
async function markSucceeded(em: EntityManager, receipt: CardReceipt, locked: LockedInvoice | null): Promise<void> {
  if (locked === null) return;
  const attempts = await intentsOf(em, locked.invoice.id);
  const attempt = attempts.find(({ processorId }) => processorId === receipt.intentId);
  if (attempt) attempt.status = 'succeeded';
}

/** Unapplied money needs a person to attribute it. Contract 3.4. */
function raiseUnapplied(
  em: EntityManager,
  receipt: CardReceipt,
  { paymentId, invoiceId, leftCents }: RecordedReceipt,
  at: Date,
): void {
  const message =
    invoiceId === null
      ? 'A card payment matches no invoice. The money is held as unapplied cash.'
      : 'A card payment exceeds what its invoice could take. The excess is held as unapplied cash.';
  const amount = toDollars(leftCents);
  const facts = { paymentId, invoiceId, reference: receipt.intentId, amount, workflowId: null };
  writeEvent(
    em,
    'financial.operation_failed',
    { severity: 'critical', requiresManualReview: true, operation: 'payment.unapplied', message, ...facts },
    at,
  );
}
