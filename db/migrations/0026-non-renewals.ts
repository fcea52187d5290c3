// A notice of non-renewal has its reason and its day, and is a transaction of the policy's history.
import { Migration } from '@mikro-orm/migrations';

export class NonRenewals extends Migration {
  override readonly name = '0026-non-renewals';

  override up(): void {
    this.addSql(NOTICE);
    this.addSql(TRANSACTION_TYPES);
  }
}

/** What notices given so far said is known from the audit. */
const NOTICE = `
alter table policies no force row level security;
alter table audit_entries no force row level security;
alter table policies add column non_renewal jsonb;
update policies p set non_renewal = (
  select jsonb_build_object('reason', coalesce(a.changes ->> 'reason', ''), 'noticeDate', a.created_at::date::text)
  from (select 1) one left join audit_entries a
    on a.org_id = p.org_id and a.entity_id = p.id and a.action = 'policy:non_renew'
  order by a.id desc limit 1)
  where non_renewed;
update policies set non_renewal = jsonb_set(non_renewal, '{noticeDate}', to_jsonb(updated_at::date::text))
  where non_renewal ->> 'noticeDate' is null and non_renewal is not null;
drop index policies_to_renew;
create index policies_to_renew on policies (org_id, expiration_date, id)
  where status = 'active' and non_renewal is null;
alter table policies drop column non_renewed;
alter table audit_entries force row level security;
alter table policies force row level security;`;

const TRANSACTION_TYPES = `
alter table policy_transactions drop constraint policy_transactions_type_check;
alter table policy_transactions add constraint policy_transactions_type_check check (type in
  ('new_business', 'endorsement', 'cancellation', 'reinstatement', 'renewal', 'non_renewal', 'non_renewal_withdrawal',
    'audit'));`;
