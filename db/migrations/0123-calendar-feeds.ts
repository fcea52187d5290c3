// The address under which an organization's calendar of compliance can be read: one at a time. Decision 0123.
import { Migration } from '@mikro-orm/migrations';

export class CalendarFeeds extends Migration {
  override readonly name = '0123-calendar-feeds';

  override up(): void {
    this.addSql(CALENDAR_FEEDS);
  }
}

const CALENDAR_FEEDS = `
create table calendar_feeds (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  constraint calendar_feeds_of_organization unique (org_id)
);
call protect_tenant_table('calendar_feeds');
revoke update, delete on calendar_feeds from bindery_app;
grant delete on calendar_feeds to bindery_app;`;
