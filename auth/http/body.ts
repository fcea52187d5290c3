// Reads a JSON body within its bounds and holds it against a schema. Contract 1 "Body size", "Error catalogue".
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { DomainError, type ValidationIssue, type ValidationRule, validationErrors } from '../../domain/errors.ts';

/** Nothing that is asked for here is larger. */
const BODY_MAX_BYTES = 16_384;
const DRAIN_MAX_BYTES = 4_194_304;

/**
 * Reads the JSON of a request; undefined without a body.
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new DomainError('unsupported_media_type', 'The body must be application/json.', {
      supported: ['application/json'],
    });
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new DomainError('malformed_json', 'The body is not JSON in UTF-8.');
  }
}

/**
 * Gives a body that fits its schema.
 * @throws DomainError validation_failed naming every broken rule
 */
export function ensureBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body ?? {}, { reportInput: true });
  if (result.success) return result.data;
  throw validationErrors(result.error.issues.flatMap(issuesOf));
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > DRAIN_MAX_BYTES) break;
    if (size <= BODY_MAX_BYTES) chunks.push(chunk);
  }
  if (size > BODY_MAX_BYTES) {
    throw new DomainError('payload_too_large', `The body has more than ${BODY_MAX_BYTES} bytes.`, {
      maxBytes: BODY_MAX_BYTES,
    });
  }
  return Buffer.concat(chunks, size);
}

function issuesOf(issue: z.core.$ZodIssue): ValidationIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: key, rule: 'unknown_field', message: `${key} is not a known field.` }));
  }
  const field = issue.path.map(String).join('.') || 'body';
  return [{ field, rule: ruleOf(issue), message: `${field}: ${issue.message}` }];
}

function ruleOf(issue: z.core.$ZodIssue): ValidationRule {
  if ('input' in issue && issue.input === undefined) return 'required';
  if (issue.code === 'invalid_type') return 'type';
  if (issue.code === 'too_small') return 'min';
  return issue.code === 'too_big' ? 'max' : 'format';
}
