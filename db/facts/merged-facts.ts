// Merges the debt and commission rows into one per day, and rebuilds them from invoices and records. Readers sum
// whatever rows exist, so the timing does not matter. Decision 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../orm.ts';
import { bound } from '../queries/named-values.ts';
import { organizationOf } from '../scope.ts';
import { inTurn } from './in-turn.ts';

const TABLES = {
  receivable_facts: {
    day: 'due_date',
    amounts: ['invoice_count', 'balance_cents'],
    rows: `select due_date, 1 as invoice_count, total_cents - paid_cents + refunded_before_paid_cents as balance_cents
      from invoices where org_id = :org and voided_at is null and uncollectible_at is null
        and paid_cents - refunded_before_paid_cents < total_cents`,
  },
  commission_facts: {
    day: 'recorded_on',
    amounts: [
      ...['gross_premium_cents', 'agent_commission_cents', 'mga_commission_cents', 'carrier_net_cents', 'record_count'],
    ],
    rows: `select recorded_on, gross_premium_cents, agent_commission_cents, mga_commission_cents, carrier_net_cents,
      1 as record_count from commission_records where org_id = :org`,
  },
} as const;

type Table = keyof typeof TABLES;

function additionOf(table: Table, rows: string): string {
  const { day, amounts } = TABLES[table];
  return `insert into ${table} (org_id, ${day}, ${amounts.join(', ')}, merged)
    select :org, ${day}, ${amounts.map((name) => `sum(${name})`).join(', ')}, true from (${rows}) rows
    group by ${day} having ${amounts.map((name) => `sum(${name}) <> 0`).join(' or ')}`;
}

/** Merges the rows of days that have several, unless another process is working on them. */
export async function mergeFacts(database: Database, orgId: string): Promise<void> {
  await inTurn(database, orgId, async (em) => {
    for (const [table, { day }] of Object.entries(TABLES)) {
      const merging = `with gone as (
        delete from ${table} where org_id = :org
          and ${day} in (select ${day} from ${table} where org_id = :org and not merged) returning *
      ) ${additionOf(table as Table, 'select * from gone')}`;
      await run(em, merging);
    }
  });
}

/**
 * Rebuilds the rows from invoices and commission records. Anything committed later stays in its own rows.
 * @returns false if another process is working on them
 */
export async function rebuildMergedFacts(database: Database, orgId: string): Promise<boolean> {
  const isDone = await inTurn(database, orgId, async (em) => {
    for (const [table, { rows }] of Object.entries(TABLES)) {
      await run(em, `delete from ${table} where org_id = :org`);
      await run(em, additionOf(table as Table, rows));
    }
    return true;
  });
  return isDone === true;
}

async function run(em: EntityManager, statement: string): Promise<void> {
  await em.execute(...bound(statement, { org: organizationOf(em) }));
}
