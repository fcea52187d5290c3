import test from 'ava';
import { cachedWorkflows, memoryOfProcess } from '../../workers/cache-size.ts';

const GIB = 1024 ** 3;

test('a worker keeps as many workflows as a fifth of its memory holds, at 320 KiB each, within bounds', (t) => {
  t.is(cachedWorkflows(GIB), 655);
  t.is(cachedWorkflows(4 * GIB), 2_621);
  t.is(cachedWorkflows(GIB / 16), 200, 'small machines keep those of the callers of the moment');
  t.is(cachedWorkflows(256 * GIB), 5_000);
});

test('the memory of a process is bounded by its machine', (t) => {
  t.true(memoryOfProcess() > 0);
  t.true(Number.isFinite(memoryOfProcess()));
});
