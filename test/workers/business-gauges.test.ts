// The metrics that page someone, counted on real rows and workflows.
import { randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import test from 'ava';
import pino, { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { connectTemporal, type TemporalLink } from '../../api/engine/temporal.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';
import { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { newId } from '../../db/ids.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { saveReconciliation } from '../../db/queries/billing/trust-reconciliations.ts';
import { createOrganization } from '../../db/queries/platform/new-organization.ts';
import { registerBusinessGauges } from '../../workers/business-gauges.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';

const HALF_A_MINUTE_MS = 30_000;
const prefix = `gauges-${randomBytes(5).toString('hex')}`;

let database: Database;
let temporal: TemporalLink;

test.before('a database and a line to Temporal', async (t) => {
  const { appUrl, opsUrl } = await createTestDatabase(t);
  database = await connectDatabase({ appUrl, opsUrl, poolSize: 2, logger: silentLogger });
  temporal = await connectTemporal({
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '',
    temporalNamespace: 'default',
    temporalSecurity: {},
    payloadKeys: [],
  });
});

test.after.always('both are closed', async () => {
  await Promise.all([temporal?.close(), database?.close()]);
});

/** A registry with the metrics, and the clock that times them. */
function gauges({ client = temporal.client, logger = silentLogger }: { client?: Client; logger?: Logger } = {}) {
  const registry = new Registry();
  const clock = { nowMs: 0 };
  registerBusinessGauges({
    ...{ registry, client, database, taskQueue: `${prefix}-lifecycle`, logger },
    now: () => clock.nowMs,
  });
  return { read: async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? [], clock };
}

const SAVED = { assetsCents: 1, liabilitiesCents: 0, trustCashCents: 0, cardClearingCents: 0, cashReceivedCents: 0 };
const OWED = {
  unappliedCents: 0,
  unsharedCents: 0,
  returnsPayableCents: 0,
  owedByCheckCents: 0,
  outstandingCents: 0,
  sweptCents: 0,
};
const FIGURES = { ...SAVED, ...OWED, cardReceivedCents: 0 };

const RUN = { id: null, at: new Date(), report: { figures: FIGURES, liabilities: [], bank: null }, checks: [] };

test.serial(
  'a figure that the engine does not give is left out, and logged with the code of the failed call',
  async (t) => {
    const lines: string[] = [];
    const client = new Client({ connection: temporal.client.connection, namespace: 'nowhere' });
    const { read } = gauges({ client, logger: pino({}, { write: (line: string) => void lines.push(line) }) });
    t.deepEqual(await read('bindery_waiting_workflows'), []);
    const logged = lines.map((line) => JSON.parse(line));
    const of = { metric: 'bindery_waiting_workflows' };
    t.like(logged[0], { ...of, grpcCode: 'NOT_FOUND', msg: 'a call to Temporal failed' });
    t.like(logged[1], { ...of, msg: 'a figure could not be read' });
  },
);

test.serial('an organization counts as long as its last reconciliation did not agree', async (t) => {
  const { read, clock } = gauges();
  const orgId = newId('organization');
  const reconcile = (date: string, isClean: boolean) =>
    database.transaction(orgId, (em) => saveReconciliation(em, { ...RUN, date, isClean }));
  await database.transaction(orgId, (em) =>
    createOrganization(em, { id: orgId, name: 'Trust', tier: 'enterprise', isDemo: false }),
  );
  const disagreements = async () => (await read('bindery_trust_disagreements'))[0]?.value;
  t.is(await disagreements(), 0);
  await reconcile('2027-01-01', true);
  await reconcile('2027-01-02', false);
  t.is(await disagreements(), 0, 'it is read every half minute and not at every scrape');
  clock.nowMs += HALF_A_MINUTE_MS;
  t.is(await disagreements(), 1);
  await reconcile('2027-01-03', true);
  clock.nowMs += HALF_A_MINUTE_MS;
  t.is(await disagreements(), 0);
});

test.serial('workflows that wait for an operator are counted by type, those of this installation alone', async (t) => {
  const start = async (type: string, queue: string, status: string) => {
    const workflowId = `${prefix}/${randomBytes(5).toString('hex')}`;
    const handle = await temporal.client.workflow.start(type, {
      ...{ workflowId, taskQueue: queue, startDelay: '1 day' },
      typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.entityStatus, value: status }],
    });
    t.teardown(() => handle.terminate());
  };
  await start(WORKFLOW_TYPES.payment, `${prefix}-lifecycle`, 'waiting');
  await start(WORKFLOW_TYPES.payment, `${prefix}-lifecycle`, 'awaiting_approval');
  await start(WORKFLOW_TYPES.payment, 'another-lifecycle', 'waiting');
  await start(WORKFLOW_TYPES.claimPayment, `${prefix}-lifecycle`, 'waiting');
  await start(WORKFLOW_TYPES.renewalBatch, `${prefix}-batch`, 'waiting');
  const { read, clock } = gauges();
  const counts = await eventually(
    async () => {
      clock.nowMs += HALF_A_MINUTE_MS;
      const values = await read('bindery_waiting_workflows');
      const found: Record<string, number> = Object.fromEntries(values.map(({ labels, value }) => [labels.type, value]));
      return Object.values(found).filter((value) => value > 0).length === 3 && found;
    },
    { what: 'the counts' },
  );
  const none = Object.fromEntries(Object.values(WORKFLOW_TYPES).map((type) => [type, 0]));
  t.deepEqual(counts, { ...none, paymentWorkflow: 1, claimPaymentWorkflow: 1, renewalBatchWorkflow: 1 });
});

test.serial('documents that come by themselves count when they are refused or late, and others do not', async (t) => {
  const { read } = gauges();
  const orgId = newId('organization');
  const facts = { entityType: null, entityId: null, input: {}, createdBy: 'system' } as const;
  await database.transaction(orgId, async (em) => {
    await createOrganization(em, { id: orgId, name: 'Paper', tier: 'enterprise', isDemo: false });
    for (const [kind, failure, hours] of [
      ['declarations', 'document_not_applicable', 0],
      ['receipt', null, 2],
      ['receipt', null, 0],
      ['certificate', 'document_not_applicable', 0],
    ] as const) {
      const createdAt = new Date(Date.now() - hours * 3_600_000);
      const row = { facts: null, templateVersion: null, supersedes: null, madeAt: null, dueAt: createdAt, createdAt };
      await em.insert(DocumentOrder, { id: newId('document'), orgId, kind, failure, ...facts, ...row });
    }
  });
  const counted = (await read('bindery_unmade_documents')).map(({ labels, value }) => [labels.state, value]);
  t.deepEqual(counted, [
    ['refused', 1],
    ['late', 1],
  ]);
});

test.serial('a figure that cannot be read is absent, and comes back', async (t) => {
  const { read, clock } = gauges();
  t.is((await read('bindery_trust_disagreements')).length, 1);
  const away = database.acrossOrgs;
  database.acrossOrgs = () => Promise.reject(new Error('away'));
  clock.nowMs += HALF_A_MINUTE_MS;
  t.deepEqual(await read('bindery_trust_disagreements'), []);
  database.acrossOrgs = away;
  clock.nowMs += HALF_A_MINUTE_MS;
  t.is((await read('bindery_trust_disagreements')).length, 1);
});
