// Which errors an operation can answer with, and how they look: most follow from what the operation is.
import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '../../domain/errors.ts';
import type { Route } from '../spine/route.ts';

const SAMPLE_REQUEST_ID = 'req_01jz8k3v5ne0rbx4q2mw7t6yha';

/** Gives every code an operation may answer with, in the order of the catalogue. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...route.errors, 'internal_error']);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  const { access } = route;
  if (route.rateLimit !== 'probe') add('rate_limited');
  if (access.kind !== 'open') add('unauthenticated', 'forbidden', 'validation_failed', 'service_unavailable');
  if (access.kind === 'organization') add('not_found');
  if (route.params) add('not_found');
  if (route.query) add('validation_failed');
  if (route.body) add('malformed_json', 'validation_failed', 'payload_too_large', 'unsupported_media_type');
  if (route.idempotent) add('idempotency_key_reused', 'idempotency_in_progress');
  if (isConditional(route)) add('precondition_failed');
  return (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Says whether an operation changes a row that has a version, so that `If-Match` is honoured. */
export function isConditional({ access, method }: Route): boolean {
  return access.kind === 'organization' && access.resource?.version !== undefined && method !== 'get';
}

/** An example of each error body. */
export function errorExamples(): Record<string, { summary: string; value: object }> {
  return Object.fromEntries(
    (Object.keys(ERROR_STATUS) as ErrorCode[]).map((code) => [
      code,
      {
        summary: `${ERROR_STATUS[code]} ${code}`,
        value: {
          error: code,
          message: MESSAGES[code] ?? 'What went wrong, in a sentence for people.',
          details: DETAILS[code] ?? {},
          requestId: SAMPLE_REQUEST_ID,
        },
      },
    ]),
  );
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  malformed_json: 'The body is not JSON in UTF-8.',
  validation_failed: 'insuredName is required.',
  unauthenticated: 'The credential is not valid.',
  forbidden: 'This credential is not allowed to perform submission:bind.',
  not_found: 'There is no such policy.',
  method_not_allowed: 'This path allows GET, HEAD, OPTIONS.',
  idempotency_key_reused: 'This Idempotency-Key was used for another request.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still running.',
  precondition_failed: 'The resource has changed since you read it.',
  payload_too_large: 'The body has more than 1048576 bytes.',
  unsupported_media_type: 'The body must be application/json.',
  invalid_state_transition: 'A submission that is bound does not allow "quote".',
  delegated_authority_exceeded: 'The delegated authority does not allow this.',
  quote_expired: 'The quote has expired.',
  not_ready: 'The submission is not complete.',
  rate_limited: 'More than 1000 requests in a minute.',
  internal_error: 'Something went wrong. Name the request id when you ask for help.',
  service_unavailable: 'The workflow engine cannot be reached. Try again shortly.',
};

const DETAILS: Partial<Record<ErrorCode, ErrorDetails>> = {
  validation_failed: { field: 'insuredName', rule: 'required' },
  forbidden: { permission: 'submission:bind' },
  method_not_allowed: { allowed: ['GET', 'HEAD', 'OPTIONS'] },
  payload_too_large: { maxBytes: 1_048_576 },
  unsupported_media_type: { supported: ['application/json'] },
  invalid_state_transition: { resource: 'submission', from: 'bound', action: 'quote', allowed: [] },
  delegated_authority_exceeded: { daFlags: [] },
  not_ready: { missing: ['naicsCode'], blockers: [] },
  rate_limited: { limit: 1_000, retryAfterSeconds: 12 },
  service_unavailable: { retryAfterSeconds: 2 },
};
