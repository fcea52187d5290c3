// What the card processor pays out to the trust account, and the movements of its balance that each payout settles.
import { Migration } from '@mikro-orm/migrations';

export class CardPayouts extends Migration {
  override readonly name = '0134-card-payouts';

  override up(): void {
    this.addSql(PAYOUTS);
    this.addSql(LINES);
  }
}

/** The part of one organization; a payout of an account that serves several has a row in each. */
const PAYOUTS = `
create table card_payouts (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  processor_payout_id text collate "C" not null,
  status text collate "C" not null check (status in ('paid', 'failed')),
  arrives_on date not null,
  trace text,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint not null check (net_cents = gross_cents - fee_cents),
  payout_cents bigint not null,
  line_count int not null check (line_count > 0),
  recorded_on date not null,
  failed_on date,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint card_payouts_of_organization unique (org_id, id),
  constraint card_payouts_once unique (org_id, processor_payout_id),
  check ((status = 'failed') = (failed_on is not null))
);
create index card_payouts_by_processor on card_payouts (processor_payout_id);
call protect_tenant_table('card_payouts');
revoke update, delete on card_payouts from bindery_app;
grant update (status, failed_on, version, updated_at) on card_payouts to bindery_app;`;

/** A movement is settled once. */
const LINES = `
create table card_payout_lines (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  card_payout_id text collate "C" not null,
  transaction_id text collate "C" not null,
  type text not null,
  source_id text collate "C",
  intent_id text collate "C",
  amount_cents bigint not null,
  fee_cents bigint not null,
  occurred_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint card_payout_lines_of_organization unique (org_id, id),
  constraint card_payout_lines_once unique (org_id, transaction_id),
  foreign key (org_id, card_payout_id) references card_payouts (org_id, id) deferrable initially deferred
);
create index card_payout_lines_of_payout on card_payout_lines (org_id, card_payout_id, id);
call protect_tenant_table('card_payout_lines');
revoke update, delete on card_payout_lines from bindery_app;`;
