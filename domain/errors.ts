// The one error class for expected refusals, and the catalog of codes with their HTTP status. Any other error is a bug
// and becomes `internal_error`. Contract 1, Spec 7.

/** Every error code of the platform with its HTTP status. Contract 1, "Error catalogue". */
export const ERROR_STATUS = {
  malformed_json: 400,
  validation_failed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  already_exists: 409,
  idempotency_key_reused: 409,
  idempotency_in_progress: 409,
  replayed: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_state_transition: 422,
  delegated_authority_exceeded: 422,
  quote_expired: 422,
  not_ready: 422,
  notice_period_not_met: 422,
  outside_policy_term: 422,
  reserve_too_low: 422,
  limit_exhausted: 422,
  amount_exceeds_balance: 422,
  invoice_has_payments: 422,
  refund_exceeds_paid: 422,
  no_failed_payment: 422,
  subscription_inactive: 422,
  deal_room_closed: 422,
  document_not_applicable: 422,
  unreadable_document: 422,
  not_settled: 422,
  payment_declined: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Plain JSON details sent to the caller with an error. */
export type ErrorDetails = Record<string, unknown>;

/** The validation rules. Contract 1. */
export const VALIDATION_RULES = [
  'required',
  'type',
  'format',
  'min',
  'max',
  'enum',
  'unknown_field',
  'unknown_reference',
  'no_change',
] as const;

export type ValidationRule = (typeof VALIDATION_RULES)[number];

/** One broken rule; `field` is a dotted path. Other keys are passed on to the caller as they are. */
export interface ValidationIssue {
  field: string;
  rule: ValidationRule;
  message: string;
  [extra: string]: unknown;
}

/** An expected refusal: a catalog code, a sentence for people and plain JSON details. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly status: number;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
    this.status = ERROR_STATUS[code];
  }
}

/** Whether a text is a catalog code, so that a failure can be restored after crossing a process boundary. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_STATUS, value);
}

const NOT_SET_UP = 'not_set_up';

/**
 * Builds the `service_unavailable` error for a part that this installation does not have, such as `e-signature
 * provider`. Unlike an outage it does not pass: an operator has to configure the part.
 */
export function notSetUp(part: string): DomainError {
  return new DomainError('service_unavailable', `No ${part} is set up here.`, { reason: NOT_SET_UP });
}

/** Whether an error is the one that `notSetUp` builds, on either side of a process boundary. */
export function isNotSetUp({ code, details }: DomainError): boolean {
  return code === 'service_unavailable' && details.reason === NOT_SET_UP;
}

/** The `details.outcome` of a command that may still be carried out. */
const UNKNOWN = 'unknown';

/**
 * The error for a command that was sent but not answered: it may have been carried out, or may still be. Repeating it
 * finds out.
 */
export function unknownOutcome(commandId: string): DomainError {
  return new DomainError(
    'service_unavailable',
    'The command was not answered in time and may still be carried out. Repeating the request with the same Idempotency-Key is safe ' +
      'and returns the outcome. Without a key, check what happened before you send it again.',
    { commandId, outcome: UNKNOWN },
  );
}

/** Whether an error is that of a command that may still be carried out. */
export function isUnknownOutcome(error: unknown): boolean {
  return error instanceof DomainError && error.details.outcome === UNKNOWN;
}

/**
 * Builds the `validation_failed` error for one field; the caller throws it.
 * `field` is a dotted path, `extra` is added to the details. Spec 2.10, Contract 1.
 */
export function validationError(
  field: string,
  rule: ValidationRule,
  message: string,
  extra: ErrorDetails = {},
): DomainError {
  return new DomainError('validation_failed', message, { field, rule, ...extra });
}

/**
 * Builds the `validation_failed` error for several problems: the first one is in `details`, all of them in
 * `details.issues`. A single problem carries no `issues`. Contract 1.
 */
export function validationErrors(issues: readonly ValidationIssue[]): DomainError {
  const [first] = issues;
  if (first === undefined) return new DomainError('validation_failed', 'The request is not valid.');
  const { message, ...rest } = first;
  const details: ErrorDetails = issues.length > 1 ? { ...rest, issues: [...issues] } : rest;
  return new DomainError('validation_failed', message, details);
}
