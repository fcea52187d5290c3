// Disputes: a cardholder demands the money back from the bank, and the bank decides. The processor takes the money when
// a dispute opens, unless the bank only inquires, and gives it back when the dispute is won.
import { keepMovement } from './balance/balance-transactions.ts';
import { paidCharge } from './charges.ts';
import { newId } from './ids.ts';
import { secondsOf, type Work } from './operation.ts';
import { missing, wrongState } from './problem.ts';
import type { Dispute } from './wire.ts';

/** The terms of a dispute. */
export interface DisputeOptions {
  /** By default all of the charge that was not refunded. */
  amountCents?: number | undefined;
  reason?: string | undefined;
  /** True for an inquiry by the bank, which moves no money. */
  isInquiry?: boolean | undefined;
}

/** The cardholder disputes an intent's charge. */
export function openDispute(work: Work, intentId: string, options: DisputeOptions): Dispute {
  const { amountCents, reason = 'general', isInquiry = false } = options;
  const charge = paidCharge(work, intentId);
  if (charge === null) throw missing('payment_intent', intentId);
  const dispute: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: amountCents ?? charge.amount_captured - charge.amount_refunded,
    charge: charge.id,
    created: secondsOf(work),
    currency: charge.currency,
    livemode: false,
    metadata: {},
    payment_intent: intentId,
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  work.store.save(dispute);
  work.store.save({ ...charge, disputed: true });
  work.emit('charge.dispute.created', dispute);
  if (!isInquiry) withdraw(work, dispute);
  return dispute;
}

/** The bank has the evidence; an inquiry becomes a dispute that withdraws the money. */
export function updateDispute(work: Work, disputeId: string): Dispute {
  const dispute = openDisputeOf(work, disputeId);
  const { status } = dispute;
  const isInquiry = status.startsWith('warning_');
  dispute.status = isInquiry ? 'needs_response' : 'under_review';
  work.store.save(dispute);
  work.emit('charge.dispute.updated', dispute, { status });
  if (isInquiry) withdraw(work, dispute);
  return dispute;
}

/** The bank has decided. */
export function closeDispute(work: Work, disputeId: string, status: 'won' | 'lost'): Dispute {
  const dispute = openDisputeOf(work, disputeId);
  const before = { status: dispute.status };
  dispute.status = status;
  work.store.save(dispute);
  work.emit('charge.dispute.closed', dispute, before);
  if (status === 'won' && !before.status.startsWith('warning_')) reinstate(work, dispute);
  return dispute;
}

function withdraw(work: Work, dispute: Dispute): void {
  const { id: source, amount, currency } = dispute;
  keepMovement(work, { type: 'adjustment', amount: -amount, currency, source });
  work.emit('charge.dispute.funds_withdrawn', dispute);
}

function reinstate(work: Work, dispute: Dispute): void {
  const { id: source, amount, currency } = dispute;
  keepMovement(work, { type: 'adjustment', amount, currency, source });
  work.emit('charge.dispute.funds_reinstated', dispute);
}

function openDisputeOf({ store }: Work, disputeId: string): Dispute {
  const dispute = store.find<Dispute>('dispute', disputeId);
  if (dispute === null) throw missing('dispute', disputeId);
  const { status } = dispute;
  if (status === 'won' || status === 'lost') throw wrongState('dispute_closed', `${disputeId} is ${status}.`);
  return dispute;
}
