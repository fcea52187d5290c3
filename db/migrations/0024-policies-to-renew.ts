// A next term that was cancelled does not keep a policy from being renewed, whatever the policy's own row still names.
import { Migration } from '@mikro-orm/migrations';

export class PoliciesToRenew extends Migration {
  override readonly name = '0024-policies-to-renew';

  override up(): void {
    this.addSql(POLICIES_TO_RENEW);
  }
}

const POLICIES_TO_RENEW = `
drop index policies_to_renew;
create index policies_to_renew on policies (org_id, expiration_date, id)
  where status = 'active' and not non_renewed;`;
