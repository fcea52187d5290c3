// The e-signature provider's events. Spec 6.7.
import type { ApiConfig } from '../../config.ts';
import type { SigningEventInput } from '../../contracts/inbound.ts';
import { WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';
import { reportedStatus } from '../../domain/signing/envelope.ts';
import { unusable } from '../../providers/inbound/event-fields.ts';
import { readSigningEvent } from '../../providers/inbound/signing-events.ts';
import { type Delivery, type InboundProvider, NOBODY, type VerifiedEvent } from './provider.ts';

const NAME = 'e-signature';

export const eSignature: InboundProvider = {
  name: NAME,
  title: 'e-signature provider',
  paths: [{ path: '/esign/webhook', operationId: 'receiveSigningEvent' }],
  signatureHeaders: ['x-webhook-signature', 'x-provider-a-signature', 'x-provider-b-signature-1'],
  spec: '4.9, 6.3, 6.7, Contract 3.6',
  read,
};

function read({ raw, headers, nowMs }: Delivery, { inbound }: ApiConfig): VerifiedEvent {
  const { esignProvider: provider, esignSecrets: secrets } = inbound;
  const event = readSigningEvent({ body: raw, headers, provider, secrets, nowMs });
  const { eventId } = event;
  // An event about no envelope, such as one provider sends during setup, is also acknowledged.
  if (reportedStatus(event.type) === null) return { id: eventId, workflow: null };
  const [entityId] = event.externalIds;
  if (entityId === undefined) throw unusable('documentId');
  const input: SigningEventInput = { provider: NAME, event };
  return {
    id: eventId,
    workflow: {
      type: WORKFLOW_TYPES.signingEvent,
      input,
      facts: { orgId: NOBODY, entityId },
      summary: `${event.type} ${entityId}`,
    },
  };
}
