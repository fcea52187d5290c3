// Reads a JSON body within its limits and checks it against a schema. Contract 1 "Body size", "Error catalogue".
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { DomainError, validationErrors } from '../../domain/errors.ts';
import { ANONYMOUS_BODY_MAX_BYTES } from '../../domain/limits.ts';
import { parseJson, readBytes } from '../../http/body.ts';
import { check } from '../../http/validation.ts';

/** No caller here has proved anything yet. */
const BOUNDS = { maxBytes: ANONYMOUS_BODY_MAX_BYTES, drainMaxBytes: 4_194_304 };

/**
 * Reads the JSON of a request; undefined without a body.
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json, validation_failed
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, BOUNDS);
  if (bytes.length === 0) return undefined;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new DomainError('unsupported_media_type', 'The body must be application/json.', {
      supported: ['application/json'],
    });
  }
  return parseJson(bytes);
}

/**
 * Returns a body that fits its schema.
 * @throws DomainError validation_failed naming every violated rule
 */
export function ensureBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const checked = check(schema, body ?? {});
  if (!checked.ok) throw validationErrors(checked.issues);
  return checked.value as z.output<Schema>;
}
