// How work that no caller waits for yields on a busy machine, and only there.
import test from 'ava';
import { givingWay, restAfter, watchProcessors } from '../../../providers/threads/giving-way.ts';

const onBusyMachine = { times: 1_000_000, watch: () => () => 0 };

test('a rest on a busy machine is as many times as long as the piece before it', (t) => {
  t.is(restAfter({ tookMs: 100, idleShare: 0.19 }, 1), 100);
  t.is(restAfter({ tookMs: 100, idleShare: 0.19 }, 7), 700);
});

test('a machine with a fifth of its processors to spare makes nobody rest', (t) => {
  t.is(restAfter({ tookMs: 100, idleShare: 0.2 }, 7), 0);
});

test('nobody rests longer than a second', (t) => {
  t.is(restAfter({ tookMs: 10_000, idleShare: 0 }, 7), 1_000);
});

test('a piece returns its result, and a failure goes to the caller of the piece', async (t) => {
  t.is(await givingWay(async () => 'done', { times: 1 }), 'done');
  const broken = () => Promise.reject(new Error('broken'));
  await t.throwsAsync(givingWay(broken, onBusyMachine), { message: 'broken' });
});

test('a rest ends when its list is stopped', async (t) => {
  const stopping = new AbortController();
  const piece = () => new Promise((resolve) => setImmediate(resolve, 'done'));
  const resting = givingWay(piece, { ...onBusyMachine, stopping: stopping.signal });
  stopping.abort();
  t.is(await resting, 'done');
});

test('the share of idle processors lies between none and all', (t) => {
  const share = watchProcessors()();
  t.true(share >= 0 && share <= 1);
});
