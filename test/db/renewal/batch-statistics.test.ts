// A batch's writes are counted before they mislead the planner: by the owner, at the service's request.
import anyTest, { type TestFn } from 'ava';
import pg from 'pg';
import { analyzeGrownTables, takePolicies } from '../../../db/queries/renewal/renewal-batches.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { aPolicy, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test, 2);

const TODAY = '2026-03-01';
/** More than the statistics may lag behind. */
const MANY = 600;

/** How often a table has been analyzed, as the server reports with a short delay. */
async function analyses(owner: pg.Client, table: string): Promise<number> {
  const sql = 'select (analyze_count + autoanalyze_count)::int as n from pg_stat_user_tables where relname = $1';
  const { rows } = await owner.query<{ n: number }>(sql, [table]);
  return rows[0]?.n ?? 0;
}

test('the list of a batch is analyzed when it is written, and the tables that have grown while it is worked through', async (t) => {
  const { database, orgId, urls } = t.context;
  const owner = new pg.Client({ connectionString: urls.ownerUrl });
  await owner.connect();
  t.teardown(() => owner.end());
  await database.transaction(orgId, async (em) => {
    for (let i = 0; i < MANY; i += 1) {
      aPolicy(em, { status: 'active', effectiveDate: addDays(TODAY, -345), expirationDate: addDays(TODAY, 20) });
    }
  });
  const before = await analyses(owner, 'renewal_batch_items');
  const taken = await database.transaction(orgId, async (em) => {
    const window = { today: TODAY, withinDays: 30 };
    await em.execute(
      `insert into renewal_batches (id, org_id, workflow_id, within_days, business_date, is_daily, status,
         matched, requested_by)
       values ('bat_1', ?, 'batch', 30, ?, false, 'running', 0, '{}')`,
      [orgId, TODAY],
    );
    return takePolicies(em, 'bat_1', window);
  });
  t.is(taken, MANY);
  await eventually(async () => (await analyses(owner, 'renewal_batch_items')) > before, {
    what: 'the list to be analyzed',
  });
  const grown = await analyses(owner, 'policies');
  await eventually(
    async () => {
      await database.forOrg(orgId, analyzeGrownTables);
      return (await analyses(owner, 'policies')) > grown;
    },
    { what: 'the policies to be analyzed' },
  );
});

test('the service itself may analyze nothing', async (t) => {
  const { urls } = t.context;
  const app = new pg.Client({ connectionString: urls.appUrl });
  const notices: string[] = [];
  app.on('notice', ({ message }) => notices.push(message ?? ''));
  await app.connect();
  t.teardown(() => app.end());
  await app.query('analyze policies');
  t.regex(notices.join('\n'), /permission denied to analyze "policies"/);
});
