// Kept answers are given again byte for byte: as text rather than jsonb, which orders keys anew. One that carries a
// secret is encrypted. A call that runs names its process, so that its key is free as soon as the process is gone.
import { Migration } from '@mikro-orm/migrations';

export class KeptAnswers extends Migration {
  override readonly name = '0023-kept-answers';

  override up(): void {
    this.addSql(BODIES_AS_TEXT);
    this.addSql(HOLDERS);
  }
}

const BODIES_AS_TEXT = `
alter table idempotency_keys
  alter column body type text using case when body = 'null'::jsonb then null else body::text end,
  add column sealed_with text collate "C",
  add check (sealed_with is null or body is not null);`;

const HOLDERS = `
alter table idempotency_keys add column holder int;`;
