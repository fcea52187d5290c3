// The email provider's events: each is queued, and processed after its sender gets a response. Spec 6.6.
import type { ApiConfig } from '../../config.ts';
import { emailEventWorkflowId, WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';
import { readEmailEvent } from '../../providers/inbound/email-events.ts';
import {
  type Delivery,
  type InboundProvider,
  NOBODY,
  oneOfHeaders,
  sentHeader,
  type VerifiedEvent,
} from './provider.ts';

export const emailProvider: InboundProvider = {
  name: 'email-provider',
  title: 'email provider',
  paths: [
    { path: '/webhooks/resend', operationId: 'receiveResendEvent' },
    { path: '/webhooks/email-provider', operationId: 'receiveEmailProviderEvent' },
  ],
  signatureHeaders: ['svix-signature', 'message-signature'],
  duplicateAnswer: { deduplicated: true },
  spec: '6.3, 6.6, Contract 3.6',
  read,
};

function read({ raw, headers, nowMs }: Delivery, { inbound }: ApiConfig): VerifiedEvent {
  const part = (name: string) => oneOfHeaders(headers, `svix-${name}`, `message-${name}`);
  const event = readEmailEvent({
    ...{ body: raw, id: part('id'), timestamp: part('timestamp'), signature: part('signature'), nowMs },
    secrets: inbound.emailProviderSecrets,
    named: (name) => sentHeader(headers, `svix-${name}`, `message-${name}`),
  });
  const { messageId, type } = event;
  return {
    id: messageId,
    workflow: {
      type: WORKFLOW_TYPES.emailEvent,
      input: event,
      facts: { orgId: NOBODY, entityId: messageId },
      summary: type,
      queued: { workflowId: emailEventWorkflowId(messageId), queue: 'email' },
    },
  };
}
