// What a worker does while Temporal does not answer its first calls.
import { ServiceError } from '@temporalio/client';
import test from 'ava';
import pino from 'pino';
import { untilAnswered } from '../../workers/until-answered.ts';
import { silentLogger as logger } from '../support/logger.ts';

const CANCELLED = 1;
const PERMISSION_DENIED = 7;

/** As the native connection reports a call: https://grpc.io/docs/guides/status-codes */
const failure = (code: number, details: string) =>
  new ServiceError('Failed to describe schedule', {
    cause: Object.assign(new Error(details), { code, details, metadata: {} }),
  });

test('a call that runs out of time is made again until it gets a response, and the log says so', async (t) => {
  const lines: string[] = [];
  const failures = [failure(CANCELLED, 'Timeout expired'), failure(CANCELLED, 'Timeout expired')];
  const call = async () => {
    const next = failures.pop();
    if (next) throw next;
    return 'answered';
  };
  const kept = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  t.is(await untilAnswered(call, { logger: kept }), 'answered');
  t.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['Temporal does not answer yet'],
  );
});

test('a call that the server refuses is not repeated', async (t) => {
  let calls = 0;
  const call = async () => {
    calls += 1;
    throw failure(PERMISSION_DENIED, 'Request unauthorized.');
  };
  await t.throwsAsync(untilAnswered(call, { logger }), { instanceOf: ServiceError });
  t.is(calls, 1);
});

test('the wait ends when the worker is stopped', async (t) => {
  const stopping = new AbortController();
  const call = async () => {
    stopping.abort();
    throw failure(CANCELLED, 'Timeout expired');
  };
  await t.throwsAsync(untilAnswered(call, { logger, stopping: stopping.signal }), { name: 'AbortError' });
});
