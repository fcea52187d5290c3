import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import type { Deps } from '../../activities/context.ts';
import { transaction } from '../../activities/context.ts';
import { DomainError } from '../../domain/errors.ts';
import { createLog } from '../../http/log.ts';
import { silentLogger } from '../support/logger.ts';
import { attempt } from './steps.ts';

/** The failure that reaches Temporal when a transaction throws `error` on the nth attempt. */
async function failureOf(error: unknown, attemptNumber: number, logger = silentLogger): Promise<ApplicationFailure> {
  const database = { transaction: () => Promise.reject(error) };
  const deps = { database, logger } as unknown as Deps;
  const failure = await attempt(attemptNumber, () =>
    transaction(deps, { kind: 'test', orgId: 'org' }, async () => null),
  ).catch((e) => e);
  if (!(failure instanceof ApplicationFailure)) throw new Error('A failure of Temporal was expected');
  return failure;
}

test('a refusal is final and carries its code and details', async (t) => {
  const failure = await failureOf(new DomainError('not_ready', 'No.', { missing: ['state'] }), 1);
  t.like(failure, { nonRetryable: true, type: 'not_ready', message: 'No.', details: [{ missing: ['state'] }] });
});

test('an unavailable database is retried without limit', async (t) => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  t.like(await failureOf(away, 1), { nonRetryable: false });
  t.like(await failureOf(away, 100), { nonRetryable: false });
});

test('a storage that cannot be reached is retried without limit, and another refusal for now is final', async (t) => {
  const forNow = () => new DomainError('service_unavailable', 'Not now.');
  const away = Object.assign(forNow(), { cause: new Error('connect ECONNREFUSED') });
  for (const attemptNumber of [1, 100]) {
    t.like(await failureOf(away, attemptNumber), { nonRetryable: false, type: 'service_unavailable' });
  }
  t.like(await failureOf(forNow(), 1), { nonRetryable: true, type: 'service_unavailable' });
});

test('a deadlock is retried like an outage, and is not called one', async (t) => {
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  const failure = await failureOf(deadlock, 100);
  t.like(failure, { nonRetryable: false, type: 'service_unavailable' });
  t.notRegex(failure.message, /database/);
});

test('a fault of ours is tried three times and then reported without its inner text', async (t) => {
  const bug = new TypeError('password=hunter2 is not a function');
  t.like(await failureOf(bug, 2), { nonRetryable: false });
  const last = await failureOf(bug, 3);
  t.like(last, { nonRetryable: true, type: 'internal_error' });
  t.false(last.message.includes('hunter2'));
});

test('a fault is in the log with the name of its step, its message, its causes and no value of a row', async (t) => {
  const lines: string[] = [];
  const logger = createLog({ level: 'info', base: {} }, { write: (line) => lines.push(line) });
  const quoting = Object.assign(new Error('invalid input syntax for type integer: "Ann Quill"'), { code: '22P02' });
  const error = new Error('the row was not written', { cause: quoting });
  await failureOf(error, 1, logger);
  await failureOf(error, 3, logger);
  const [warned, failed] = lines.map((line) => JSON.parse(line));
  t.like(warned, { kind: 'test', orgId: 'org', attempt: 1, msg: 'a step failed and will be retried' });
  t.like(failed, { kind: 'test', orgId: 'org', attempt: 3, msg: 'a step failed' });
  t.is(warned.err.message, 'the row was not written: invalid input syntax for type integer: …');
  t.regex(warned.err.stack, /caused by: Error: invalid input syntax/);
  t.false(lines.join().includes('Quill'));
});
