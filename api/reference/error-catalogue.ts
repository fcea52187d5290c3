// The catalogue of errors, as a table: every code with its status, what it means and what to do. Contract 1.
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';

/** Returns the catalogue in Markdown. */
export function errorCatalogue(): string {
  const rows = (Object.keys(ERROR_STATUS) as ErrorCode[]).map(
    (code) => `| \`${code}\` | ${ERROR_STATUS[code]} | ${MEANINGS[code]} |`,
  );
  return ['| `error` | Status | What it means, and what to do |', '|---|---|---|', ...rows].join('\n');
}

/** A new code does not compile without its line. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  malformed_json: 'The request body is not valid UTF-8 JSON. Fix the client.',
  validation_failed:
    'A field or parameter breaks a rule. `details.field` and `details.rule` say which; if there are several, `details.issues` lists them all.',
  unauthenticated:
    'No credential, or one that is not valid: expired, revoked, of another environment, or two in one call. Get a new one.',
  forbidden:
    'The credential is valid and may not do this. `details` says which `permission` or `requiredScope` is missing, or which `limit` of your own was exceeded.',
  not_found: 'There is no such path or resource, or it belongs to another organization.',
  method_not_allowed: 'This path does not support the method. `Allow` lists the methods that it supports.',
  already_exists:
    'It already exists: the same payment reference, appointment or address. Read the existing one instead.',
  idempotency_key_reused:
    'This `Idempotency-Key` was already used with a different body or query. Use a new key for a new request.',
  idempotency_in_progress: 'The first call with this key is still running. Repeat it after `Retry-After`.',
  replayed: 'An event of the identity verifier came a second time. Only the verifier sees this.',
  precondition_failed: 'The resource has changed since the version in `If-Match`. Read it again, then decide.',
  payload_too_large: 'The body is larger than the operation takes; `details.maxBytes` is the limit.',
  unsupported_media_type: 'The content type is not one of `details.supported`.',
  invalid_state_transition:
    'The state of the resource does not allow this. `details.from` is the state; `details.allowed` lists what is allowed now.',
  delegated_authority_exceeded: 'The contract with the carrier does not allow it. `details.daFlags` says why.',
  quote_expired:
    'The quote has expired or a later one has superseded it: quote again or bind the latest quote. Or the figures of a change are no longer those that were referred: request the change again. `message` says which.',
  not_ready: 'Something is missing first: see `details.missing` and `details.blockers`.',
  notice_period_not_met:
    'The law requires more notice. `details.earliestDate` is the first day on which coverage may end if notice is given today. A policy that expires before that can no longer be non-renewed: renew it, with changed terms if need be, or let it expire.',
  outside_policy_term: 'The date is not within the term of the policy.',
  reserve_too_low:
    'The settlement or payment exceeds the reserve, or the new reserve is below the amount already paid. `details.reserve` is the reserve; raise it.',
  limit_exhausted: 'The settlement exceeds the remaining limit.',
  amount_exceeds_balance:
    'The amount is more than what is left: the balance of the invoice, the unapplied part of a payment, the unbilled amount of the policy, or the payments on a claim less its recoveries. `details` has both amounts.',
  invoice_has_payments: 'An invoice with money on it cannot be voided. Refund it first.',
  refund_exceeds_paid: 'The refund is more than the part of the payments that has not been refunded.',
  no_failed_payment: 'The last attempt did not fail, so there is nothing to retry.',
  subscription_inactive: 'The webhook is paused. Resume it first.',
  deal_room_closed: 'The room is closed; its messages can still be read.',
  document_not_applicable: 'This policy has no such document.',
  unreadable_document: 'The file cannot be read. Nothing was stored.',
  not_settled: 'The claim has no approved settlement yet.',
  payment_declined:
    'The bank declined the card; `details` has its codes. Ask the customer to use another card or call their bank.',
  rate_limited: 'Too many calls in this minute. Wait for `Retry-After` seconds.',
  internal_error: 'An error on our side. Quote the `requestId`. Repeat a POST only with its `Idempotency-Key`.',
  service_unavailable:
    'The database, the engine or a provider is unavailable. Repeat the call after `Retry-After` seconds; repeat a POST with the same `Idempotency-Key`.',
};
