// The card processor's events. Spec 6.4.
import type { ApiConfig } from '../../config.ts';
import type { AutopaySetupInput } from '../../contracts/autopay.ts';
import type { CardPayoutInput, InboundEventInput } from '../../contracts/inbound.ts';
import { inboundWorkflowId, WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';
import { CARD_GIVEN, type CardEvent, isCardEventType } from '../../domain/billing/card-events.ts';
import { isPayoutEventType } from '../../domain/billing/card-payout.ts';
import { ID_PREFIXES, isId, organizationIdFrom } from '../../domain/ids.ts';
import { readCardEvent } from '../../providers/card-events.ts';
import {
  type Delivery,
  type EventWorkflow,
  headerOf,
  type InboundProvider,
  NOBODY,
  type VerifiedEvent,
} from './provider.ts';

const NAME = 'card-processor';
const SIGNATURE_HEADER = 'stripe-signature';

export const cardProcessor: InboundProvider = {
  name: NAME,
  title: 'card processor',
  paths: [
    { path: '/webhooks/stripe', operationId: 'receiveStripeEvent' },
    { path: '/webhooks/card-processor', operationId: 'receiveCardProcessorEvent' },
  ],
  signatureHeaders: ['Stripe-Signature'],
  spec: '6.3, 6.4, Contract 3.4, 3.6',
  read,
};

function read({ raw, headers, nowMs }: Delivery, config: ApiConfig): VerifiedEvent {
  const event = readCardEvent({
    body: raw,
    signature: headerOf(headers, SIGNATURE_HEADER),
    secrets: config.cardProcessor.webhookSecrets,
    nowMs,
  });
  if (isPayoutEventType(event.type)) return { id: event.eventId, workflow: payoutWorkflow(event, config) };
  if (event.type === CARD_GIVEN) return { id: event.eventId, workflow: setupWorkflow(event, config) };
  if (!isCardEventType(event.type)) return { id: event.eventId, workflow: null };
  const input: InboundEventInput = { provider: NAME, event };
  return {
    id: event.eventId,
    workflow: {
      type: WORKFLOW_TYPES.inboundEvent,
      input,
      facts: {
        orgId: organizationIdFrom(event.metadata.orgId) ?? NOBODY,
        entityId: event.intentId ?? event.eventId,
      },
      summary: `${event.type} ${event.intentId ?? event.eventId}`,
    },
  };
}

/**
 * A payout may settle the money of several organizations. The processor does not have to wait while the payout is read
 * back from it; one that cannot be recorded now is found by the next reconciliation. Null if there is nothing to read.
 */
function payoutWorkflow({ type, eventId, payoutId }: CardEvent, config: ApiConfig): EventWorkflow | null {
  if (payoutId == null || config.cardProcessor.secretKey === null) return null;
  const input: CardPayoutInput = { payoutId };
  const facts = { orgId: NOBODY, entityId: payoutId };
  const queued = { workflowId: inboundWorkflowId(NAME, eventId), queue: 'lifecycle' } as const;
  return { type: WORKFLOW_TYPES.cardPayout, input, facts, summary: `${type} ${payoutId}`, queued };
}

/**
 * A card given for autopay is read back from the processor, which does not have to wait. Null if the card is not ours
 * or comes from the wrong mode.
 */
function setupWorkflow({ type, eventId, livemode, ...event }: CardEvent, config: ApiConfig): EventWorkflow | null {
  const { setupIntentKey, setupId, metadata } = event;
  const orgId = organizationIdFrom(metadata.orgId);
  if (!setupIntentKey || orgId === null || !isId(setupId, ID_PREFIXES.autopaySetup)) return null;
  if (config.cardProcessor.secretKey === null || livemode !== (config.environment === 'production')) return null;
  const input: AutopaySetupInput = { orgId, setupId, setupIntentKey };
  const queued = { workflowId: inboundWorkflowId(NAME, eventId), queue: 'lifecycle' } as const;
  const facts = { orgId, entityId: setupId };
  return { type: WORKFLOW_TYPES.autopaySetup, input, facts, summary: `${type} ${setupIntentKey}`, queued };
}
