// A term has one deadline for notice of non-renewal, which is reopened where it is due again. Beside a million of them,
// the few filings of another kind are found by their kind.
import { Migration } from '@mikro-orm/migrations';

export class NoticesOfTerms extends Migration {
  override readonly name = '0300-notices-of-terms';

  override up(): void {
    this.addSql(`
create unique index filings_nonrenewal_once on filings (org_id, policy_id) where kind = 'nonrenewal_notice';
create index filings_of_kind on filings (org_id, kind, id);`);
  }
}
