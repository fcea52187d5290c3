// Least privilege: what the roles of the services may do with records of money, with the rows of every organization,
// and with the attempts of sign-in. A role that is stolen cannot rewrite the books.
import { Migration } from '@mikro-orm/migrations';

export class Privileges extends Migration {
  override readonly name = '0017-privileges';

  override up(): void {
    for (const [table, columns] of Object.entries(CHANGED_COLUMNS)) this.addSql(changesOnly(table, columns));
    this.addSql(NEVER_REMOVED);
    this.addSql(OPERATIONS_READ);
    this.addSql(OPERATIONS_READ_NEW_TABLES);
    this.addSql(KEYS_OF_SIGN_IN);
  }
}

/**
 * The columns of each record of money that its life changes; the rest stays as it was written. None: rows are only ever
 * added.
 */
const CHANGED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  payments: [
    ...['status', 'reference', 'amount_cents', 'applied_cents', 'before_paid_cents', 'allocations', 'charge_id'],
    ...['processor_refunded_cents', 'version', 'updated_at'],
  ],
  payment_intents: ['status', 'processor_id', 'version', 'updated_at'],
  invoices: [
    ...['lines', 'total_cents', 'due_date', 'paid_cents', 'refunded_cents', 'refunded_before_paid_cents'],
    ...['voided_at', 'voided_by', 'last_payment_error', 'version', 'updated_at'],
  ],
  trust_reconciliations: ['is_clean', 'figures', 'updated_at'],
  da_usage: ['used_cents', 'updated_at'],
  org_counters: ['value'],
  policy_number_counters: ['value'],
  commission_schedules: [],
  rate_tables: [],
};

function changesOnly(table: string, columns: readonly string[]): string {
  const revoked = `revoke update, delete on ${table} from bindery_app;`;
  return columns.length === 0
    ? revoked
    : `${revoked}\ngrant update (${columns.join(', ')}) on ${table} to bindery_app;`;
}

/** Rows that change in many ways and end by a status, and the outcomes by which a command happens once. */
const NEVER_REMOVED = `
revoke delete on organizations, policies, quotes, submissions, referrals, insureds, filings, producers, appointments,
  da_contracts, billing_holds, renewal_batches, renewal_batch_items, api_keys from bindery_app;
revoke update, delete on commands from bindery_app;`;

/** It reads the rows of all organizations, keeps the reference data, and forgets the answers that have expired. */
const OPERATIONS_READ = `
revoke insert, update, delete on all tables in schema public, auth from bindery_ops;
revoke all on kv_entries from bindery_ops;
grant insert, update, delete on surplus_lines_rates, sanctions_entries to bindery_ops;
grant update (expires_at), delete on idempotency_keys to bindery_ops;`;

/** The procedure of 0001, for the tables of later migrations. */
const OPERATIONS_READ_NEW_TABLES = `
create or replace procedure protect_tenant_table(target regclass, org_column text default 'org_id') language plpgsql as $$
declare
  mine text := format('%I = (select nullif(current_setting(''app.org_id'', true), ''''))', org_column);
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy own_organization on %s to bindery_app using (%s) with check (%s)', target, mine, mine);
  execute format('create policy every_organization on %s to bindery_ops using (true) with check (true)', target);
  execute format('grant select, insert, update, delete on %s to bindery_app', target);
  execute format('grant select on %s to bindery_ops', target);
end
$$;`;

/**
 * The authentication service reaches the entries of sign-in through its own schema, and no other: not the codes of
 * policyholders.
 */
const KEYS_OF_SIGN_IN = `
create view auth.kv_entries with (security_barrier) as
  select key, value, expires_at, created_at, updated_at from public.kv_entries
    where key ~ '^(sign-(in|on)|link|set-password)[-:]'
  with check option;
grant select, insert, update, delete on auth.kv_entries to bindery_auth;`;
