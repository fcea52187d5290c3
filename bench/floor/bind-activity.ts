// The local activity of the bare workflow: the statements of a bind, in their order, through plain `pg`. No entity manager,
// no domain rules: figures are taken from the quote as they are.
import type pg from 'pg';
import { newId } from '../../db/ids.ts';
import { type Bound, boundRows, INSTALLMENTS, type Row } from './bind-rows.ts';
import type { FloorBind } from './bind-workflow.ts';

export type FloorActivities = ReturnType<typeof createFloorActivities>;

export function createFloorActivities(pool: pg.Pool, orgId: string) {
  return {
    bind: async ({ submissionId, quoteId }: FloorBind): Promise<string> => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const policyId = await bind(client, { orgId, submissionId, quoteId });
        await client.query('commit');
        return policyId;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

async function bind(
  client: pg.PoolClient,
  { orgId, submissionId, quoteId }: FloorBind & { orgId: string },
): Promise<string> {
  const one = async (text: string, values: unknown[]): Promise<Row> => (await client.query(text, values)).rows[0];
  const submission = await one('select * from submissions where org_id = $1 and id = $2 limit 1 for update', [
    orgId,
    submissionId,
  ]);
  await one('select * from commands where org_id = $1 and id = $2 limit 1', [orgId, submissionId]);
  await one('select * from organizations where id = $1 limit 1', [orgId]);
  const quote = await one('select * from quotes where org_id = $1 and id = $2 limit 1', [orgId, quoteId]);
  const contract = await one(
    'select * from da_contracts where org_id = $1 and (year = $2 or year is null) order by id desc',
    [orgId, 2026],
  );
  const year = Number(submission.effective_date.getFullYear());
  const key = [orgId, contract.id, year];
  const usage = await one(
    'select * from da_usage where org_id = $1 and contract_id = $2 and year = $3 limit 1 for update',
    key,
  );
  const bound: Bound = { orgId, policyId: newId('policy'), insuredId: newId('insured'), submission, quote, contract };
  const rows = boundRows(bound);
  await insert(client, 'audit_entries', [rows.audit()]);
  await insert(client, 'filings', rows.filings(), 'returning version');
  await insert(client, 'insureds', [rows.insured()], 'returning version');
  await one(
    'update da_usage set used_cents = $4, updated_at = now() where org_id = $1 and contract_id = $2 and year = $3',
    [...key, Number(usage.used_cents) + Number(quote.gross_premium_cents)],
  );
  await one(
    `update quotes set status = 'accepted', updated_at = now(), version = version + 1
     where id = $1 and version = $2 returning version`,
    [quoteId, quote.version],
  );
  await one(
    `update submissions set status = 'bound', policy_id = $3, updated_at = now(), version = version + 1
     where id = $1 and version = $2 returning version`,
    [submissionId, submission.version, bound.policyId],
  );
  const invoices = await one(
    `insert into org_counters as counter (org_id, key, value) values ($1, $2, $3)
     on conflict (org_id, key) do update set value = counter.value + excluded.value returning value`,
    [orgId, `INV-${year}`, INSTALLMENTS],
  );
  const policies = await one(
    `insert into policy_number_counters as counter (key, value) values ($1, 1)
     on conflict (key) do update set value = counter.value + 1 returning value`,
    [`GL-TX-${year}`],
  );
  const numbers = { policy: `GL-TX-${year}-${policies.value}`, lastInvoice: Number(invoices.value) };
  await insert(client, 'events', [rows.event(numbers.policy)], 'returning position');
  await insert(client, 'relations', [rows.relation()]);
  await insert(client, 'policy_transactions', [rows.transaction()]);
  await insert(client, 'invoices', rows.invoices(numbers.lastInvoice), 'returning version');
  await insert(client, 'policies', [rows.policy(numbers.policy)], 'returning version');
  await insert(client, 'commands', [rows.command()]);
  return bound.policyId;
}

async function insert(client: pg.PoolClient, table: string, rows: Row[], returning = ''): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const places = rows.map((_, row) => `(${names.map((_, i) => `$${row * names.length + i + 1}`).join(', ')})`);
  const values = rows.flatMap((row) => names.map((name) => row[name]));
  const columns = names.map((name) => `"${name}"`).join(', ');
  await client.query(`insert into ${table} (${columns}) values ${places.join(', ')} ${returning}`, values);
}
