// The number by which the regulators' association NAIC knows a carrier, which certificates print beside its name.
// Contract 3.10, domain facts 5.2.
import { Migration } from '@mikro-orm/migrations';

export class CarrierNumbers extends Migration {
  override readonly name = '0285-carrier-numbers';

  override up(): void {
    this.addSql("alter table da_contracts add column carrier_naic_code text check (carrier_naic_code ~ '^[0-9]{5}$');");
  }
}
