// Log lines of the Temporal SDK in our own log.
import { runInNewContext } from 'node:vm';
import test from 'ava';
import pino from 'pino';
import { createLog } from '../../http/log.ts';
import { temporalLogger } from '../../workers/runtime.ts';

test('a warning of the SDK is a warning, but for queues that are meant for activities alone', (t) => {
  const lines: string[] = [];
  const logger = temporalLogger(pino({ level: 'info' }, { write: (line) => lines.push(line) }));
  logger.warn('No workflows registered, not polling for workflow tasks', { taskQueue: 'outside' });
  logger.warn('Poll of workflow tasks failed');
  t.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg]),
    [[pino.levels.values.warn, 'Poll of workflow tasks failed']],
  );
});

test("an error of the SDK keeps its message, its cause and its stack in the worker's log", (t) => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', base: { service: 'worker' } }, { write: (line) => lines.push(line) });
  const error = new Error('Activity failed', { cause: new TypeError('rates is undefined') });
  const logger = temporalLogger(log);
  logger.warn('Activity failed', { error, activityType: 'quote' });
  logger.error('Worker failed', { error });
  logger.warn('Workflow task failed', { error: runInNewContext("new RangeError('of a workflow')") });
  const [warned, failed, ofWorkflow] = lines.map((line) => JSON.parse(line));
  t.like(warned, { level: pino.levels.values.warn, msg: 'Activity failed', activityType: 'quote' });
  t.like(failed, { level: pino.levels.values.error, msg: 'Worker failed' });
  t.like(ofWorkflow.err, { type: 'RangeError', message: 'of a workflow' });
  for (const { err } of [warned, failed]) {
    t.is(err.message, 'Activity failed: rates is undefined');
    t.regex(
      err.stack,
      /^Error: Activity failed\n +at .*runtime\.test\.ts[\s\S]*caused by: TypeError: rates is undefined\n/,
    );
  }
});
