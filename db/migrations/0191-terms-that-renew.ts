// By which retention finds the term that followed another. Without it each term that ended was looked for among all,
// and an organization with a million policies had no answer.
import { Migration } from '@mikro-orm/migrations';

export class TermsThatRenew extends Migration {
  override readonly name = '0191-terms-that-renew';

  override up(): void {
    this.addSql('create index policies_that_renew on policies (org_id, renewal_of) where renewal_of is not null;');
  }
}
