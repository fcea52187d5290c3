// The log lines of Temporal's SDK in ours.
import test from 'ava';
import pino from 'pino';
import { temporalLogger } from '../../workers/runtime.ts';

test('what the SDK warns of is a warning, but for queues that are meant for activities alone', (t) => {
  const lines: string[] = [];
  const logger = temporalLogger(pino({ level: 'info' }, { write: (line) => lines.push(line) }));
  logger.warn('No workflows registered, not polling for workflow tasks', { taskQueue: 'outside' });
  logger.warn('Poll of workflow tasks failed');
  t.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg]),
    [[pino.levels.values.warn, 'Poll of workflow tasks failed']],
  );
});
