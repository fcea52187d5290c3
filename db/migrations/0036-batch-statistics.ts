// What keeps the thousandth renewal of a batch as cheap as the first: statistics that follow what the batch writes, and
// an index that leads with the policy for what it owes.
import { Migration } from '@mikro-orm/migrations';

export class BatchStatistics extends Migration {
  override readonly name = '0036-batch-statistics';

  override up(): void {
    this.addSql(ANALYZE_BATCH_ITEMS);
    this.addSql(ANALYZE_GROWN_TABLES);
    this.addSql(INVOICES_OWED_OF_POLICY);
  }
}

/**
 * A batch's list is written in one statement, in a table that the planner takes for almost empty until somebody counts
 * it. Only the owner may analyze; the service may have it done.
 */
const ANALYZE_BATCH_ITEMS = `
create function analyze_batch_items() returns void
  language sql volatile security definer set search_path = ''
  as 'analyze (skip_locked) public.renewal_batch_items';
revoke all on function analyze_batch_items() from public;
grant execute on function analyze_batch_items() to bindery_app;`;

/** Counts the tables again that have grown by half since they were counted: a few times in the longest batch. */
const ANALYZE_GROWN_TABLES = `
create function analyze_grown_tables() returns void
  language plpgsql volatile security definer set search_path = ''
  as $$
  declare
    grown regclass;
  begin
    for grown in
      select relid from pg_catalog.pg_stat_user_tables
      where schemaname = 'public' and n_mod_since_analyze > greatest(500, n_live_tup / 2)
        and relname in ('policies', 'policy_transactions', 'invoices', 'filings', 'relations', 'commands', 'events',
          'audit_entries', 'renewal_batch_items')
    loop
      execute pg_catalog.format('analyze (skip_locked) %s', grown);
    end loop;
  end
  $$;
revoke all on function analyze_grown_tables() from public;
grant execute on function analyze_grown_tables() to bindery_app;`;

const INVOICES_OWED_OF_POLICY = `
create index invoices_owed_of_policy on invoices (org_id, policy_id, due_date)
  where voided_at is null and uncollectible_at is null and paid_cents - refunded_before_paid_cents < total_cents;`;
