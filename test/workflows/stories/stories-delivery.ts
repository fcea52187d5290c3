// Events on their way to a receiver that is not running. Their history is in test/histories.

import { payloadKeysIn } from '../../../config/temporal.ts';
import { eventDeliveryWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { Webhook } from '../../../db/entities/delivery/webhook.ts';
import { newId } from '../../../db/ids.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { sealSecret } from '../../../providers/webhooks/secrets.ts';
import { eventually } from '../../support/eventually.ts';
import { TEST_PAYLOAD_KEYS } from '../../support/payload-keys.ts';
import type { Story } from './story.ts';

const CLAIM = {
  claimId: 'clm_01jz8k3v5ne0rbx4q2mw7t6yha',
  claimNumber: 'CLM-2026-000001',
  policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha',
  status: 'reported',
};

const eventDelivery: Story = async ({ orgId, database }, { temporal }) => {
  const id = newId('webhookSubscription');
  await database.transaction(orgId, async (em) => {
    const secret = sealSecret('0'.repeat(64), id, payloadKeysIn(TEST_PAYLOAD_KEYS));
    const none = { description: null, previousSecrets: [], deliveringUntil: null };
    const subscription = {
      url: 'http://127.0.0.1:65001/',
      events: ['*'],
      eventTypes: ['*'],
      status: 'active' as const,
    };
    em.create(Webhook, { id, secret, ...none, ...subscription }, { persist: true });
  });
  await database.transaction(orgId, async (em) => void writeEvent(em, 'claim.filed', CLAIM));
  const workflowId = eventDeliveryWorkflowId(orgId, id);
  const isThere = async () => {
    const { count } = await temporal.client.workflow.count(`WorkflowType = '${WORKFLOW_TYPES.eventDelivery}'`);
    return count > 0;
  };
  await eventually(isThere, { what: 'the workflow' });
  await temporal.client.workflow.getHandle(workflowId).result();
  return [{ workflowId }];
};

export const DELIVERY_STORIES: Record<string, Story> = { 'event-delivery': eventDelivery };
