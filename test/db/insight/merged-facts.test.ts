// Amounts owed and commission by day, next to the invoices and records that they sum.
import anyTest, { type TestFn } from 'ava';
import pg from 'pg';
import { mergeFacts, rebuildMergedFacts } from '../../../db/facts/merged-facts.ts';
import { rebuildSums } from '../../../db/facts/rebuild-sums.ts';
import { isContention } from '../../../db/faults.ts';
import { newId } from '../../../db/ids.ts';
import { commissionSums } from '../../../db/queries/insight/commissions.ts';
import {
  isPortfolioBuilt,
  organizationsToFold,
  organizationToBuild,
} from '../../../db/queries/insight/portfolio-changes.ts';
import { agedBalances } from '../../../db/queries/insight/receivables.ts';
import { startFactFolding } from '../../../workers/fact-folding.ts';
import { eventually } from '../../support/eventually.ts';
import { silentLogger } from '../../support/logger.ts';
import { addOrganization, anInvoice, aPolicy, aTransaction, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test, 3);

const TODAY = '2026-03-31';

async function owing({ database }: DatabaseContext) {
  const orgId = await addOrganization(database);
  const policyId = newId('policy');
  const ids = [newId('invoice'), newId('invoice'), newId('invoice')];
  await database.transaction(orgId, async (em) => {
    aPolicy(em, { id: policyId });
    const transaction = aTransaction(em, policyId);
    for (const [index, id] of ids.entries()) {
      anInvoice(em, transaction, {
        id,
        installmentNumber: index + 1,
        installmentCount: 3,
        dueDate: `2026-0${index + 1}-15`,
        totalCents: 10_000,
      });
    }
  });
  const run = (statement: string) => database.forOrg(orgId, (em) => em.execute(statement));
  const buckets = async () =>
    (await database.forOrg(orgId, (em) => agedBalances(em, TODAY)))
      .filter(({ count }) => count > 0)
      .map(({ bucket, count, balanceCents }) => [bucket, count, balanceCents]);
  return { orgId, policyId, ids, run, buckets };
}

test('amounts owed follow every change of an invoice, and are the same merged and built again', async (t) => {
  const { database } = t.context;
  const { orgId, ids, run, buckets } = await owing(t.context);
  const [first, second, third] = ids;
  t.deepEqual(await buckets(), [
    ['1-30', 1, 10_000],
    ['31-60', 1, 10_000],
    ['61-90', 1, 10_000],
  ]);
  await run(`update invoices set paid_cents = 4000 where id = '${first}'`);
  await run(`update invoices set paid_cents = 10000 where id = '${second}'`);
  await run(`update invoices set due_date = '2026-04-01' where id = '${third}'`);
  const expected = [
    ['current', 1, 10_000],
    ['61-90', 1, 6_000],
  ];
  t.deepEqual(await buckets(), expected);
  await mergeFacts(database, orgId);
  t.deepEqual(await buckets(), expected);
  t.like(await run('select count(*)::int as rows, bool_and(merged) as merged from receivable_facts'), [
    { rows: 2, merged: true },
  ]);
  await run(
    `update invoices set paid_cents = 10000, refunded_cents = 3000, refunded_before_paid_cents = 3000 where id = '${second}'`,
  );
  await run(`update invoices set voided_at = now() where id = '${first}'`);
  const later = [
    ['current', 1, 10_000],
    ['31-60', 1, 3_000],
  ];
  t.deepEqual(await buckets(), later);
  await rebuildMergedFacts(database, orgId);
  t.deepEqual(await buckets(), later);
  await run(`update invoices set uncollectible_at = now()`);
  t.deepEqual(await buckets(), []);
  await mergeFacts(database, orgId);
  t.deepEqual(await run('select 1 from receivable_facts'), []);
});

test('commission of a month is the same before its days are merged, after it, and built again', async (t) => {
  const { database } = t.context;
  const { orgId, policyId, ids, run } = await owing(t.context);
  const producerId = newId('producer');
  await run(
    `insert into producers (id, org_id, name, status, licenses) values ('${producerId}', '${orgId}', 'Agency', 'active', '[]')`,
  );
  for (const [index, invoiceId] of ids.entries()) {
    await run(`insert into commission_records (id, org_id, type, policy_id, invoice_id, producer_id, source_type, source_id,
        gross_premium_cents, agent_commission_cents, mga_commission_cents, carrier_net_cents, tier, rates, recorded_on)
      values ('${newId('commissionRecord')}', '${orgId}', 'earned', '${policyId}', '${invoiceId}', '${producerId}', 'payment',
        'pay_1', 10000, 1250, 1000, 7750, 1, '{}', '2026-0${index < 2 ? 2 : 3}-0${index + 1}')`);
  }
  const sums = () =>
    database.forOrg(orgId, (em) => commissionSums(em, { period: 'month', from: '2026-01-01', to: TODAY }));
  const of = (period: string, count: number) => ({
    ...{ period, grossPremiumCents: 10_000 * count, agentCommissionCents: 1_250 * count },
    ...{ mgaCommissionCents: 1_000 * count, carrierNetCents: 7_750 * count, count },
  });
  const expected = [of('2026-02', 2), of('2026-03', 1)];
  t.deepEqual(await sums(), expected);
  await mergeFacts(database, orgId);
  t.deepEqual(await sums(), expected);
  await rebuildMergedFacts(database, orgId);
  t.deepEqual(await sums(), expected);
});

test('an organization is folded once it is behind by many rows, and not before', async (t) => {
  const { database } = t.context;
  const { orgId } = await owing(t.context);
  const waiting = (mostRows: number) =>
    database.acrossOrgs('a test', (em) => organizationsToFold(em, { mostRows, longestHours: 24 }));
  t.true((await waiting(1)).includes(orgId));
  t.false((await waiting(50)).includes(orgId));
});

/** A merge that collides with another one is redone in the next round. */
function leftForLater(error: unknown): void {
  if (!isContention(error)) throw error;
}

test('sums are built again beside a worker that merges them, and not beside one that stays at work', async (t) => {
  const { database } = t.context;
  const { orgId, ids, run, buckets } = await owing(t.context);
  const expected = await buckets();
  const merging = Array.from({ length: 10 }, () => mergeFacts(database, orgId).catch(leftForLater));
  await Promise.all([...merging, rebuildSums(database, orgId, 1_000)]);
  t.deepEqual(await buckets(), expected);
  await database.transaction(orgId, async (em) => {
    await em.execute('select pg_advisory_xact_lock(5201940, hashtext(?))', [orgId]);
    await t.throwsAsync(rebuildSums(database, orgId, 1), { message: 'A worker is at work on the sums.' });
  });
  await run(`update invoices set voided_at = now() where id = '${ids[0]}'`);
  await rebuildSums(database, orgId);
  t.is((await buckets()).length, 2);
});

test.serial(
  'an organization with policies gets its sums without any change, though those of another fail',
  async (t) => {
    const { database, urls } = t.context;
    const organizations = [await owing(t.context), await owing(t.context)].map(({ orgId }) => orgId).sort();
    const [failing = '', orgId = ''] = organizations;
    for (const id of organizations) await database.forOrg(id, (em) => em.execute('delete from portfolio_changes'));
    const owner = new pg.Client({ connectionString: urls.ownerUrl });
    await owner.connect();
    await owner.query(`alter table portfolio_marks add constraint refused check (org_id <> '${failing}')`);
    const unbuilt = (besides: string[]) => database.acrossOrgs('a test', (em) => organizationToBuild(em, besides));
    const folding = startFactFolding({ database, logger: silentLogger, pauseMs: 20 });
    t.teardown(() => folding.stop());
    await eventually(async () => database.forOrg(orgId, isPortfolioBuilt), { what: 'the sums' });
    await folding.stop();
    t.is(await unbuilt([]), failing);
    t.is(await unbuilt([failing]), null);
    await owner.query('alter table portfolio_marks drop constraint refused');
    await owner.end();
  },
);
