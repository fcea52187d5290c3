// A reference under which a remittance, a payout or a transfer was paid is found in any case. Contract 3.4 "Ledgers".
import { Migration } from '@mikro-orm/migrations';

export class PaymentsByReferenceOut extends Migration {
  override readonly name = '0290-payments-by-reference-out';

  override up(): void {
    this.addSql(BY_REFERENCE);
  }
}

const BY_REFERENCE = `
create index remittances_by_reference on remittances (org_id, lower(reference)) where reference is not null;`;
