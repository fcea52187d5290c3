// Events of providers: recordInboundEvent, and whose they are: ownerOfCardPayment.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { InboundEvent } from '../entities/inbound-event.ts';
import { Payment } from '../entities/payment.ts';
import { organizationOf } from '../scope.ts';

/**
 * Adds an event to the transaction of what it brought about. Of several transactions that do so for one event, in whatever
 * organizations, one is told true; the others wait for its end and are told false.
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

/** Finds whose card payment came by an intent, in whatever organization; null for none. Needs the scope of all organizations. */
export async function ownerOfCardPayment(
  em: EntityManager,
  intentId: string,
): Promise<{ orgId: string; invoiceId: string | null } | null> {
  const payment = await em.findOne(Payment, { kind: 'card', reference: intentId });
  return payment && { orgId: payment.orgId, invoiceId: payment.invoiceId };
}
