// Daily sums that analytics of a portfolio read in place of its transactions, and the rows that are not in them yet.
// Decision 0140.
import { Migration } from '@mikro-orm/migrations';

export class PortfolioFacts extends Migration {
  override readonly name = '0140-portfolio-facts';

  override up(): void {
    this.addSql(FACTS);
    this.addSql(LAGS);
    this.addSql(CHANGES);
    this.addSql(NOTES);
    this.addSql(MOVES);
  }
}

/** What each day, and each month, adds to the figures of the whole, a line, a state or a producer. */
const FACTS = `
create table portfolio_facts (
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  dimension text collate "C" not null check (dimension in ('none', 'line', 'state', 'producer')),
  unit text collate "C" not null check (unit in ('day', 'month')),
  starts_on date not null,
  key text collate "C",
  written_cents bigint not null,
  earned_cents bigint not null,
  unearned_cents bigint not null,
  in_force_cents bigint not null,
  policy_count bigint not null,
  binding_count bigint not null,
  term_count bigint not null,
  incurred_cents bigint not null,
  paid_cents bigint not null,
  entry_count bigint not null,
  quote_count bigint not null,
  quoted_and_bound_count bigint not null,
  constraint portfolio_facts_once unique nulls not distinct (org_id, dimension, unit, starts_on, key)
) with (fillfactor = 80);
call protect_tenant_table('portfolio_facts');
create table portfolio_marks (
  org_id text collate "C" primary key references organizations (id) deferrable initially deferred,
  built_at timestamptz(3) not null default now()
);
call protect_tenant_table('portfolio_marks');
revoke update on portfolio_marks from bindery_app;`;

/** What a later day, the next quote or the bind, changes of the count of an earlier one. */
const LAGS = `
create table quote_lags (
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  dimension text collate "C" not null check (dimension in ('none', 'line', 'state', 'producer')),
  event_on date not null,
  origin_on date not null,
  key text collate "C",
  quote_count bigint not null,
  quoted_and_bound_count bigint not null,
  constraint quote_lags_once unique nulls not distinct (org_id, dimension, event_on, origin_on, key)
);
call protect_tenant_table('quote_lags');`;

/**
 * The rows that the sums do not know yet. `was` is where a submission, policy or claim was counted before it moved to
 * another line, state or producer. Rows are only added, and removed when they are in the sums: nobody waits for them.
 */
const CHANGES = `
create table portfolio_changes (
  org_id text collate "C" not null,
  id bigint generated always as identity,
  entity_id text collate "C" not null,
  row_id text collate "C",
  was jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (org_id, id)
);
call protect_tenant_table('portfolio_changes');
revoke update on portfolio_changes from bindery_app;`;

/** The database notes each row itself, so that no step can forget it. */
const NOTES = `
create function note_transactions() returns trigger language plpgsql as $$
begin
  insert into portfolio_changes (org_id, entity_id, row_id) select org_id, policy_id, id from added;
  return null;
end
$$;
create trigger note_change after insert on policy_transactions referencing new table as added
  for each statement execute function note_transactions();
create function note_billings() returns trigger language plpgsql as $$
begin
  insert into portfolio_changes (org_id, entity_id, row_id)
    select b.org_id, t.policy_id, 'b:' || b.transaction_id
    from added b join policy_transactions t on t.org_id = b.org_id and t.id = b.transaction_id;
  return null;
end
$$;
create trigger note_change after insert on transaction_billings referencing new table as added
  for each statement execute function note_billings();
create function note_quotes() returns trigger language plpgsql as $$
begin
  insert into portfolio_changes (org_id, entity_id, row_id) select org_id, submission_id, id from added;
  return null;
end
$$;
create trigger note_change after insert on quotes referencing new table as added
  for each statement execute function note_quotes();
create function note_entries() returns trigger language plpgsql as $$
begin
  insert into portfolio_changes (org_id, entity_id, row_id) select org_id, claim_id, id from added;
  return null;
end
$$;
create trigger note_change after insert on claim_entries referencing new table as added
  for each statement execute function note_entries();`;

const MOVES = `
create function note_move() returns trigger language plpgsql as $$
begin
  insert into portfolio_changes (org_id, entity_id, was) values (new.org_id, new.id,
    jsonb_build_object('line_of_business', old.line_of_business, 'state', old.state, 'producer_id', old.producer_id));
  return null;
end
$$;
${['submissions', 'policies', 'claims']
  .map(
    (table) => `create trigger note_move after update of line_of_business, state, producer_id on ${table} for each row
  when ((old.line_of_business, old.state, old.producer_id)
    is distinct from (new.line_of_business, new.state, new.producer_id))
  execute function note_move();`,
  )
  .join('\n')}`;
