// The devices of insureds that want to be notified. A device belongs to who registered it last: its token is there once
// in the installation, so that nobody's news reaches the phone of somebody else.
import { Migration } from '@mikro-orm/migrations';

export class PushTokens extends Migration {
  override readonly name = '0079-push-tokens';

  override up(): void {
    this.addSql(PUSH_TOKENS);
    this.addSql(FREE_PUSH_TOKEN);
  }
}

const PUSH_TOKENS = `
create table push_tokens (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  insured_id text collate "C" not null,
  token text collate "C" not null constraint push_tokens_once unique check (length(token) between 1 and 2000),
  platform text collate "C" not null check (platform in ('ios', 'android', 'web')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (org_id, insured_id) references insureds (org_id, id) deferrable initially deferred
);
create index push_tokens_of_insured on push_tokens (org_id, insured_id);
call protect_tenant_table('push_tokens');`;

/** Takes a device away from the insureds of every other organization. */
const FREE_PUSH_TOKEN = `
create policy registered_anywhere on push_tokens for all to current_user using (true);
create function free_push_token(registered text, keeper text) returns void
  language sql volatile security definer set search_path = ''
  as $$ delete from public.push_tokens where token = registered and org_id <> keeper $$;
revoke all on function free_push_token(text, text) from public;
grant execute on function free_push_token(text, text) to bindery_app;`;
