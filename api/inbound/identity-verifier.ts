// The identity verifier's events. Spec 6.5.
import { createHash } from 'node:crypto';
import type { ApiConfig } from '../../config.ts';
import type { IdentityEventInput } from '../../contracts/inbound.ts';
import { WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';
import { IDENTITY_REPLAY_WINDOW_SECONDS } from '../../domain/limits.ts';
import { INQUIRY_COMPLETED, readIdentityEvent } from '../../providers/inbound/identity-events.ts';
import {
  type Delivery,
  type InboundProvider,
  NOBODY,
  oneOfHeaders,
  sentHeader,
  type VerifiedEvent,
} from './provider.ts';

const NAME = 'identity-verifier';

export const identityVerifier: InboundProvider = {
  name: NAME,
  title: 'identity verifier',
  paths: [
    { path: '/webhooks/persona', operationId: 'receivePersonaEvent' },
    { path: '/webhooks/identity-verifier', operationId: 'receiveIdentityVerifierEvent' },
  ],
  signatureHeaders: ['Persona-Signature', 'Verifier-Signature'],
  ignored: 'The event has no effect here.',
  refusesReplays: true,
  spec: '6.3, 6.5, Contract 3.6',
  read,
};

function read({ raw, headers, nowMs }: Delivery, { inbound }: ApiConfig): VerifiedEvent {
  const signature = oneOfHeaders(headers, 'persona-signature', 'verifier-signature');
  const event = readIdentityEvent({
    ...{ body: raw, signature, nowMs },
    secrets: inbound.identityVerifierSecrets,
    field: sentHeader(headers, 'Persona-Signature', 'Verifier-Signature'),
  });
  const hash = createHash('sha256')
    .update(signature ?? '')
    .digest('hex');
  const seen = { id: event.eventId, once: { hash, forSeconds: IDENTITY_REPLAY_WINDOW_SECONDS } };
  if (event.type !== INQUIRY_COMPLETED) return { ...seen, workflow: null, isIgnored: true };
  const { producerId } = event;
  if (producerId === null) return { ...seen, workflow: null };
  const input: IdentityEventInput = { provider: NAME, event };
  return {
    ...seen,
    workflow: {
      type: WORKFLOW_TYPES.identityEvent,
      input,
      facts: { orgId: NOBODY, entityId: producerId },
      summary: `${event.type} ${producerId}`,
    },
  };
}
