// The card processor events that we act on. Spec 6.4, Contract 3.4.

/** The event types that we act on; all others are acknowledged and dropped. Spec 6.4; disputes are an extension. */
const CARD_EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'charge.refund.updated',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const;
export type CardEventType = (typeof CARD_EVENT_TYPES)[number];

/** Whether we act on events of this type. */
export function isCardEventType(type: string): type is CardEventType {
  return (CARD_EVENT_TYPES as readonly string[]).includes(type);
}

/** The event for a card set up for autopay. */
export const CARD_GIVEN = 'setup_intent.succeeded';

/** The part of a card processor's event that is passed on: no card data, no names. */
export interface CardEvent {
  eventId: string;
  type: string;
  livemode: boolean;
  /** Unix seconds. */
  createdAt: number;
  intentId: string | null;
  chargeId: string | null;
  disputeId: string | null;
  /** The processor's own id of a refund. */
  processorRefundId?: string | null;
  /** The processor's own id of a payout. */
  payoutId?: string | null;
  /** The processor's own id of a card set up for autopay, and our id of its setup. */
  setupIntentKey?: string | null;
  setupId?: string | null;
  currency: string | null;
  /**
   * For a payment, the amount taken; for a failed payment, the amount tried; for a refunded charge, the cumulative
   * refunds; for a dispute, the disputed amount.
   */
  amountCents: number | null;
  status: string | null;
  /** Why the cardholder disputes the charge; null for other events. */
  reason?: string | null;
  metadata: { orgId: string | null; invoiceId: string | null; refundId: string | null };
  failure: { code: string | null; declineCode: string | null; message: string } | null;
}
