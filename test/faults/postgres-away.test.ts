// The database is gone for a while: requests are refused, not failed, and everything recovers on its own.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { type Cluster, startPostgres } from '../../scripts/start/postgres.ts';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { freePort } from '../support/servers/free-port.ts';
import { POSTGRES_VARIABLE, testTemporal } from '../support/servers/servers.ts';
import { BIND_BODY, BOUND_ONCE, quotedSubmission, Rows } from './bind.ts';
import { attempt, killNow, type Platform, startPlatform } from './platform.ts';

/** A fraction of how long a caller waits for a command that is still running. */
const AT_ONCE_MS = PATIENCE_MS / 6;

const folder = mkdtempSync(join(tmpdir(), 'bindery-postgres-'));
const options = {
  folder: join(folder, 'data'),
  port: await freePort(),
  superuser: 'postgres',
  password: null,
};
let cluster: Cluster;
let platform: Platform;
let rows: Rows;
let client: TestClient;
let submissionId: string;

test.before(async () => {
  // The cluster's own user must be able to enter.
  chmodSync(folder, 0o755);
  cluster = await startPostgres(options);
  process.env[POSTGRES_VARIABLE] = cluster.url;
  const database = await createTestDatabase({ title: 'postgres away' });
  const temporal = await testTemporal(process.env);
  rows = new Rows(database.ownerUrl);
  platform = await startPlatform({ database, temporalAddress: temporal.address, taskQueuePrefix: 'postgres-away' });
  const { body } = await platform.machine.post('/v1/organizations', { name: 'Postgres Away' });
  client = await platform.as({ role: 'org_admin', org: body.id });
  submissionId = await quotedSubmission(client, 'Absent Diner');
});

test.after.always(async () => {
  await platform?.stop();
  await cluster?.child.stop(5_000);
  rmSync(folder, { recursive: true, force: true });
});

test.serial(
  'reads and writes are refused with 503 and Retry-After without the database, and the api says so',
  async (t) => {
    await killNow(cluster.child);
    const requests = {
      read: () => client.get(`/v1/submissions/${submissionId}`),
      write: () => client.post(`/v1/submissions/${submissionId}/bind`, BIND_BODY),
    };
    for (const [kind, request] of Object.entries(requests)) {
      const startedAt = performance.now();
      const refused = await request();
      t.is(refused.status, 503, `${kind}: ${refused.text}`);
      t.is(refused.body.error, 'service_unavailable', kind);
      t.regex(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/, kind);
      t.true(performance.now() - startedAt < AT_ONCE_MS, kind);
    }
    const readiness = await client.get('/readyz');
    t.is(readiness.status, 503);
    t.is(readiness.body.details.database, false);
    t.is((await client.get('/healthz')).status, 200);
  },
);

test.serial('when the database is back, reads and writes work again without a restart of ours', async (t) => {
  cluster = await startPostgres(options);
  const read = await eventually(
    async () => {
      const answer = await client.get(`/v1/submissions/${submissionId}`);
      return answer.status === 503 ? null : answer;
    },
    { what: 'a read after the outage' },
  );
  t.is(read.status, 200, read.text);
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
});
