// A thread for tests, which ends its tasks in every possible way.
import { threadId } from 'node:worker_threads';
import { validationError } from '../../../domain/errors.ts';
import { serveTasks } from '../../../providers/threads/serve.ts';

export type Trial =
  | { kind: 'name' | 'refuse' | 'refuse_file' | 'fail' }
  | { kind: 'spin' | 'starve' | 'rest'; ms: number };

serveTasks(async (task: Trial) => {
  if (task.kind === 'name') return threadId;
  if (task.kind === 'fail') throw new TypeError('Jane Doe is not a function');
  if (!('ms' in task)) throw validationError('field', 'format', 'No.');
  if (task.kind === 'rest') return new Promise(() => {});
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (const endMs = performance.now() + task.ms; performance.now() < endMs; ) {
    // Like a thread that others keep from the processor: it is at work and gets nowhere.
    if (task.kind === 'starve') Atomics.wait(nobody, 0, 0, 20);
  }
  return null;
});
