/** Asks the card processor to give money back, once for each receipt of a refund, however often the answer is lost on the way. */

import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { DomainError, type ErrorDetails } from '../domain/errors.ts';
import type { CardRefund } from '../providers/ports.ts';
import { asFailure, type Deps } from './context.ts';

/** What of a refund one card receipt gives back. */
export interface CardRefundOrder {
  orgId: string;
  refundId: string;
  invoiceId: string;
  paymentId: string;
  intentId: string;
  amountCents: number;
  /** Whether it may have been asked for before: then the processor is looked up first. */
  isRepeat: boolean;
}

export interface Decline {
  message: string;
  details: ErrorDetails;
}

/** Exactly one of the two is there. */
export interface CardRefundAnswer {
  processorRefundId: string | null;
  declined: Decline | null;
}

/** A refund that will not take place. */
const REFUSED: readonly string[] = ['failed', 'canceled'];

/** Answers the processor's refund, or that it declined. While the processor cannot be reached, it fails and is to be tried again. */
export const refundAtProcessor =
  (deps: Deps) =>
  async (order: CardRefundOrder): Promise<CardRefundAnswer> => {
    try {
      return answerOf(await refundOnce(deps, order));
    } catch (error) {
      if (!(error instanceof DomainError))
        throw asFailure(deps, { kind: 'refundAtProcessor', orgId: order.orgId }, error);
      const { code, message, details } = error;
      if (code === 'payment_declined') return { processorRefundId: null, declined: { message, details } };
      const { orgId, refundId, paymentId } = order;
      deps.logger.warn(
        { orgId, refundId, paymentId, code },
        'the card processor has not answered; the call will be retried',
      );
      throw ApplicationFailure.retryable(message, code);
    }
  };

/** The idempotency key alone would do for a day; looking first holds for ever. */
async function refundOnce({ card }: Deps, order: CardRefundOrder): Promise<CardRefund> {
  const { orgId, refundId, invoiceId, paymentId, intentId, amountCents, isRepeat } = order;
  const isUncertain = isRepeat || activityInfo().attempt > 1;
  const earlier = isUncertain ? await card.findRefund(intentId, refundId) : null;
  if (earlier !== null) return earlier;
  const idempotencyKey = `refund:${refundId}:${paymentId}`;
  return card.refund({ idempotencyKey, intentId, amountCents, metadata: { orgId, invoiceId, refundId } });
}

function answerOf({ id, status }: CardRefund): CardRefundAnswer {
  if (!REFUSED.includes(status)) return { processorRefundId: id, declined: null };
  const message = 'The card processor could not refund the payment.';
  return { processorRefundId: null, declined: { message, details: { code: status, declineCode: null } } };
}
