// The SDK's core refuses at random on a busy machine and cannot be made to. So the worker here is a stand-in that
// repeats what a real one said.
import { IllegalStateError } from '@temporalio/common';
import type { Worker } from '@temporalio/worker';
import test from 'ava';
import { runToEnd } from '../../workers/create-workers.ts';

type State = ReturnType<Worker['getState']>;

const inUse = new IllegalStateError('Worker still in use: Expected 1 reference, but got 2');
const ends = (state: State, error: Error) =>
  runToEnd({ run: () => Promise.reject(error), getState: () => state }).catch((failure: unknown) => failure);

test('a worker that has finished its work ends well though its core is still busy with a last call', async (t) => {
  t.is(await ends('STOPPED', inUse), undefined);
});

test('a worker that failed still fails, and so does one that stopped with any other error', async (t) => {
  t.is(await ends('FAILED', inUse), inUse);
  for (const error of [new IllegalStateError('Not running'), new Error('Out of memory')]) {
    t.is(await ends('STOPPED', error), error);
  }
});
