// A thread for tests, which ends its tasks in every way.
import { threadId } from 'node:worker_threads';
import { validationError } from '../../../domain/errors.ts';
import { serveTasks } from '../../../providers/threads/serve.ts';

export type Trial = { kind: 'name' | 'refuse' | 'refuse_file' | 'fail' } | { kind: 'spin'; ms: number };

serveTasks(async (task: Trial) => {
  if (task.kind === 'name') return threadId;
  if (task.kind === 'fail') throw new TypeError('Jane Doe is not a function');
  if (task.kind !== 'spin') throw validationError('field', 'format', 'No.');
  for (const endMs = performance.now() + task.ms; performance.now() < endMs; );
  return null;
});
