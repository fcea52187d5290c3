/** Requests a refund from the card processor, once per receipt, even when answers are lost. */

import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { DomainError, type ErrorDetails } from '../../../domain/errors.ts';
import type { CardRefund } from '../../../providers/ports.ts';
import { activityFailure, type Deps } from '../../context.ts';

/** The part of a refund that goes back on one card receipt. */
export interface CardRefundOrder {
  orgId: string;
  refundId: string;
  invoiceId: string;
  paymentId: string;
  intentId: string;
  amountCents: number;
  /** True when it may have been requested before: the processor's records are checked first. */
  isRepeat: boolean;
}

export interface Decline {
  message: string;
  details: ErrorDetails;
  /** Set if the card will never take the money back: the refund that failed, or null if none was made. */
  refusal?: { processorRefundId: string | null };
}

/** Exactly one of the two is set. */
export interface CardRefundAnswer {
  processorRefundId: string | null;
  declined: Decline | null;
}

/** The status of a refund that will not take place. */
const REFUSED: readonly string[] = ['failed', 'canceled'];

/**
 * Bank codes for a card that takes no refunds. Other refusals are not about the card: the money may have gone back
 * already, or be in dispute.
 */
const CARD_REFUSES: readonly unknown[] = ['card_declined', 'expired_card'];

/** Returns the processor's refund, or its decline. Fails, and is retried, while the processor cannot be reached. */
export const refundAtProcessor =
  (deps: Deps) =>
  async (order: CardRefundOrder): Promise<CardRefundAnswer> => {
    try {
      return answerOf(await refundOnce(deps, order));
    } catch (error) {
      if (!(error instanceof DomainError))
        throw activityFailure(deps, { kind: 'refundAtProcessor', orgId: order.orgId }, error);
      const { code, message, details } = error;
      if (code === 'payment_declined') return { processorRefundId: null, declined: declineOf(message, details) };
      const { orgId, refundId, paymentId } = order;
      deps.logger.warn(
        { orgId, refundId, paymentId, code },
        'the card processor has not answered; the call will be retried',
      );
      throw ApplicationFailure.retryable(message, code);
    }
  };

/** The idempotency key only lasts a day; checking first always works. */
async function refundOnce({ card }: Deps, order: CardRefundOrder): Promise<CardRefund> {
  const { orgId, refundId, invoiceId, paymentId, intentId, amountCents, isRepeat } = order;
  const isUncertain = isRepeat || activityInfo().attempt > 1;
  const earlier = isUncertain ? await card.findRefund(intentId, { refundId, paymentId }) : null;
  if (earlier !== null) return earlier;
  const idempotencyKey = `refund:${refundId}:${paymentId}`;
  return card.refund({ idempotencyKey, intentId, amountCents, metadata: { orgId, invoiceId, refundId, paymentId } });
}

function answerOf({ id, status }: CardRefund): CardRefundAnswer {
  if (!REFUSED.includes(status)) return { processorRefundId: id, declined: null };
  const message = 'The card processor could not refund the payment.';
  const details = { code: status, declineCode: null };
  return { processorRefundId: null, declined: { message, details, refusal: { processorRefundId: id } } };
}

function declineOf(message: string, details: ErrorDetails): Decline {
  const decline = { message, details };
  return CARD_REFUSES.includes(details.code) ? { ...decline, refusal: { processorRefundId: null } } : decline;
}
