// Producer numbers that differ only in capital letters are one. Decision 0186.
import { Migration } from '@mikro-orm/migrations';

export class ProducerNumbers extends Migration {
  override readonly name = '0186-producer-numbers';

  override up(): void {
    this.addSql(NUMBERS);
  }
}

/** Of producers that are there twice already the first has the number; nothing finds the others by it. */
const NUMBERS = `
alter table producers drop constraint producers_npn_unique, add column npn_twin boolean not null default false;
alter table producers no force row level security;
update producers p set npn_twin = true where exists (
  select from producers o where o.org_id = p.org_id and lower(o.npn) = lower(p.npn) and o.id < p.id);
alter table producers force row level security;
create unique index producers_npn_unique on producers (org_id, lower(npn)) where not npn_twin;`;
