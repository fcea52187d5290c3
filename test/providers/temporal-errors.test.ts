// What failures of the Temporal client mean: which ones are temporary and are answered 503, which ones are bugs, and
// what the log says about each.
import { ServiceError, WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, NamespaceNotFoundError } from '@temporalio/common';
import test from 'ava';
import type { Logger } from 'pino';
import { engineRefusal, isPassing } from '../../api/engine/lifecycle-errors.ts';
import { DomainError } from '../../domain/errors.ts';
import { engineFaultOf, isUnanswered, logEngineFault } from '../../providers/temporal-errors.ts';

/** An error as gRPC makes it. */
function grpc(code: number, details: string): Error {
  return Object.assign(new Error(`${code} ${details}`), { code, details, metadata: {} });
}
const service = (code: number, details = 'details') =>
  new ServiceError('Failed to start Workflow', { cause: grpc(code, details) });
/** As a worker's native connection makes it: under that name, and with the bare code. */
const native = (code: number, details: string) =>
  Object.assign(new ServiceError(details), { code, details, metadata: {} });
const timedOut = () => new WorkflowUpdateRPCTimeoutOrCancelledError('late', { cause: grpc(4, 'Deadline exceeded') });

/** https://grpc.io/docs/guides/status-codes */
const CODES = {
  passing: { CANCELLED: 1, UNKNOWN: 2, DEADLINE_EXCEEDED: 4, RESOURCE_EXHAUSTED: 8, ABORTED: 10, UNAVAILABLE: 14 },
  lasting: {
    INVALID_ARGUMENT: 3,
    NOT_FOUND: 5,
    PERMISSION_DENIED: 7,
    FAILED_PRECONDITION: 9,
    UNIMPLEMENTED: 12,
    INTERNAL: 13,
    UNAUTHENTICATED: 16,
  },
};

test('a transient code is 503, and the command is sent again', (t) => {
  for (const [name, code] of Object.entries(CODES.passing)) {
    for (const error of [service(code), grpc(code, 'details'), native(code, 'details')]) {
      t.is(engineFaultOf(error)?.grpcCode, name);
      t.true(isPassing(error), name);
      const refusal = engineRefusal(error, null);
      t.true(refusal instanceof DomainError && refusal.code === 'service_unavailable', name);
    }
  }
});

test('a code that waiting cannot cure is not a 503 and is not sent again', (t) => {
  for (const [name, code] of Object.entries(CODES.lasting)) {
    const error = service(code);
    t.is(engineFaultOf(error)?.grpcCode, name);
    t.false(isPassing(error), name);
    t.is(engineRefusal(error, 'cmd_1'), error, name);
  }
});

test('a line that breaks in the middle of a response is transient, whatever code it has', (t) => {
  t.true(isPassing(service(13, 'Received RST_STREAM with code 2')));
});

test('an update whose workflow task was thrown away is sent again, any other failed precondition is not', (t) => {
  for (const reason of ['unexpected workflow task failure', 'Workflow Task in failed state']) {
    t.true(isPassing(service(9, `Unable to perform workflow execution update due to ${reason}.`)), reason);
  }
  t.false(isPassing(service(9, 'Namespace is not active.')));
});

test('a call is unanswered when its time is over, whichever end says so first', (t) => {
  const { DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE, UNKNOWN } = CODES.passing;
  for (const code of [DEADLINE_EXCEEDED, CANCELLED]) {
    t.true(isUnanswered(grpc(code, 'over')));
    t.true(isUnanswered(service(code)));
    t.true(isUnanswered(new WorkflowUpdateRPCTimeoutOrCancelledError('over', { cause: grpc(code, 'over') })));
  }
  for (const code of [UNAVAILABLE, UNKNOWN, CODES.lasting.INTERNAL]) t.false(isUnanswered(service(code)));
  t.false(isUnanswered(new Error('ours')));
});

test('a namespace that is not there yet is transient', (t) => {
  t.true(isPassing(new NamespaceNotFoundError('bindery')));
  t.true(isPassing(service(5, 'Namespace bindery is not found.')), 'as a command with a start is answered');
  t.false(isPassing(service(5, 'workflow not found for ID: policy/1')));
});

test('a command whose outcome is unknown says so, with its id, and that the same key is safe', (t) => {
  const lost = new WorkflowUpdateFailedError(
    'lost',
    ApplicationFailure.create({ message: 'lost', type: 'AcceptedUpdateCompletedWorkflow' }),
  );
  for (const error of [timedOut(), service(14), lost]) {
    const refusal = engineRefusal(error, 'cmd_1') as DomainError;
    t.is(refusal.code, 'service_unavailable');
    t.deepEqual(refusal.details, { commandId: 'cmd_1', outcome: 'unknown' });
    t.regex(refusal.message, /same Idempotency-Key is safe/);
  }
  t.false(isPassing(timedOut()), 'a deadline that is over is not waited for again');
});

test('the log names code and cause, as an error where it lasts, and says nothing of a business refusal', (t) => {
  const lines: [string, object][] = [];
  const write = (level: string) => (fields: object) => void lines.push([level, fields]);
  const logger = { warn: write('warn'), error: write('error') } as unknown as Logger;
  logEngineFault(logger, service(14, 'no connection'), { commandId: 'cmd_1' });
  logEngineFault(logger, service(7, 'no permission'), {});
  logEngineFault(logger, new NamespaceNotFoundError('bindery'), {});
  logEngineFault(logger, new WorkflowUpdateFailedError('no', ApplicationFailure.create({ type: 'not_ready' })), {});
  t.deepEqual(lines.slice(0, 2), [
    ['warn', { commandId: 'cmd_1', grpcCode: 'UNAVAILABLE', cause: '14 no connection' }],
    ['error', { grpcCode: 'PERMISSION_DENIED', cause: '7 no permission' }],
  ]);
  t.is(lines[2]?.[0], 'error');
  t.is(lines.length, 3);
});

test('an outage of the card processor or the database is named as itself, never as the engine', (t) => {
  const processor = 'The card processor is unavailable.';
  const refusedBy = ApplicationFailure.create({ message: processor, type: 'service_unavailable' });
  const silent = (activityType: string) => new ActivityFailure('late', activityType, '1', 'TIMEOUT', 'w', undefined);
  const sayings: [cause: Error, reason: string][] = [
    [refusedBy, processor],
    [silent('createIntent'), processor],
    [silent('settleRefund'), 'The database is unavailable.'],
  ];
  for (const [cause, reason] of sayings) {
    const refusal = engineRefusal(new WorkflowUpdateFailedError('failed', cause), 'cmd_1') as DomainError;
    t.is(refusal.message, `${reason} Try again shortly.`);
    t.is(refusal.code, 'service_unavailable');
  }
});

test('a command that an older worker does not know was not carried out: it is 503 until the workers are new', (t) => {
  const message = 'No registered handler for update: changePaymentPlan';
  const unknown = new WorkflowUpdateFailedError('rejected', ApplicationFailure.nonRetryable(message));
  const refusal = engineRefusal(unknown, 'cmd_1');
  t.true(refusal instanceof DomainError, 'a refusal');
  t.like(refusal, { code: 'service_unavailable', details: { retryAfterSeconds: 2 } });
  const bug = new WorkflowUpdateFailedError('failed', ApplicationFailure.nonRetryable('No registered handler'));
  t.is(engineRefusal(bug, 'cmd_1'), bug);
});
