// The Temporal server is gone for a while: what still works, how the rest is refused, and that it all recovers on its
// own.
import test from 'ava';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { BIND_BODY, BOUND_ONCE, quotedSubmission, Rows } from './bind.ts';
import { type OwnTemporal, ownTemporal } from './own-temporal.ts';
import { attempt, type Platform, startPlatform } from './platform.ts';

/** A fraction of how long a caller waits for a command that is still running. */
const AT_ONCE_MS = PATIENCE_MS / 6;

let temporal: OwnTemporal;
let platform: Platform;
let rows: Rows;
let client: TestClient;
let submissionId: string;

test.before(async () => {
  temporal = await ownTemporal();
  const [database] = await Promise.all([createTestDatabase({ title: 'temporal away' }), temporal.start()]);
  rows = new Rows(database.ownerUrl);
  platform = await startPlatform({ database, temporalAddress: temporal.address, taskQueuePrefix: 'temporal-away' });
  const { body } = await platform.machine.post('/v1/organizations', { name: 'Temporal Away' });
  client = await platform.as({ role: 'org_admin', org: body.id });
  submissionId = await quotedSubmission(client, 'Patient Diner');
});

test.after.always(async () => {
  await platform?.stop();
  await temporal?.remove();
});

test.serial('the api stays ready without Temporal and reports that Temporal is down', async (t) => {
  await temporal.kill();
  const readiness = await eventually(
    async () => {
      const answer = await client.get('/readyz');
      return answer.body.temporal === false ? answer : null;
    },
    { what: '/readyz to notice', everyMs: 600 },
  );
  t.is(readiness.status, 200);
  t.deepEqual(readiness.body, { database: true, temporal: false });
});

test.serial(
  'a write without Temporal is refused immediately with 503 and Retry-After, and nothing is half done',
  async (t) => {
    const startedAt = performance.now();
    const refused = await client.post(`/v1/submissions/${submissionId}/bind`, BIND_BODY);
    t.true(performance.now() - startedAt < AT_ONCE_MS);
    t.is(refused.status, 503);
    t.is(refused.body.error, 'service_unavailable');
    t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    t.like(await rows.ofSubmission(submissionId), { policies: 0, invoices: 0, events: 0, status: 'quoted' });
  },
);

test.serial('reads go on without Temporal', async (t) => {
  const one = await client.get(`/v1/submissions/${submissionId}`);
  t.is(one.status, 200);
  t.is(one.body.status, 'quoted');
  const list = await client.get('/v1/submissions');
  t.is(list.status, 200);
  t.deepEqual(
    list.body.data.map(({ id }: { id: string }) => id),
    [submissionId],
  );
});

test.serial('when Temporal is back, writes work again without a restart of ours', async (t) => {
  await temporal.start();
  const headers = { 'idempotency-key': 'after the outage' };
  const bound = await eventually(
    async () => {
      const answer = await attempt(client, `/v1/submissions/${submissionId}/bind`, BIND_BODY, { headers });
      return answer === null || answer.status === 503 || answer.body.error === 'idempotency_in_progress'
        ? null
        : answer;
    },
    { what: 'a bind after the outage' },
  );
  t.is(bound.status, 201, bound.text);
  t.like(await rows.ofSubmission(submissionId), BOUND_ONCE);
  t.deepEqual((await client.get('/readyz')).body, { database: true, temporal: true });
});
