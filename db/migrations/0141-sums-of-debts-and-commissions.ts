// What is owed by due date and commission by day, as rows that are only added and from time to time merged. Decision
// 0140.
import { Migration } from '@mikro-orm/migrations';

export class SumsOfDebtsAndCommissions extends Migration {
  override readonly name = '0141-sums-of-debts-and-commissions';

  override up(): void {
    this.addSql(RECEIVABLES);
    this.addSql(OWED);
    this.addSql(COMMISSIONS);
    this.addSql(ALL_SO_FAR);
  }
}

/** A row is what one statement changed, or the sum of many (`merged`). Their sum is what is owed. */
const RECEIVABLES = `
create table receivable_facts (
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  id bigint generated always as identity,
  due_date date not null,
  invoice_count bigint not null,
  balance_cents bigint not null,
  merged boolean not null default false,
  primary key (org_id, id)
);
create index receivable_facts_to_merge on receivable_facts (org_id) where not merged;
call protect_tenant_table('receivable_facts');
revoke update on receivable_facts from bindery_app;`;

/** An invoice is owed while it is neither void nor uncollectible nor paid. Contract 3.7 "Analytics" */
const owed = (rows: string, sign: 1 | -1) => `
  select org_id, due_date, ${sign} as invoices,
    ${sign} * (total_cents - paid_cents + refunded_before_paid_cents) as balance
  from ${rows}
  where voided_at is null and uncollectible_at is null and paid_cents - refunded_before_paid_cents < total_cents`;

const OWED = `
create function note_owed() returns trigger language plpgsql as $$
begin
  insert into receivable_facts (org_id, due_date, invoice_count, balance_cents)
    select org_id, due_date, sum(invoices), sum(balance) from (${owed('added', 1)}) owed group by 1, 2;
  return null;
end
$$;
create trigger note_owed after insert on invoices referencing new table as added
  for each statement execute function note_owed();
create function note_owed_change() returns trigger language plpgsql as $$
begin
  insert into receivable_facts (org_id, due_date, invoice_count, balance_cents)
    select org_id, due_date, sum(invoices), sum(balance)
    from (${owed('changed', 1)} union all ${owed('replaced', -1)}) owed
    group by 1, 2 having sum(invoices) <> 0 or sum(balance) <> 0;
  return null;
end
$$;
create trigger note_owed_change after update on invoices referencing new table as changed old table as replaced
  for each statement execute function note_owed_change();`;

const COMMISSIONS = `
create table commission_facts (
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  id bigint generated always as identity,
  recorded_on date not null,
  gross_premium_cents bigint not null,
  agent_commission_cents bigint not null,
  mga_commission_cents bigint not null,
  carrier_net_cents bigint not null,
  record_count bigint not null,
  merged boolean not null default false,
  primary key (org_id, id)
);
create index commission_facts_to_merge on commission_facts (org_id) where not merged;
call protect_tenant_table('commission_facts');
revoke update on commission_facts from bindery_app;
create function note_commission() returns trigger language plpgsql as $$
begin
  insert into commission_facts (org_id, recorded_on, gross_premium_cents, agent_commission_cents, mga_commission_cents,
      carrier_net_cents, record_count)
    select org_id, recorded_on, sum(gross_premium_cents), sum(agent_commission_cents), sum(mga_commission_cents),
      sum(carrier_net_cents), count(*)
    from added group by 1, 2;
  return null;
end
$$;
create trigger note_commission after insert on commission_records referencing new table as added
  for each statement execute function note_commission();`;

const ALL_SO_FAR = `
alter table invoices no force row level security;
alter table commission_records no force row level security;
alter table receivable_facts no force row level security;
alter table commission_facts no force row level security;
insert into receivable_facts (org_id, due_date, invoice_count, balance_cents, merged)
  select org_id, due_date, sum(invoices), sum(balance), true from (${owed('invoices', 1)}) owed group by 1, 2;
insert into commission_facts (org_id, recorded_on, gross_premium_cents, agent_commission_cents, mga_commission_cents,
    carrier_net_cents, record_count, merged)
  select org_id, recorded_on, sum(gross_premium_cents), sum(agent_commission_cents), sum(mga_commission_cents),
    sum(carrier_net_cents), count(*), true
  from commission_records group by 1, 2;
alter table commission_facts force row level security;
alter table receivable_facts force row level security;
alter table commission_records force row level security;
alter table invoices force row level security;`;
