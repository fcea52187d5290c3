// Reconciliations over the API: started by billing and administration, read by finance and audit, with figures and
// findings. Contract 3.2 "Parts tie out", 3.4.
import test from 'ava';
import pg from 'pg';
import { trustRunWorkflowId } from '../../../contracts/machinery/start.ts';
import { Rows } from '../../faults/bind.ts';
import { eventually } from '../../support/eventually.ts';
import { hideTable, holdTable } from '../../support/held-row.ts';
import { bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { reconciled } from './reconciled.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** The worked example of Contract 3.1, paid by check, through the last step. */
async function paid(): Promise<{ house: House; invoiceId: string }> {
  const house = await newHouse(platform);
  const { invoices } = await bound(house.as('underwriter'));
  const [{ id: invoiceId }] = invoices;
  const body = { amount: 4_389.64, method: 'check', reference: 'Check 1' };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${invoiceId}/pay`, body), 201);
  const events = () => house.as('org_admin').get('/v1/events', { query: { type: 'invoice.paid' } });
  await eventually(async () => bodyOf(await events()).data.length > 0, { what: 'the payment to be published' });
  return { house, invoiceId };
}

test.serial('a run shows the holdings and debts of the trust, and that every check has passed', async (t) => {
  const { house } = await paid();
  const { failed, ...run } = await reconciled(house.as('billing_admin'));
  t.like(run, { clean: true, findings: [] });
  t.deepEqual(failed, []);
  // 3,092.25 + 498.75 + 399.00 + 202.97 + 1.67 + 195.00.
  t.like(run.figures, { trustAssets: 4_389.64, trustLiabilities: 4_389.64, trustRatio: 1, trustCash: 4_389.64 });
  t.deepEqual(
    run.figures.liabilities.filter(({ balance }: { balance: number }) => balance !== 0),
    [
      { account: 2010, balance: 3_591 },
      { account: 2030, balance: 399 },
      { account: 2040, balance: 202.97 },
      { account: 2050, balance: 1.67 },
      { account: 2090, balance: 195 },
    ],
  );
  t.deepEqual(
    run.checks.filter(({ status }: { status: string }) => status !== 'passed'),
    [],
  );
  const [newest] = bodyOf(await house.as('finance_analyst').get('/v1/trust-reconciliations')).data;
  t.deepEqual(newest, run);
});

test.serial('a discrepancy is named with its row, and raises one alert', async (t) => {
  const { house, invoiceId } = await paid();
  const owner = new pg.Client({ connectionString: platform.testDatabase.ownerUrl });
  await owner.connect();
  try {
    await owner.query('set session_replication_role = replica');
    await owner.query('update invoices set total_cents = total_cents + 100 where id = $1', [invoiceId]);
  } finally {
    await owner.end();
  }
  const run = await reconciled(house.as('billing_admin'));
  t.false(run.clean);
  const finding = run.findings.find(({ check }: { check: string }) => check === 'invoice_total');
  t.like(finding, {
    ...{ entityType: 'invoice', entityId: invoiceId, part: 'total', unit: 'dollars' },
    ...{ expected: 4_389.64, actual: 4_390.64 },
  });
  const alerts = await house.as('org_admin').get('/v1/events', { query: { type: 'financial.operation_failed' } });
  t.deepEqual(
    bodyOf(alerts).data.map(({ data }: { data: Record<string, unknown> }) => [data.operation, data.reference]),
    [['trust.reconciliation', run.id]],
  );
});

test.serial('every start while a run is under way returns that run', async (t) => {
  const { house } = await paid();
  const held = await holdTable(platform.testDatabase.ownerUrl, 'trust_reconciliations');
  t.teardown(() => held.release().catch(() => {}));
  const start = async () => bodyOf(await house.as('billing_admin').post('/v1/trust-reconciliations'), 202);
  const starting = Array.from({ length: 5 }, start);
  await held.isWaitedFor();
  await held.release();
  const ids = new Set((await Promise.all(starting)).map(({ id }) => id));
  t.is(ids.size, 1);
});

test.serial('a start between the result of a run and its end returns a new run', async (t) => {
  const { house } = await paid();
  const billing = house.as('billing_admin');
  const path = '/v1/trust-reconciliations';
  const { ownerUrl } = platform.testDatabase;
  // The run has its result, and is held just before its end.
  const held = await hideTable(ownerUrl, 'invoices');
  t.teardown(() => held.release().catch(() => {}));
  const first = bodyOf(await billing.post(path), 202);
  await held.isWaitedFor();
  await new Rows(ownerUrl).query(
    `update trust_reconciliations set status = 'completed', is_clean = true, finished_at = now() where id = $1`,
    [first.id],
  );
  const second = billing.post(path);
  const handle = platform.temporal.client.workflow.getHandle(trustRunWorkflowId(house.orgId));
  const answered = async () => {
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter((event) => event.workflowExecutionUpdateCompletedEventAttributes).length;
  };
  await eventually(async () => (await answered()) >= 2, { what: 'the second start to reach the first run' });
  await held.release();
  const run = bodyOf(await second, 202);
  t.not(run.id, first.id);
  const isCompleted = async () => bodyOf(await billing.get(`${path}/${run.id}`)).status === 'completed';
  await eventually(isCompleted, { what: 'the new run to be completed' });
});

test.serial(
  'finance, billing, administration and audit read, and billing and administration start a run',
  async (t) => {
    const house = await newHouse(platform);
    const path = '/v1/trust-reconciliations';
    const run = await reconciled(house.as('billing_admin'));
    for (const role of ['finance_analyst', 'billing_admin', 'org_admin', 'auditor']) {
      t.is((await house.as(role).get(path)).status, 200, role);
      t.is((await house.as(role).get(`${path}/${run.id}`)).status, 200, role);
    }
    for (const role of ['producer', 'underwriter', 'claims_supervisor', 'compliance_officer', 'platform_operator']) {
      t.is((await house.as(role).get(path)).status, 403, role);
      t.is((await house.as(role).post(path)).status, 403, role);
    }
    for (const role of ['finance_analyst', 'auditor']) t.is((await house.as(role).post(path)).status, 403, role);
    const other = await newHouse(platform);
    t.is((await other.as('auditor').get(`${path}/${run.id}`)).status, 404);
  },
);
