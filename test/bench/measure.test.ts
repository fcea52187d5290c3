// The arithmetic behind the printed figures, on numbers that can be checked by hand.
import test from 'ava';
import { measure, median, quantile, summarize } from '../../bench/measure.ts';

test('a quantile is a measured value: the nearest rank, whatever the order of measuring', (t) => {
  const latencies = [30, 10, 20, 40, 100, 60, 50, 90, 70, 80];
  t.is(quantile(latencies, 0.5), 50);
  t.is(quantile(latencies, 0.95), 100);
  t.is(quantile([7], 0.95), 7);
});

test('the median of an even number of rounds lies between the two in the middle', (t) => {
  t.is(median([4, 1, 3]), 3);
  t.is(median([4, 1, 3, 2]), 2.5);
});

test('a summary takes the median round of each figure, so that one slow round changes nothing', (t) => {
  const steady = { latenciesMs: [10, 10, 20], elapsedMs: 100 };
  const disturbed = { latenciesMs: [500, 500, 900], elapsedMs: 2_000 };
  t.deepEqual(summarize([steady, disturbed, steady]), { p50Ms: 10, p95Ms: 20, perSecond: 30 });
});

test('a closed loop keeps the given number in flight and does every item once', async (t) => {
  const done: number[] = [];
  let inFlight = 0;
  let most = 0;
  const round = await measure([1, 2, 3, 4, 5], 2, async (item) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    inFlight -= 1;
    done.push(item);
  });
  t.is(most, 2);
  t.deepEqual(done.toSorted(), [1, 2, 3, 4, 5]);
  t.is(round.latenciesMs.length, 5);
});
