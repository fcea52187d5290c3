// An approval stands for the next quote, and its conditions for the policy. Decision 0185.
import { Migration } from '@mikro-orm/migrations';

export class StandingApprovals extends Migration {
  override readonly name = '0185-standing-approvals';

  override up(): void {
    this.addSql(APPROVALS);
  }
}

/** What has been bound keeps the conditions that its quote showed. */
const APPROVALS = `
alter table referrals add column judged jsonb;
alter table quotes add column approval_id text collate "C";
alter table referrals no force row level security;
alter table quotes no force row level security;
alter table policies no force row level security;
update quotes q set approval_id = r.id from referrals r
  where r.org_id = q.org_id and r.quote_id = q.id and r.status = 'approved';
alter table policies add column conditions jsonb not null default '[]';
update policies p set conditions = q.conditions from quotes q
  where q.org_id = p.org_id and q.id = p.quote_id and q.conditions <> '[]';
alter table referrals force row level security;
alter table quotes force row level security;
alter table policies force row level security;`;
