// Autopay: the cards that insureds let us keep at the processor, what they agreed to, and which attempts charged them.
// Decision 0165.
import { Migration } from '@mikro-orm/migrations';

export class Autopay extends Migration {
  override readonly name = '0165-autopay';

  override up(): void {
    this.addSql(AUTOPAYS);
    this.addSql(SETUPS);
    this.addSql(CHARGES);
  }
}

/** One for each insured. \`setup_id\` is the setup whose card is charged. */
const AUTOPAYS = `
create table autopays (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  insured_id text collate "C" not null,
  status text collate "C" not null check (status in ('off', 'pending', 'active', 'suspended')),
  suspended_reason text collate "C"
    check (suspended_reason in ('card_declined', 'authentication_required', 'card_unusable')),
  customer_key text collate "C",
  setup_id text collate "C",
  payment_method_key text collate "C",
  card jsonb,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint autopays_of_insured unique (org_id, insured_id),
  check ((status = 'suspended') = (suspended_reason is not null)),
  check (status not in ('active', 'suspended') or
    (customer_key is not null and setup_id is not null and payment_method_key is not null and card is not null))
);
call protect_tenant_table('autopays');
revoke update, delete on autopays from bindery_app;
grant update (status, suspended_reason, customer_key, setup_id, payment_method_key, card, version, updated_at)
  on autopays to bindery_app;`;

/** What was agreed to is never changed. */
const SETUPS = `
create table autopay_setups (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  insured_id text collate "C" not null,
  setup_intent_key text collate "C" constraint autopay_setups_processor_unique unique,
  status text collate "C" not null check (status in ('creating', 'open', 'succeeded', 'cancelled')),
  terms_version text collate "C" not null,
  agreed_at timestamptz(3) not null,
  agreed_by text not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index autopay_setups_of_insured on autopay_setups (org_id, insured_id, id);
call protect_tenant_table('autopay_setups');
revoke update, delete on autopay_setups from bindery_app;
grant update (setup_intent_key, status, version, updated_at) on autopay_setups to bindery_app;`;

/** An attempt without a setup is that of a person. */
const CHARGES = `
alter table payment_intents
  add column autopay_setup_id text collate "C",
  add column autopay_on date,
  add column failure_code text collate "C",
  add check ((autopay_setup_id is null) = (autopay_on is null));
grant update (failure_code) on payment_intents to bindery_app;
alter table invoices add column autopay_notice_for date;
grant update (autopay_notice_for) on invoices to bindery_app;`;
