// What a decision on a referral needs to know: whose request it is, its figures, and the change that an approval
// carries out. A quote shows the conditions of its approval.
import { Migration } from '@mikro-orm/migrations';

export class ReferralDecisions extends Migration {
  override readonly name = '0073-referral-decisions';

  override up(): void {
    this.addSql(DECISIONS);
    this.addSql(OF_EARLIER_REFERRALS);
  }
}

const DECISIONS = `
alter table quotes add column conditions jsonb not null default '[]';
alter table referrals
  add column requesters jsonb not null default '[]',
  add column is_presented boolean not null default false,
  add column limit_cents bigint check (limit_cents >= 0),
  add column premium_cents bigint check (premium_cents >= 0),
  add column line_of_business text collate "C",
  add column request jsonb,
  add column transaction_id text collate "C",
  add column remarks jsonb not null default '[]',
  add foreign key (org_id, transaction_id) references policy_transactions (org_id, id) deferrable initially deferred,
  add constraint referrals_decided_by_others check (decided_by is null or not jsonb_exists(requesters, decided_by));`;

const OF_EARLIER_REFERRALS = `
alter table referrals no force row level security;
alter table submissions no force row level security;
alter table quotes no force row level security;
alter table policies no force row level security;
update referrals r set requesters = jsonb_build_array(r.requested_by)
  where r.decided_by is distinct from r.requested_by;
update referrals r set limit_cents = s.requested_limit_cents, line_of_business = s.line_of_business
  from submissions s where s.org_id = r.org_id and s.id = r.submission_id;
update referrals r set premium_cents = q.gross_premium_cents
  from quotes q where q.org_id = r.org_id and q.id = r.quote_id;
update referrals r set limit_cents = p.limit_cents, line_of_business = p.line_of_business,
    premium_cents = p.gross_premium_cents
  from policies p where p.org_id = r.org_id and p.id = r.policy_id;
alter table policies force row level security;
alter table quotes force row level security;
alter table submissions force row level security;
alter table referrals force row level security;`;
