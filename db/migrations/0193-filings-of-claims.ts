// The deadlines of a claim, to acknowledge it and to decide, are filings that belong to it. They name the claim, and
// nobody who is concerned.
import { Migration } from '@mikro-orm/migrations';

export class FilingsOfClaims extends Migration {
  override readonly name = '0193-filings-of-claims';

  override up(): void {
    this.addSql(`
alter table filings
  add column claim_id text collate "C",
  add foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred,
  drop constraint filings_of_one_subject,
  add constraint filings_of_one_subject check (num_nonnulls(policy_id, producer_id, carrier, claim_id) = 1),
  add constraint filings_of_claim_have_no_step check (claim_id is null or next_step_on is null);
create unique index filings_of_claim on filings (org_id, claim_id, kind) where claim_id is not null;`);
  }
}
