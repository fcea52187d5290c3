// A referral that nobody decides ends on a day; until then those who may decide are reminded. Decision 0117.
import { Migration } from '@mikro-orm/migrations';

export class ReferralsEnd extends Migration {
  override readonly name = '0117-referrals-end';

  override up(): void {
    this.addSql(CALENDAR);
  }
}

/** For a referral that is open already, the days count from its organization's day. */
const CALENDAR = `
alter table referrals
  add column expires_on date not null default current_date + 14,
  add column next_step_on date not null default current_date + 3,
  drop constraint referrals_status_check,
  add constraint referrals_status_check
    check (status in ('pending', 'info_requested', 'approved', 'rejected', 'withdrawn', 'expired'));
alter table referrals alter column expires_on drop default, alter column next_step_on drop default;
alter table referrals no force row level security;
alter table organizations no force row level security;
update referrals r
  set expires_on = r.expires_on + o.clock_offset_days, next_step_on = r.next_step_on + o.clock_offset_days
  from organizations o where o.id = r.org_id and o.clock_offset_days > 0;
alter table referrals force row level security;
alter table organizations force row level security;
create index referrals_next_step on referrals (org_id, next_step_on) where status in ('pending', 'info_requested');`;
