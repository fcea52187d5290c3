// The referrals of a submission and of a policy are read each time it is quoted, bound or changed, decided ones too.
import { Migration } from '@mikro-orm/migrations';

export class ReferralsOfSubmissions extends Migration {
  override readonly name = '0187-referrals-of-submissions';

  override up(): void {
    this.addSql(INDEXES);
  }
}

const INDEXES = `
create index referrals_of_submission on referrals (org_id, submission_id, id) where submission_id is not null;
create index referrals_of_policy on referrals (org_id, policy_id, id) where policy_id is not null;`;
