// Disputes: a cardholder demands the money back from the bank, and the bank decides.
import { paidCharge } from './charges.ts';
import { newId } from './ids.ts';
import { secondsOf, type Work } from './operation.ts';
import { missing, wrongState } from './problem.ts';
import type { Dispute } from './wire.ts';

/** The cardholder disputes what an intent has taken, all of it by default. */
export function openDispute(work: Work, intentId: string, amount: number | null): Dispute {
  const charge = paidCharge(work, intentId);
  if (charge === null) throw missing('payment_intent', intentId);
  const dispute: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: amount ?? charge.amount_captured - charge.amount_refunded,
    charge: charge.id,
    created: secondsOf(work),
    currency: charge.currency,
    livemode: false,
    metadata: {},
    payment_intent: intentId,
    reason: 'general',
    status: 'needs_response',
  };
  work.store.save(dispute);
  work.store.save({ ...charge, disputed: true });
  work.emit('charge.dispute.created', dispute);
  return dispute;
}

/** The bank has decided. */
export function closeDispute(work: Work, disputeId: string, status: 'won' | 'lost'): Dispute {
  const dispute = work.store.find<Dispute>('dispute', disputeId);
  if (dispute === null) throw missing('dispute', disputeId);
  if (dispute.status !== 'needs_response') throw wrongState('dispute_closed', `${disputeId} is ${dispute.status}.`);
  dispute.status = status;
  work.store.save(dispute);
  work.emit('charge.dispute.closed', dispute, { status: 'needs_response' });
  return dispute;
}
