// Several replaced secrets of a subscription may still sign, each until an instant of its own.
import { Migration } from '@mikro-orm/migrations';

export class PreviousSecrets extends Migration {
  override readonly name = '0216-previous-secrets';

  override up(): void {
    this.addSql(`
alter table webhooks add column previous_secrets jsonb not null default '[]';
alter table webhooks no force row level security;
update webhooks set previous_secrets = jsonb_build_array(
    jsonb_build_object('secret', previous_secret, 'until', previous_secret_until))
  where previous_secret is not null;
alter table webhooks force row level security;
alter table webhooks drop column previous_secret, drop column previous_secret_until;`);
  }
}
