// The codec server for Temporal's web UI and CLI: decodes what workflows have stored, and encodes it. An empty list may
// be missing: the CLI omits it. The shapes are those of Temporal's remote codecs:
// https://docs.temporal.io/remote-data-encoding
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { ApiConfig } from '../../../config.ts';
import { validationError } from '../../../domain/errors.ts';
import { PayloadKeyError } from '../../../providers/payload-codec.ts';
import { recode, type WirePayload } from '../../../providers/payload-wire.ts';
import { payloadCodecs } from '../../../providers/temporal.ts';
import { allowPlatform } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';

const PAYLOADS_MAX = 5_000;
const BASE64_MAX_CHARACTERS = 1_000_000;
const METADATA_NAME_MAX_CHARACTERS = 200;

const base64 = z
  .string()
  .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
  .max(BASE64_MAX_CHARACTERS);
const PayloadSchema = z.strictObject({
  metadata: z
    .record(z.string().max(METADATA_NAME_MAX_CHARACTERS), base64.min(1))
    .optional()
    .meta({ description: 'Describes the data, each value in base64.' }),
  data: base64.nullish().meta({ description: 'The data in base64. It is empty when there is none.' }),
});
const PayloadsSchema = z.strictObject({ payloads: z.array(PayloadSchema).max(PAYLOADS_MAX).default([]) }).meta({
  id: 'Payloads',
  description: 'Temporal payloads, as its web interface and CLI send them to a codec server.',
});
const RecodedPayloadsSchema = z
  .object({ payloads: z.array(PayloadSchema) })
  .meta({ id: 'RecodedPayloads', description: 'The same payloads in the same order, decrypted or encrypted.' });

const facts = {
  method: 'post',
  tag: 'Platform',
  spec: 'Contract 2',
  body: PayloadsSchema,
  response: { status: 200, body: RecodedPayloadsSchema },
  // Decoded payloads are shown, not stored.
  idempotent: false,
  errors: [],
} as const;

const NAMESPACE = "The header `X-Namespace` may only name this installation's namespace.";

const decodePayloads = route({
  ...facts,
  path: '/temporal-codec/decode',
  operationId: 'decodePayloads',
  summary: 'Decrypt payloads of workflows, for the Temporal web interface and CLI',
  description: `${NAMESPACE} A payload that was encrypted with an unknown key is refused.`,
  access: allowPlatform('payload:decode'),
  handler: async ({ body, headers, deps: { config } }) => {
    ensureNamespace(headers, config);
    return recoded(body.payloads, config, 'decode');
  },
});

const encodePayloads = route({
  ...facts,
  path: '/temporal-codec/encode',
  operationId: 'encodePayloads',
  summary: 'Encrypt payloads for workflows, for the Temporal web interface and CLI',
  description: `${NAMESPACE} The first key of the installation encrypts them.`,
  access: allowPlatform('payload:encode'),
  handler: async ({ body, headers, deps: { config } }) => {
    ensureNamespace(headers, config);
    return recoded(body.payloads, config, 'encode');
  },
});

export const payloadRoutes = [decodePayloads, encodePayloads];

/** The CLI sends none if its caller does not. @throws DomainError validation_failed for a namespace other than ours */
function ensureNamespace(headers: IncomingHttpHeaders, { temporalNamespace }: ApiConfig): void {
  const { 'x-namespace': named } = headers;
  if (!named || named === temporalNamespace) return;
  throw validationError('X-Namespace', 'enum', NAMESPACE);
}

/** @throws DomainError validation_failed for a payload that no key decrypts */
async function recoded(payloads: readonly WirePayload[], config: ApiConfig, direction: 'encode' | 'decode') {
  try {
    return { payloads: await recode(payloads, payloadCodecs(config.payloadKeys), direction) };
  } catch (error) {
    if (error instanceof PayloadKeyError) throw validationError('payloads', 'unknown_reference', error.message);
    throw error;
  }
}
