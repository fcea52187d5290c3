// The operations of the providers, from their descriptions. They need no credential: their signature is one. Spec 4.9,
// 5.11, 6.3.
import { z } from 'zod';
import { validationError } from '../../domain/errors.ts';
import { JSON_BODY_MAX_BYTES } from '../../domain/limits.ts';
import { open } from '../spine/access.ts';
import { reply } from '../spine/reply.ts';
import { type Route, route } from '../spine/route.ts';
import { cardProcessor } from './card-processor.ts';
import { eSignature } from './e-signature.ts';
import { emailProvider } from './email-provider.ts';
import { identityVerifier } from './identity-verifier.ts';
import type { InboundPath, InboundProvider } from './provider.ts';
import { receive } from './receive.ts';

/** Every provider whose events are received. */
const PROVIDERS: readonly InboundProvider[] = [cardProcessor, identityVerifier, emailProvider, eSignature];

const ReceiptSchema = z
  .strictObject({
    received: z.literal(true).optional(),
    deduplicated: z.literal(true).optional().meta({ description: 'True when the event had already been processed.' }),
  })
  .meta({ id: 'InboundReceipt' });

const EventSchema = z.looseObject({}).meta({ description: 'The event, as the provider sends it.' });

export const inboundRoutes: readonly Route[] = PROVIDERS.flatMap((provider) =>
  provider.paths.map((path) => inboundRoute(provider, path)),
);

function inboundRoute(provider: InboundProvider, { path, operationId }: InboundPath): Route {
  return route({
    method: 'post',
    path,
    operationId,
    tag: 'Inbound events',
    spec: provider.spec,
    summary: `Receive an event from the ${provider.title}`,
    description:
      'The signature covers every byte of the body. A wrong signature returns 401, and one older than five minutes 400. ' +
      '200 means that the event is recorded; after any other answer, send it again.',
    access: open('the signature proves the sender'),
    signatureHeaders: provider.signatureHeaders,
    rateLimit: 'webhook',
    upload: { contentTypes: ['application/json'], maxBytes: JSON_BODY_MAX_BYTES, schema: EventSchema },
    response: { status: 200, body: ReceiptSchema },
    alternates: provider.ignored
      ? [{ status: 202, body: ReceiptSchema, description: provider.ignored, exampleName: 'ignored' }]
      : [],
    errors: [
      ...(provider.refusesReplays ? (['replayed'] as const) : []),
      'unauthenticated',
      'validation_failed',
      'malformed_json',
      'payload_too_large',
      'unsupported_media_type',
      'service_unavailable',
    ],
    handler: async ({ upload, headers, clientAddress, requestId, deps }) => {
      if (upload === null) throw validationError('body', 'required', 'The body is empty.');
      const delivery = { raw: upload.bytes, headers, client: clientAddress, nowMs: deps.now() };
      return reply(await receive(provider, delivery, requestId, deps));
    },
  });
}
