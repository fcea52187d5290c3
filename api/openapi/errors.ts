// Which errors an operation can return, and their shape: most follow from what the operation is.
import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '../../domain/errors.ts';
import type { Route } from '../spine/route.ts';

const SAMPLE_REQUEST_ID = 'req_01jz8k3v5ne0rbx4q2mw7t6yha';

/** Returns every error code an operation may return, in catalogue order. */
export function errorCodesOf(route: Route): ErrorCode[] {
  // Every operation rejects unknown query parameters.
  const codes = new Set<ErrorCode>([...route.errors, 'validation_failed', 'rate_limited', 'internal_error']);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  const { access } = route;
  if (access.kind !== 'open') add('unauthenticated', 'forbidden', 'service_unavailable');
  if (access.kind === 'organization') add('not_found');
  if (route.params) add('not_found');
  if (route.body) add('malformed_json', 'payload_too_large', 'unsupported_media_type');
  if (route.idempotent) add('idempotency_key_reused', 'idempotency_in_progress');
  if (isConditional(route)) add('precondition_failed');
  return (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Returns whether an operation changes a row that has a version, so that `If-Match` is honoured. */
export function isConditional({ access, method, isTagged = false }: Route): boolean {
  if (method === 'get') return false;
  return isTagged || (access.kind === 'organization' && access.resource?.version !== undefined);
}

/** An example body for each error. */
export function errorExamples(codes: ReadonlySet<ErrorCode>): Record<string, { summary: string; value: object }> {
  return Object.fromEntries(
    (Object.keys(ERROR_STATUS) as ErrorCode[])
      .filter((code) => codes.has(code))
      .map((code) => [
        code,
        {
          summary: `${ERROR_STATUS[code]} ${code}`,
          value: {
            error: code,
            message: MESSAGES[code] ?? 'A sentence that explains the error.',
            details: DETAILS[code] ?? {},
            requestId: SAMPLE_REQUEST_ID,
          },
        },
      ]),
  );
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  malformed_json: 'The request body is not valid UTF-8 JSON.',
  validation_failed: 'insuredName is required.',
  unauthenticated: 'The credential is not valid.',
  forbidden: 'The role billing_admin is not allowed to perform submission:bind.',
  not_found: 'There is no such policy.',
  method_not_allowed: 'This path allows GET, HEAD, OPTIONS.',
  already_exists: 'A payment with this method and reference has already been recorded on the invoice.',
  idempotency_key_reused: 'This Idempotency-Key has already been used for another request. Send a new key.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still running.',
  precondition_failed: 'The resource has changed since you read it.',
  payload_too_large: 'The body has more than 1048576 bytes.',
  unsupported_media_type: 'The body must be application/json.',
  invalid_state_transition: '"quote" is not allowed: the submission is bound. See details.allowed.',
  delegated_authority_exceeded: 'The delegated authority does not allow this.',
  quote_expired: 'The quote expired on 2026-03-01.',
  not_ready: 'The submission is not complete.',
  notice_period_not_met: 'With notice given today, the earliest date on which coverage can end is 2026-03-11.',
  outside_policy_term: 'effectiveDate 2027-03-01 is outside the policy term.',
  amount_exceeds_balance: 'The amount is more than the balance of the invoice.',
  invoice_has_payments: 'The invoice has payments. Refund them before you void it.',
  refund_exceeds_paid: 'The amount is more than the part of the payments that has not been refunded.',
  no_failed_payment: 'The last card payment of this invoice did not fail, so there is nothing to retry.',
  payment_declined: 'Your card was declined.',
  rate_limited: 'You have sent more than 1000 requests in a minute.',
  internal_error: 'Something went wrong. Quote the request id when you ask for help.',
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
  already_exists: { resource: 'payment', paymentId: 'pay_01jz8k3v5ne0rbx4q2mw7t6yha' },
  quote_expired: { expiresOn: '2026-03-01' },
  not_ready: { missing: ['naicsCode'], blockers: [] },
  notice_period_not_met: { earliestDate: '2026-03-11' },
  outside_policy_term: { effectiveDate: '2026-03-01', expirationDate: '2027-03-01' },
  amount_exceeds_balance: { amount: 1_500, balance: 1_397.14 },
  idempotency_in_progress: { retryAfterSeconds: 1 },
  reserve_too_low: { reserve: 5_000, actual: 5_500 },
  limit_exhausted: { limit: 1_000_000, remaining: 250_000, actual: 300_000 },
  subscription_inactive: { status: 'paused' },
  deal_room_closed: { status: 'closed' },
  invoice_has_payments: { paidAmount: 399, refundedAmount: 0 },
  refund_exceeds_paid: { amount: 1_500, refundable: 1_397.14 },
  no_failed_payment: { lastAttempt: null },
  payment_declined: { code: 'card_declined', declineCode: 'insufficient_funds' },
  rate_limited: { limit: 1_000, retryAfterSeconds: 12 },
  service_unavailable: { retryAfterSeconds: 2 },
};
