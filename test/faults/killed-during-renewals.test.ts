// A worker is killed in the middle of a renewal batch, and so is the Temporal server: every policy still renews once.
import test from 'ava';
import pg from 'pg';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { copyExpiring } from '../support/expiring.ts';
import { testToday } from '../support/fixed/today.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { BIND_BODY, quotedSubmission } from './bind.ts';
import { type OwnTemporal, ownTemporal } from './own-temporal.ts';
import { type Platform, startPlatform } from './platform.ts';

const POLICIES = 60;

let temporal: OwnTemporal;
let platform: Platform;
let database: TestDatabase;

test.before(async () => {
  temporal = await ownTemporal();
  [database] = await Promise.all([createTestDatabase({ title: 'killed renewals' }), temporal.start()]);
  platform = await startPlatform({
    ...{ database, temporalAddress: temporal.address, taskQueuePrefix: 'renewals' },
    printsDocuments: false,
  });
});

test.after.always(async () => {
  await platform?.stop();
  await temporal?.remove();
});

test.serial('a batch whose worker is killed half way is brought to its end by the next one', async (t) => {
  const { client, batchId, policies } = await begun('Worker');
  await untilRenewed(client, batchId, 5);
  await platform.worker.kill();
  await platform.worker.start();
  await renewedOnce(t.deepEqual.bind(t), client, batchId, policies);
});

test.serial('a batch whose Temporal server is killed half way goes on when the server is back', async (t) => {
  const { client, batchId, policies } = await begun('Server');
  await untilRenewed(client, batchId, 5);
  await temporal.kill();
  await temporal.start();
  await renewedOnce(t.deepEqual.bind(t), client, batchId, policies);
});

async function begun(name: string) {
  const orgId = (await platform.machine.post('/v1/organizations', { name })).body.id;
  const client = await platform.as({ role: 'org_admin', org: orgId });
  const submissionId = await quotedSubmission(client, `${name} Diner`);
  const { body } = await client.post(`/v1/submissions/${submissionId}/bind`, BIND_BODY);
  const today = testToday();
  const copies = { ownerUrl: database.ownerUrl, sourceId: body.policyId, today, count: POLICIES };
  const policies = await copyExpiring(copies);
  const answer = await client.post('/v1/renewals/batch', { expiringWithinDays: 30 });
  if (answer.status !== 202) throw new Error(answer.text);
  return { client, batchId: String(answer.body.batchId), policies };
}

const read = async (client: TestClient, batchId: string) => (await client.get(`/v1/renewals/batch/${batchId}`)).body;

function untilRenewed(client: TestClient, batchId: string, least: number) {
  return eventually(async () => (await read(client, batchId)).renewed >= least, { what: `${least} renewals` });
}

async function renewedOnce(
  same: (actual: unknown, expected: unknown) => void,
  client: TestClient,
  batchId: string,
  policies: readonly string[],
): Promise<void> {
  await eventually(async () => (await read(client, batchId)).status === 'completed', { what: 'the end of the batch' });
  const { matched, renewed, referred, failed } = await read(client, batchId);
  same({ matched, renewed, referred, failed }, { matched: POLICIES, renewed: POLICIES, referred: 0, failed: 0 });
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ n: number }>(
      'select count(*)::int as n from policies where renewal_of = any($1) group by renewal_of',
      [policies],
    );
    same(
      rows.map(({ n }) => n),
      Array(POLICIES).fill(1),
    );
  } finally {
    await owner.end();
  }
}
