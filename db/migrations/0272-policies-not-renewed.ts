// The list of policies that will not be renewed: few of all. Contract 3.2.
import { Migration } from '@mikro-orm/migrations';

export class PoliciesNotRenewed extends Migration {
  override readonly name = '0272-policies-not-renewed';

  override up(): void {
    this.addSql('create index policies_not_renewed on policies (org_id, id) where non_renewal is not null;');
  }
}
