// A refund on the wire: the payment with a negative amount, how each part is returned, and who has to approve it. Pure.
// Contract 3.4 "refund".
import { z } from 'zod';
import type { Disbursement } from '../../../../db/entities/billing/disbursement.ts';
import type { Payment, RefundAllocation } from '../../../../db/entities/billing/payment.ts';
import { DISBURSEMENT_STATUSES } from '../../../../domain/billing/disbursement.ts';
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../../../domain/billing/payment.ts';
import { toDollars } from '../../../../domain/money.ts';
import { actorId, idReference, instant, signedDollars } from '../../../spine/schemas.ts';
import { PaymentSchema } from '../payments.schemas.ts';
import { paymentToWire } from '../payments.wire.ts';

const RefundPartSchema = z
  .strictObject({
    method: z.enum(PAYMENT_METHODS).meta({
      description: 'How the money was originally paid.',
    }),
    amount: signedDollars.meta({
      description: 'Amount in dollars. It is negative, like the amount of the refund.',
    }),
    reference: z.string().meta({
      description:
        "For a card: the processor's refund. Otherwise: the check number or transfer reference, or the id of the disbursement while it is not issued. Before either exists: the id of this refund.",
    }),
    status: z.enum([...PAYMENT_STATUSES, ...DISBURSEMENT_STATUSES.filter((status) => status !== 'pending')]),
    disbursementId: idReference('disbursement').nullable().meta({
      description: 'The disbursement that pays this part. It is null when the part goes back to a card.',
    }),
  })
  .meta({
    id: 'RefundPart',
    description:
      'One part of a refund. A card part that failed stays in the list, followed by the check that replaces it. All parts that did not fail sum to the refund.',
  });

const RefundApprovalSchema = z
  .strictObject({
    status: z.enum(['pending', 'approved', 'rejected']),
    requestedBy: actorId,
    decidedBy: actorId.nullable(),
    decidedAt: instant.nullable(),
    reason: z.string().nullable(),
  })
  .meta({
    id: 'RefundApproval',
    description:
      'The decision on a refund that needs approval: one above 1,000 dollars when the flag `refund_approval` is on; a smaller one that exceeds this amount together with the refunds on the same policy in the last 30 days that nobody approved; and any to an insured whose name resembles an entry of the sanctions list and is not cleared.',
  });

export const RefundSchema = z
  .strictObject({
    ...PaymentSchema.shape,
    policyId: idReference('policy').nullable(),
    requiresManualReview: z.boolean(),
    parts: z.array(RefundPartSchema),
    approval: RefundApprovalSchema.nullable(),
    version: z.number().int(),
  })
  .meta({ id: 'Refund' });

type PartWire = z.output<typeof RefundPartSchema>;

/** Returns a refund in dollars; `disbursements` are its own, oldest first. */
export function refundToWire(refund: Payment, disbursements: readonly Disbursement[]): z.output<typeof RefundSchema> {
  const { policyId, requiresManualReview, version } = refund;
  const parts = refund.allocations.flatMap((part) => partToWire(refund, part, disbursements));
  return {
    ...paymentToWire(refund, []),
    policyId,
    requiresManualReview,
    parts,
    approval: approvalToWire(refund),
    version,
  };
}

function partToWire(refund: Payment, part: RefundAllocation, disbursements: readonly Disbursement[]): PartWire[] {
  const amount = toDollars(-part.amountCents);
  if (part.method !== 'card') {
    const owed = disbursements.find(({ cause }) => cause === 'refund') ?? null;
    return [owed === null ? reserved(refund, part, amount) : byCheck(owed, part.method, amount)];
  }
  if (part.failedAt === undefined) return [reserved(refund, part, amount)];
  const owed = disbursements.find(({ processorRefundId }) => processorRefundId === part.processorRefundId) ?? null;
  const failed: PartWire = { ...reserved(refund, part, amount), status: 'failed' };
  return owed === null ? [failed] : [failed, byCheck(owed, 'check', amount)];
}

/** A part with the status of the refund. */
function reserved({ id, status }: Payment, { method, processorRefundId }: RefundAllocation, amount: number): PartWire {
  return { method, amount, reference: processorRefundId ?? id, status, disbursementId: null };
}

function byCheck({ id, status, reference }: Disbursement, method: PartWire['method'], amount: number): PartWire {
  return { method, amount, reference: reference ?? id, status, disbursementId: id };
}

function approvalToWire({ approval }: Payment): z.output<typeof RefundApprovalSchema> | null {
  if (!approval) return null;
  const { decision, requestedBy, decidedBy, decidedAt, reason } = approval;
  return { status: decision ?? 'pending', requestedBy, decidedBy, decidedAt, reason };
}
