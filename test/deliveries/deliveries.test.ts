// The short form of `npm run deliveries`, in which nothing is killed.
import test from 'ava';
import { runDeliveries } from './deliveries.ts';

const EVENTS = 60;
const RECEIVERS = 20;

test('each event arrives once at each of twenty receivers, whatever the others do, and the log and memory show it', async (t) => {
  const found = await runDeliveries({ events: EVENTS, kills: 0, report: (line) => t.log(line) });
  t.deepEqual(found.findings, []);
  t.is(found.deliveries, EVENTS * RECEIVERS);
  t.is(found.unknown, 0);
});
