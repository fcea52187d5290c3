// The card processor events that change something here. Spec 6.4, Contract 3.4.

/** The event types that we act on; all others are acknowledged and dropped. Spec 6.4; disputes are an extension. */
export const CARD_EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const;
export type CardEventType = (typeof CARD_EVENT_TYPES)[number];

/** Whether we act on events of this type. */
export function isCardEventType(type: string): type is CardEventType {
  return (CARD_EVENT_TYPES as readonly string[]).includes(type);
}
