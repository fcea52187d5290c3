// The error catalogue and the shape of error details.
import test from 'ava';
import { DomainError, ERROR_STATUS, isErrorCode, validationError, validationErrors } from '../../domain/errors.ts';

test('Every code of the catalogue has its status', (t) => {
  const byStatus: Record<number, string> = {
    400: 'malformed_json validation_failed',
    401: 'unauthenticated',
    403: 'forbidden',
    404: 'not_found',
    405: 'method_not_allowed',
    409: 'already_exists idempotency_key_reused idempotency_in_progress replayed',
    412: 'precondition_failed',
    413: 'payload_too_large',
    415: 'unsupported_media_type',
    422:
      'invalid_state_transition delegated_authority_exceeded quote_expired not_ready notice_period_not_met outside_policy_term ' +
      'reserve_too_low limit_exhausted amount_exceeds_balance invoice_has_payments refund_exceeds_paid no_failed_payment ' +
      'subscription_inactive deal_room_closed document_not_applicable unreadable_document not_settled payment_declined',
    429: 'rate_limited',
    500: 'internal_error',
    503: 'service_unavailable',
  };
  const expected = Object.entries(byStatus).flatMap(([status, codes]) =>
    codes.split(' ').map((code) => [code, Number(status)] as const),
  );
  t.deepEqual(ERROR_STATUS as Record<string, number>, Object.fromEntries(expected));
});

test('A domain error carries its status and its details', (t) => {
  const error = new DomainError('quote_expired', 'Too late.', { expiresOn: '2026-01-01' });
  t.is(error.status, 422);
  t.deepEqual(error.details, { expiresOn: '2026-01-01' });
  t.deepEqual(new DomainError('not_found', 'No.').details, {});
  t.true(error instanceof Error);
});

test('One problem is in the details; of several the first is, and all are listed', (t) => {
  t.deepEqual(validationError('state', 'enum', 'No such state.', { allowed: ['TX'] }).details, {
    field: 'state',
    rule: 'enum',
    allowed: ['TX'],
  });
  const state = { field: 'state', rule: 'enum', message: 'No such state.' } as const;
  const limit = { field: 'requestedLimit', rule: 'min', message: 'Too small.', minimum: 0 } as const;
  t.deepEqual(validationErrors([limit]).details, { field: 'requestedLimit', rule: 'min', minimum: 0 });
  const several = validationErrors([state, limit]);
  t.is(several.message, 'No such state.');
  t.deepEqual(several.details, { field: 'state', rule: 'enum', issues: [state, limit] });
  t.is(several.status, 400);
});

test('Only codes of the catalogue are error codes', (t) => {
  t.true(isErrorCode('not_ready'));
  t.false(isErrorCode('toString'));
  t.false(isErrorCode('NOT_READY'));
  t.false(isErrorCode(404));
});
