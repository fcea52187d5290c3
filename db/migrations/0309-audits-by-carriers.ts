// A carrier audits each contract by itself, so that its filing names the contract. Other filings with a carrier are one
// for the carrier, as before.
import { Migration } from '@mikro-orm/migrations';

export class AuditsByCarriers extends Migration {
  override readonly name = '0309-audits-by-carriers';

  override up(): void {
    this.addSql(`
alter table filings add column da_contract_id text collate "C",
  add constraint filings_of_contract_have_carrier check (da_contract_id is null or carrier is not null),
  add constraint filings_of_contract foreign key (org_id, da_contract_id) references da_contracts (org_id, id)
    deferrable initially deferred;
drop index filings_of_carrier;
create unique index filings_of_carrier on filings (org_id, carrier, kind, period, da_contract_id)
  nulls not distinct where carrier is not null;`);
  }
}
