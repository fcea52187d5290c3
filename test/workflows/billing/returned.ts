// Money that comes in and goes back: steps and checks shared by the refund and chargeback tests.
import { randomBytes } from 'node:crypto';
import type { RefundOutcome } from '../../../contracts/billing.ts';
import type { InboundOutcome } from '../../../contracts/inbound.ts';
import {
  inboundWorkflowId,
  paymentWorkflowId,
  refundWorkflowId,
  startOptions,
  WORKFLOW_TYPES,
} from '../../../contracts/machinery/start.ts';
import { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import { newId } from '../../../db/ids.ts';
import { returnsOfInvoice } from '../../../db/queries/billing/refunds.ts';
import type { CardEvent } from '../../../domain/billing/card-events.ts';
import type { Engine, Tenant } from '../run-engine.ts';
import { payment } from './billed.ts';

export interface CardPayment {
  intentId: string;
  paymentId: string;
}

/** Pays by check, by default all of the sample, and waits until the saga has ended. */
export async function payByCheck(engine: Engine, tenant: Tenant, invoiceId: string, amountCents?: number) {
  const paymentId = newId('payment');
  const payload = payment(invoiceId, amountCents === undefined ? {} : { amountCents });
  await tenant.lifecycle.recordPayment(tenant.command(paymentId, payload));
  await sagaOf(engine, paymentWorkflowId(tenant.orgId, paymentId)).result();
  return paymentId;
}

/** A customer pays by card, the processor reports it, and the saga has ended. */
export async function payByCard(
  engine: Engine,
  tenant: Tenant,
  invoiceId: string,
  amountCents: number,
): Promise<CardPayment> {
  const metadata = { orgId: tenant.orgId, invoiceId, policyId: 'pol' };
  const { card, processor } = engine.providers;
  const intent = await card.createIntent({ idempotencyKey: randomBytes(8).toString('hex'), amountCents, metadata });
  processor.pay(intent.id);
  const facts = { intentId: intent.id, amountCents, metadata: { orgId: tenant.orgId, invoiceId, refundId: null } };
  const { paymentId } = await deliver(engine, cardEvent('payment_intent.succeeded', facts));
  if (paymentId === null) throw new Error('The payment was not recorded');
  await sagaOf(engine, paymentWorkflowId(tenant.orgId, paymentId)).result();
  return { intentId: intent.id, paymentId };
}

/** An event as the inbound pipeline passes it on. */
function cardEvent(type: string, facts: Partial<CardEvent>): CardEvent {
  return {
    eventId: `evt_${randomBytes(10).toString('hex')}`,
    type,
    livemode: false,
    createdAt: Math.floor(Date.now() / 1000),
    intentId: null,
    chargeId: null,
    disputeId: null,
    currency: 'usd',
    amountCents: null,
    status: null,
    metadata: { orgId: null, invoiceId: null, refundId: null },
    failure: null,
    ...facts,
  };
}

/** `charge.refunded`; the amount is the total refunded so far. */
export const chargeRefunded = (intentId: string, amountCents: number) =>
  cardEvent('charge.refunded', { intentId, amountCents, chargeId: `ch_${intentId}` });

/** `refund.failed`: one of our refunds did not reach the card after all. */
export const refundFailed = (
  intentId: string,
  processorRefundId: string,
  amountCents: number,
  of: CardEvent['metadata'],
) => cardEvent('refund.failed', { intentId, processorRefundId, amountCents, status: 'failed', metadata: of });

/** `charge.dispute.created` or `.closed`. */
export const dispute = (what: 'created' | 'closed', intentId: string, amountCents: number, status: string) =>
  cardEvent(`charge.dispute.${what}`, { intentId, amountCents, status, disputeId: `dp_${intentId}` });

/** Has the engine handle an event, and returns the outcome. */
export function deliver(engine: Engine, event: CardEvent): Promise<InboundOutcome> {
  const workflowId = inboundWorkflowId('card-processor', event.eventId);
  return engine.temporal.client.workflow.execute(WORKFLOW_TYPES.inboundEvent, {
    ...startOptions(workflowId, 'saga', { orgId: engine.orgId, entityId: event.eventId }),
    taskQueue: engine.queue,
    args: [{ provider: 'card-processor', event }],
  });
}

/** Requests a refund, by default of everything; `saga` waits for its end. */
export function refund(tenant: Tenant, invoiceId: string, amountCents: number | null = null): Promise<RefundOutcome> {
  const payload = { invoiceId, amountCents, reason: 'Paid twice' };
  return tenant.lifecycle.refundInvoice(tenant.command(newId('refund'), payload));
}

/** Requests a refund and waits until its saga has ended. */
export async function refunded(engine: Engine, tenant: Tenant, invoiceId: string, amountCents: number | null = null) {
  const outcome = await refund(tenant, invoiceId, amountCents);
  await refundSaga(engine, tenant, outcome.refundId).result();
  return outcome;
}

let checks = 1000;

/** Issues a check for everything that an invoice's returns owe. */
export async function issueChecks(tenant: Tenant, invoiceId: string): Promise<void> {
  const owed = await tenant.database.forOrg(tenant.orgId, (em) =>
    em.find(Disbursement, { invoiceId, status: { $in: ['pending', 'stopped'] } }),
  );
  for (const { id } of owed) {
    checks += 1;
    const payload = { method: 'check', reference: String(checks), issuedOn: null } as const;
    await tenant.lifecycle.issueDisbursement(tenant.command(id, payload));
  }
}

export const refundSaga = (engine: Engine, { orgId }: Tenant, refundId: string) =>
  sagaOf(engine, refundWorkflowId(orgId, refundId));

/** Waits until the sagas of all of an invoice's returns have ended. */
export async function allReturned(engine: Engine, tenant: Tenant, invoiceId: string): Promise<void> {
  const rows = await tenant.database.forOrg(tenant.orgId, (em) => returnsOfInvoice(em, invoiceId));
  for (const { id } of rows) await refundSaga(engine, tenant, id).result();
}

export const sagaOf = ({ temporal }: Engine, workflowId: string) => temporal.client.workflow.getHandle(workflowId);
