// Whether a claim was assigned to its adjuster by somebody who may: only then do they see its policy.
import { Migration } from '@mikro-orm/migrations';

export class AssignedClaims extends Migration {
  override readonly name = '0074-assigned-claims';

  override up(): void {
    this.addSql(ASSIGNED);
    this.addSql(OF_EARLIER_CLAIMS);
  }
}

const ASSIGNED = `
alter table claims add column is_assigned boolean not null default false;
grant update (is_assigned) on claims to bindery_app;`;

/** Who has a claim that somebody else filed was assigned it. */
const OF_EARLIER_CLAIMS = `
alter table claims no force row level security;
update claims set is_assigned = true where adjuster_id is not null and adjuster_id <> created_by;
alter table claims force row level security;`;
