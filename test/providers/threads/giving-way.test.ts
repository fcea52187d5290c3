// How a long list that nobody waits for gives way on a busy machine, and only there.
import test from 'ava';
import { GivesWay, restAfter, watchProcessors } from '../../../providers/threads/giving-way.ts';

const BUSY = { tookMs: 100, inARow: 11, idleShare: 0.19 };

test('on a busy machine a long list rests as many times as long as its last piece took', (t) => {
  t.is(restAfter(BUSY, 1), 100);
  t.is(restAfter(BUSY, 7), 700);
});

test('the first ten pieces of a list come without a rest', (t) => {
  t.is(restAfter({ ...BUSY, inARow: 10 }, 7), 0);
});

test('a machine with a fifth of its processors to spare makes nobody rest', (t) => {
  t.is(restAfter({ ...BUSY, idleShare: 0.2 }, 7), 0);
});

test('nobody rests longer than three seconds', (t) => {
  t.is(restAfter({ ...BUSY, tookMs: 10_000 }, 7), 3_000);
});

test("pieces come one after the other with their results, and a failure is the caller's", async (t) => {
  const list = new GivesWay(1);
  t.is(await list.piece(async () => 'done'), 'done');
  await t.throwsAsync(
    list.piece(() => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  );
});

test('a rest ends when its list is stopped', async (t) => {
  const stopping = new AbortController();
  const list = new GivesWay(1_000_000, () => () => 0);
  for (let piece = 0; piece < 10; piece += 1) await list.piece(async () => piece);
  const resting = list.piece(() => new Promise((resolve) => setImmediate(resolve, 'eleventh')), stopping.signal);
  stopping.abort();
  t.is(await resting, 'eleventh');
});

test('the share of idle processors lies between none and all', (t) => {
  const idleShare = watchProcessors();
  const share = idleShare();
  t.true(share >= 0 && share <= 1);
});
