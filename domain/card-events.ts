// Which events of the card processor bring something about. Spec 6.4, Contract 3.4.

/** The types of event that change something here; every other one is acknowledged and forgotten. Spec 6.4; disputes are an extension. */
export const CARD_EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const;
export type CardEventType = (typeof CARD_EVENT_TYPES)[number];

/** Tells whether an event of this type brings something about. */
export function isCardEventType(type: string): type is CardEventType {
  return (CARD_EVENT_TYPES as readonly string[]).includes(type);
}
