// The reference of the wire, check or transfer by which a remittance was paid: the bank names it in its booking.
// Contract 3.4 "Ledgers".
import { Migration } from '@mikro-orm/migrations';

export class ReferencesOfRemittances extends Migration {
  override readonly name = '0273-references-of-remittances';

  override up(): void {
    this.addSql(REFERENCE);
  }
}

const REFERENCE = `
alter table remittances add column reference text collate "C",
  add check (reference is null or status = 'paid');
grant update (reference) on remittances to bindery_app;`;
