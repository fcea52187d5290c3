// A state that has had more tax than is its own owes the rest, as a carrier does. A payee who owes as much as they are
// owed is paid nothing. And a transfer says what we get: all that leaves the trust, what operating cash had put back
// included.
import { Migration } from '@mikro-orm/migrations';

export class WhatStatesOwe extends Migration {
  override readonly name = '0133-what-states-owe';

  override up(): void {
    this.addSql(KINDS);
    this.addSql(AMOUNTS);
  }
}

const KINDS = `
alter table trust_shortfalls drop constraint trust_shortfalls_kind_check, add constraint trust_shortfalls_kind_check
  check (kind in ('commission', 'carrier', 'tax', 'stamping', 'transfer'));`;

const AMOUNTS = `
alter table remittances drop constraint remittances_amount_cents_check, add constraint remittances_amount_cents_check
  check (amount_cents >= 0);
alter table remittances no force row level security;
update remittances set amount_cents = cash_cents, netted_cents = 0 where kind = 'transfer' and netted_cents > 0;
alter table remittances force row level security;`;
