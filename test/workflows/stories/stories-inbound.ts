// What the card processor reports, one event per workflow: money taken, money refunded, and money paid out. Their
// histories are in test/histories.
import { randomBytes } from 'node:crypto';
import { inboundWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import type { CardEvent } from '../../../domain/billing/card-events.ts';
import { bill, insure, SAMPLE_TOTAL_CENTS } from '../billing/billed.ts';
import type { Engine } from '../run-engine.ts';
import type { HistoryName, Story } from './story.ts';

const newKey = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;

async function happened({ temporal, queue }: Engine, event: CardEvent): Promise<HistoryName> {
  const workflowId = inboundWorkflowId('card-processor', event.eventId);
  const args = [{ provider: 'card-processor', event }];
  await temporal.client.workflow.execute(WORKFLOW_TYPES.inboundEvent, { workflowId, taskQueue: queue, args });
  return { workflowId };
}

const inboundEvent: Story = async (tenant, engine) => {
  const invoiceId = await bill(await insure(tenant));
  const [intentId, chargeId] = [newKey('pi'), newKey('ch')];
  const event: CardEvent = {
    ...{ eventId: newKey('evt'), type: 'payment_intent.succeeded', livemode: false, createdAt: 1_795_227_590 },
    ...{ intentId, chargeId, disputeId: null, currency: 'usd', amountCents: SAMPLE_TOTAL_CENTS, status: 'succeeded' },
    metadata: { orgId: tenant.orgId, invoiceId, refundId: null },
    failure: null,
  };
  const taken = await happened(engine, event);
  const returned = { ...event, eventId: newKey('evt'), type: 'charge.refunded', amountCents: 10_000 };
  const given = await happened(engine, returned);
  return [
    { ...taken, suffix: 'taken' },
    { ...given, suffix: 'given-back' },
  ];
};

/** Collected money reaches the trust account. */
const cardPayout: Story = async ({ orgId }, { temporal, queue, providers }) => {
  const { card, processor } = providers;
  const order = { amountCents: SAMPLE_TOTAL_CENTS, metadata: { orgId, invoiceId: '', policyId: '' } };
  const { id } = await card.createIntent({ idempotencyKey: newKey('key'), ...order });
  processor.pay(id);
  const workflowId = inboundWorkflowId('card-processor', newKey('evt'));
  const args = [{ payoutId: processor.payOut() }];
  await temporal.client.workflow.execute(WORKFLOW_TYPES.cardPayout, { workflowId, taskQueue: queue, args });
  return [{ workflowId }];
};

export const INBOUND_STORIES: Record<string, Story> = { 'inbound-event': inboundEvent, 'card-payout': cardPayout };
