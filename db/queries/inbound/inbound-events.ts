// Provider events: recording each one once, and finding its owner.
import type { EntityManager } from '@mikro-orm/postgresql';
import { Payment } from '../../entities/billing/payment.ts';
import { Producer } from '../../entities/distribution/producer.ts';
import type { InboundEvent } from '../../entities/inbound/inbound-event.ts';
import { findById } from '../../entity-rows.ts';
import { organizationOf } from '../../scope.ts';

/**
 * Adds an event to the transaction of its effects. If several transactions record the same event, in any organizations,
 * one gets true; the others wait for it to end and get false.
 */
export async function recordInboundEvent(
  em: EntityManager,
  { provider, id, type, outcome, paymentId }: Pick<InboundEvent, 'provider' | 'id' | 'type' | 'outcome' | 'paymentId'>,
): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `insert into inbound_events (org_id, provider, id, type, outcome, payment_id) values (?, ?, ?, ?, ?, ?)
      on conflict (provider, id) do nothing returning 1`,
    [organizationOf(em), provider, id, type, outcome, paymentId],
  );
  return rows.length === 1;
}

/**
 * Finds the organization of the card payment for an intent, in any organization; null for none. Needs the scope of all
 * organizations.
 */
export async function ownerOfCardPayment(
  em: EntityManager,
  intentId: string,
): Promise<{ orgId: string; invoiceId: string | null } | null> {
  const payment = await em.findOne(Payment, { kind: 'card', reference: intentId });
  return payment && { orgId: payment.orgId, invoiceId: payment.invoiceId };
}

/** Finds a producer's organization; null for none. Needs the scope of all organizations. */
export async function ownerOfProducer(em: EntityManager, producerId: string): Promise<string | null> {
  return (await findById(em, Producer, producerId))?.orgId ?? null;
}
