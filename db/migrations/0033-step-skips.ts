// Steps of money that an operator left out: each stands open until somebody has put right what it would have written.
import { Migration } from '@mikro-orm/migrations';

export class StepSkips extends Migration {
  override readonly name = '0033-step-skips';

  override up(): void {
    this.addSql(STEP_SKIPS);
  }
}

const STEP_SKIPS = `
create table step_skips (
  org_id text collate "C" not null,
  payment_id text collate "C" not null,
  invoice_id text collate "C",
  step text collate "C" not null,
  skipped_by text not null,
  skipped_at timestamptz(3) not null default now(),
  mended_by text collate "C",
  updated_at timestamptz(3) not null default now(),
  primary key (org_id, payment_id, step),
  foreign key (org_id, payment_id) references payments (org_id, id) deferrable initially deferred,
  foreign key (org_id, invoice_id) references invoices (org_id, id) deferrable initially deferred
);
create index step_skips_open on step_skips (org_id, invoice_id) where mended_by is null;
call protect_tenant_table('step_skips');
revoke update, delete on step_skips from bindery_app;
grant update (mended_by, updated_at) on step_skips to bindery_app;`;
