// The tally of refused credentials: one row a minute per client, bounded, and nothing lost when the database is away.
import test from 'ava';
import { createRefusalTally, type RefusalCount } from '../../http/refusals.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger as logger } from '../support/logger.ts';

interface Recorded {
  orgId: string | null;
  counts: readonly RefusalCount[];
}

/** A tally and what it has recorded; `away` makes it fail. */
function tally(everyMs = 60_000) {
  const recorded: Recorded[] = [];
  const state = { away: false };
  const refusals = createRefusalTally({
    logger,
    everyMs,
    record: async (orgId, counts) => {
      if (state.away) throw new Error('the database is away');
      recorded.push({ orgId, counts });
    },
  });
  return { refusals, recorded, state };
}

test('the refusals of one client become one row with a count per reason, apart from other clients and organizations', async (t) => {
  const { refusals, recorded } = tally();
  for (const reason of ['a', 'b', 'a']) refusals.add({ orgId: null, client: '192.0.2.1', reason });
  refusals.add({ orgId: null, client: '192.0.2.2', reason: 'a' });
  refusals.add({ orgId: 'org_x', client: '192.0.2.1', reason: 'a' });
  t.deepEqual(recorded, []);
  await refusals.close();
  t.deepEqual(recorded, [
    {
      orgId: null,
      counts: [
        { client: '192.0.2.1', count: 3, reasons: { a: 2, b: 1 } },
        { client: '192.0.2.2', count: 1, reasons: { a: 1 } },
      ],
    },
    { orgId: 'org_x', counts: [{ client: '192.0.2.1', count: 1, reasons: { a: 1 } }] },
  ]);
});

test('rows are written while the process runs, and a quiet time writes none', async (t) => {
  const { refusals, recorded } = tally(5);
  t.teardown(refusals.close);
  refusals.add({ orgId: null, client: '192.0.2.1', reason: 'a' });
  await eventually(() => recorded.length === 1, { what: 'the first row' });
  refusals.add({ orgId: null, client: '192.0.2.1', reason: 'b' });
  await eventually(() => recorded.length === 2, { what: 'the second row' });
  t.deepEqual(
    recorded.map(({ counts }) => counts[0]?.reasons),
    [{ a: 1 }, { b: 1 }],
  );
});

test('a minute holds a thousand clients by name and counts all others together', async (t) => {
  const { refusals, recorded } = tally();
  for (let i = 0; i < 1_500; i += 1) refusals.add({ orgId: `org_${i}`, client: `client-${i}`, reason: 'a' });
  refusals.add({ orgId: 'org_0', client: 'client-0', reason: 'a' });
  await refusals.close();
  const counts = recorded.flatMap((row) => row.counts);
  t.is(counts.length, 1_001);
  t.is(counts.find(({ client }) => client === 'client-0')?.count, 2);
  t.like(recorded.find(({ orgId }) => orgId === null)?.counts, [{ client: 'others', count: 500 }]);
});

test('rows that could not be written are written later, together with newer ones', async (t) => {
  const { refusals, recorded, state } = tally(5);
  state.away = true;
  refusals.add({ orgId: null, client: '192.0.2.1', reason: 'a' });
  refusals.add({ orgId: null, client: '192.0.2.1', reason: 'a' });
  await refusals.close();
  t.deepEqual(recorded, []);
  state.away = false;
  refusals.add({ orgId: null, client: '192.0.2.1', reason: 'b' });
  await refusals.close();
  t.deepEqual(recorded, [{ orgId: null, counts: [{ client: '192.0.2.1', count: 3, reasons: { a: 2, b: 1 } }] }]);
});
