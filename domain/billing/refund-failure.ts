// A card refund that failed after being accepted: which part of a recorded refund it was.
import type { Cents } from '../money.ts';

/** The processor's refund that failed. */
export interface FailedCardRefund {
  /** The receipt that it was refunding. */
  paymentId: string;
  processorRefundId: string;
  amountCents: Cents;
  /** When it failed, in Unix seconds. */
  createdAt: number;
}

interface CardAllocation {
  paymentId: string;
  amountCents: Cents;
  /** The part of it not applied to any invoice; missing if the refund itself has it. */
  unappliedCents?: Cents;
  method: string;
  processorRefundId: string | null;
  failedAt?: number;
}

/**
 * Finds the refund that failed in part or whole: the one that names the processor's refund, otherwise one recorded
 * from the processor's total, which names none, for at least as much. Null when there is none.
 */
export function refundThatFailed<Refund extends { allocations: CardAllocation[] }>(
  refunds: readonly Refund[],
  failed: FailedCardRefund,
): Refund | null {
  const having = (isPart: typeof isNamed) =>
    refunds.find((refund) => refund.allocations.some((part) => isPart(part, failed)));
  return having(isNamed) ?? having(isUnnamed) ?? null;
}

/**
 * Marks the part that failed, splitting it off a larger one that was several refunds in one total. `unappliedCents` is
 * the refund's own figure, for a part that does not say how much of it was unapplied.
 */
export function failAllocation<Part extends CardAllocation>(
  parts: readonly Part[],
  failed: FailedCardRefund,
  unappliedCents: Cents = 0,
): Part[] {
  const found = parts.find((part) => isNamed(part, failed)) ?? parts.find((part) => isUnnamed(part, failed));
  const { amountCents, processorRefundId, createdAt: failedAt } = failed;
  return parts.flatMap((part) => {
    if (part !== found) return [part];
    const restCents = part.amountCents - amountCents;
    if (restCents <= 0) return [{ ...part, processorRefundId, failedAt }];
    const beside = part.unappliedCents ?? unappliedCents;
    const besideFailed = Math.min(beside, amountCents);
    return [
      { ...part, amountCents, ...unapplied(beside, besideFailed), processorRefundId, failedAt },
      { ...part, amountCents: restCents, ...unapplied(beside, beside - besideFailed) },
    ];
  });
}

/** Two parts of one receipt each state their unapplied amount, if there is any. */
function unapplied(beside: Cents, ofPart: Cents): { unappliedCents?: Cents } {
  return beside > 0 ? { unappliedCents: ofPart } : {};
}

function isNamed(part: CardAllocation, { processorRefundId }: FailedCardRefund): boolean {
  return part.processorRefundId === processorRefundId;
}

function isUnnamed(part: CardAllocation, { paymentId, amountCents }: FailedCardRefund): boolean {
  const isOpen = part.processorRefundId === null && part.failedAt === undefined && part.method === 'card';
  return isOpen && part.paymentId === paymentId && part.amountCents >= amountCents;
}
