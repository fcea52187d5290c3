// Counts the attempts of a keyed request whose command failed: a workflow run always answers an update id with its
// first outcome, so the next attempt needs another id.
import { Migration } from '@mikro-orm/migrations';

export class AttemptsOfKeys extends Migration {
  override readonly name = '0313-attempts-of-keys';

  override up(): void {
    this.addSql('alter table idempotency_keys add column attempt integer not null default 1;');
  }
}
