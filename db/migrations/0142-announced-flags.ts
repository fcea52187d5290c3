// Processes that keep the flags of an organization hear when they change. Decision 0142.
import { Migration } from '@mikro-orm/migrations';

export class AnnouncedFlags extends Migration {
  override readonly name = '0142-announced-flags';

  override up(): void {
    this.addSql(ANNOUNCEMENTS);
  }
}

/** A notice names the organization and nothing else. */
const ANNOUNCEMENTS = `
create function announce_flags() returns trigger language plpgsql as $$
begin
  perform pg_notify('flags', coalesce(new.org_id, old.org_id));
  return null;
end
$$;
create trigger announce_flags after insert or update or delete on flag_overrides
  for each row execute function announce_flags();`;
