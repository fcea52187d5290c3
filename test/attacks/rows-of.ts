// Everything the database holds for an organization, found in the catalog, so that tables added later are included.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { eventually } from '../support/eventually.ts';

/** The audit chain is extended automatically some time after the rows it covers; requests are stored afterwards. */
const EXTENDED_LATER = ['audit_links', 'audit_seals', 'requests'];
const ID = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** A document still has to be sent after it is made. */
const LOOKS_AT_REST = 10;

interface Table {
  name: string;
  rows: Record<string, unknown>[];
}

/** Table → a digest of all of the organization's rows, versions included. */
export async function digestsOf(sql: pg.Pool, orgId: string): Promise<Record<string, string>> {
  const tables = await rowsOf(sql, orgId);
  return Object.fromEntries(tables.map(({ name, rows }) => [name, `${rows.length} rows ${digest(rows)}`]));
}

/** The digests once nothing of the organization is in progress, and ten looks have seen the same. */
export async function restingDigestsOf(sql: pg.Pool, orgId: string): Promise<Record<string, string>> {
  let seen = '';
  let times = 0;
  return eventually(
    async () => {
      const digests = await digestsOf(sql, orgId);
      const now = JSON.stringify(digests);
      times = now === seen ? times + 1 : 0;
      seen = now;
      return times >= LOOKS_AT_REST && (await isAtRest(sql, orgId)) && digests;
    },
    { what: `the rows of ${orgId} to come to rest` },
  );
}

/** How many of the organization's documents are still to be made. */
export async function waitingDocuments(sql: pg.Pool, orgId: string): Promise<number> {
  const waiting = 'select from document_orders where org_id = $1 and made_at is null and failure is null';
  return (await sql.query(waiting, [orgId])).rowCount ?? 0;
}

/** Whether there is no document to make, no money in transit and nothing to cancel or send. */
async function isAtRest(sql: pg.Pool, orgId: string): Promise<boolean> {
  const counts = await Promise.all(
    UNDER_WAY.map(async (rows) => (await sql.query(`select from ${rows}`, [orgId])).rowCount),
  );
  return counts.every((count) => count === 0) && (await waitingDocuments(sql, orgId)) === 0;
}

const UNDER_WAY = [
  "payments where org_id = $1 and saga_ended_at is null and status <> 'failed'",
  "payment_intents where org_id = $1 and cancellation = 'due'",
  'due_notices where org_id = $1',
  "webhook_deliveries where org_id = $1 and status in ('pending', 'sending')",
  "push_notices where org_id = $1 and status = 'pending'",
];

/** Prefix → every id of that kind in the organization's rows that is not in `others`. */
export async function idsOf(sql: pg.Pool, orgId: string, others: Ids = new Map()): Promise<Ids> {
  const tables = await rowsOf(sql, orgId);
  const values = tables.flatMap(({ rows }) => rows.flatMap((row) => Object.entries(row)));
  const ids = new Set(
    values.flatMap(([column, value]) => {
      const isId = (column === 'id' || column.endsWith('_id')) && typeof value === 'string';
      return isId && ID.test(value) && !others.get(prefixOf(value))?.includes(value) ? [value] : [];
    }),
  );
  return Map.groupBy(ids, prefixOf);
}

/** Prefix → ids. */
export type Ids = ReadonlyMap<string, string[]>;

async function rowsOf(sql: pg.Pool, orgId: string): Promise<Table[]> {
  const { rows: tables } = await sql.query<{ name: string; column: string }>(TABLES, [EXTENDED_LATER]);
  return Promise.all(
    tables.map(async ({ name, column }) => {
      const { rows } = await sql.query(`select * from ${name} t where ${column} = $1 order by t::text`, [orgId]);
      return { name, rows };
    }),
  );
}

const TABLES = `
select format('%I.%I', table_schema, table_name) as name, column_name as column
from information_schema.columns join information_schema.tables using (table_schema, table_name)
where table_schema in ('public', 'auth') and table_type = 'BASE TABLE' and table_name <> all ($1)
  and (column_name = 'org_id' or (table_name = 'organizations' and column_name = 'id'))
order by 1`;

function prefixOf(id: string): string {
  return id.slice(0, id.indexOf('_'));
}

function digest(rows: object[]): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16);
}
