// The bare workflow's local activity: the statements of a bind, in order, through plain `pg`. No entity manager, no
// domain rules: figures are taken from the quote as they are.
import type pg from 'pg';
import type { FloorBind } from './bind-command.ts';
import {
  auditRow,
  boundFrom,
  commandRow,
  eventRow,
  filingRows,
  INSTALLMENTS,
  insuredRow,
  invoiceRows,
  policyRow,
  type Row,
  relationRow,
  transactionRow,
} from './bind-rows.ts';

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

type Scope = FloorBind & { orgId: string };

async function bind(client: pg.PoolClient, scope: Scope): Promise<string> {
  const { submission, quote, contract, authority, usage } = await read(client, scope);
  const bound = boundFrom(scope.orgId, submission, quote, contract);
  await insert(client, 'audit_entries', [auditRow(bound)]);
  await insert(client, 'filings', filingRows(bound));
  await insert(client, 'insureds', [insuredRow(bound)]);
  await client.query(
    'update da_usage set used_cents = $4, updated_at = now() where org_id = $1 and contract_id = $2 and year = $3',
    [...authority, Number(usage.used_cents) + Number(quote.gross_premium_cents)],
  );
  await client.query(
    `update quotes set status = 'accepted', updated_at = now(), version = version + 1
     where id = $1 and version = $2 returning version`,
    [quote.id, quote.version],
  );
  await client.query(
    `update submissions set status = 'bound', policy_id = $3, updated_at = now(), version = version + 1
     where id = $1 and version = $2 returning version`,
    [submission.id, submission.version, bound.policyId],
  );
  const { lastInvoice, policyNumber } = await takeNumbers(client, scope.orgId, submission.effective_date.getFullYear());
  await insert(client, 'events', [eventRow(bound, policyNumber)]);
  await insert(client, 'relations', [relationRow(bound)]);
  await insert(client, 'policy_transactions', [transactionRow(bound)]);
  await insert(client, 'invoices', invoiceRows(bound, lastInvoice));
  await insert(client, 'policies', [policyRow(bound, policyNumber)]);
  await insert(client, 'commands', [commandRow(bound)]);
  return bound.policyId;
}

async function read(client: pg.PoolClient, { orgId, submissionId, quoteId }: Scope) {
  const one = async (text: string, values: unknown[]): Promise<Row> => (await client.query(text, values)).rows[0];
  const mine = 'where org_id = $1 and id = $2 limit 1';
  const submission = await one(`select * from submissions ${mine} for update`, [orgId, submissionId]);
  await one('select * from organizations where id = $1 limit 1', [orgId]);
  const quote = await one(`select * from quotes ${mine}`, [orgId, quoteId]);
  const year = submission.effective_date.getFullYear();
  const contract = await one(
    'select * from da_contracts where org_id = $1 and (year = $2 or year is null) order by id desc',
    [orgId, year],
  );
  const authority = [orgId, contract.id, year];
  const usage = await one(
    'select * from da_usage where org_id = $1 and contract_id = $2 and year = $3 limit 1 for update',
    authority,
  );
  return { submission, quote, contract, authority, usage };
}

async function takeNumbers(client: pg.PoolClient, orgId: string, year: number) {
  const invoices = await client.query(
    `insert into org_counters as counter (org_id, key, value) values ($1, $2, $3)
     on conflict (org_id, key) do update set value = counter.value + excluded.value returning value`,
    [orgId, `INV-${year}`, INSTALLMENTS],
  );
  const series = `GL-TX-${year}`;
  const policies = await client.query(
    `insert into policy_number_counters as counter (key, value) values ($1, 1)
     on conflict (key) do update set value = counter.value + 1 returning value`,
    [series],
  );
  return { lastInvoice: Number(invoices.rows[0].value), policyNumber: `${series}-${policies.rows[0].value}` };
}

async function insert(client: pg.PoolClient, table: string, rows: Row[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const places = rows.map((_, row) => `(${names.map((_, i) => `$${row * names.length + i + 1}`).join(', ')})`);
  const values = rows.flatMap((row) => names.map((name) => row[name]));
  const columns = names.map((name) => `"${name}"`).join(', ');
  await client.query(`insert into ${table} (${columns}) values ${places.join(', ')}`, values);
}
