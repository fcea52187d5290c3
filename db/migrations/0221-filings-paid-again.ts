// A filing that was paid is paid again where more of its tax comes in: that of a change that joined its
// report. One remittance of a filing waits for approval at a time.
import { Migration } from '@mikro-orm/migrations';

export class FilingsPaidAgain extends Migration {
  override readonly name = '0221-filings-paid-again';

  override up(): void {
    this.addSql(WAITING_ONCE);
  }
}

const WAITING_ONCE = `
drop index remittances_of_filing_once;
create unique index remittances_of_filing_once on remittances (org_id, filing_id, kind)
  where filing_id is not null and status = 'pending_approval';`;
