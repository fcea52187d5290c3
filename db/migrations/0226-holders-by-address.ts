// Holders of certificates are told apart by their address too. Keys as `holderKey` (domain/document/certificate.ts)
// makes them.
import { Migration } from '@mikro-orm/migrations';

export class HoldersByAddress extends Migration {
  override readonly name = '0226-holders-by-address';

  override up(): void {
    this.addSql(KEYS);
  }
}

const KEYS = `
alter table certificates no force row level security;
update certificates set holder_key = holder_key || E'\\n' || trim(lower(regexp_replace(
  case jsonb_typeof(holder -> 'address') when 'string' then holder ->> 'address'
    else concat_ws(' ', holder #>> '{address,line1}', holder #>> '{address,line2}', holder #>> '{address,city}',
      holder #>> '{address,state}', holder #>> '{address,postalCode}') end,
  '[\\s,.;#-]+', ' ', 'g')));
alter table certificates force row level security;`;
