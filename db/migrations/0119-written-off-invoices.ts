// An invoice that nobody will pay is written off. Of one that was paid in part, the rest becomes an invoice of its own.
import { Migration } from '@mikro-orm/migrations';

export class WrittenOffInvoices extends Migration {
  override readonly name = '0119-written-off-invoices';

  override up(): void {
    this.addSql(WRITTEN_OFF);
  }
}

const WRITTEN_OFF = `
alter table invoices add column rest_of text collate "C",
  add foreign key (org_id, rest_of) references invoices (org_id, id) deferrable initially deferred;
create index invoices_rest_of on invoices (org_id, rest_of) where rest_of is not null;
grant update (uncollectible_at) on invoices to bindery_app;`;
