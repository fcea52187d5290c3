// The short form of `npm run deliveries`, with nothing killed.
import test from 'ava';
import { findingsAt, type LogLine } from './account.ts';
import { runDeliveries } from './deliveries.ts';

const EVENTS = 60;
const RECEIVERS = 20;

test('each event arrives once at each of twenty receivers, whatever the others do, and the log and memory show it', async (t) => {
  const found = await runDeliveries({ events: EVENTS, kills: 0, report: (line) => t.log(line) });
  t.deepEqual(found.findings, []);
  t.is(found.deliveries, EVENTS * RECEIVERS);
  t.is(found.unknown, 0);
});

test('the account finds events that came twice, got lost, are logged twice or not, or ended in another way', (t) => {
  const ids = ['evt_a', 'evt_b', 'evt_c'];
  const log = ids.map((eventId): LogLine => ({ eventId, status: 'delivered', error: null }));
  const [first, ...others] = log as [LogLine, ...LogLine[]];
  const unknown = [{ ...first, status: 'unknown', error: 'outcome_unknown' }, ...others];
  const cases: [what: string | null, arrivals: string[], log: LogLine[], mostUnknown?: number][] = [
    [null, ids, log],
    ['arrived more than once', [...ids, 'evt_a'], log],
    ['arrived and are none of ours', [...ids, 'evt_d'], log],
    ['were logged and did not arrive', ['evt_b', 'evt_c'], log],
    ['are missing from the log', ids, others],
    ['are in the log more than once', ids, [...log, first]],
    ['ended in another way than they must', ids, [{ ...first, status: 'failed', error: 'timeout' }, ...others]],
    ['are unknown beyond those that were under way', ['evt_b', 'evt_c'], unknown],
    [null, ['evt_b', 'evt_c'], unknown, 1],
  ];
  for (const [what, arrivals, lines, mostUnknown = 0] of cases) {
    const receiver = { kind: 'quick' as const, url: '', close: () => {}, arrivals, log: lines };
    t.deepEqual(findingsAt(receiver, new Set(ids), mostUnknown), what === null ? [] : [`quick: 1 events ${what}`]);
  }
});
