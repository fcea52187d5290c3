// The particulars of a first notice that was refused, or never arrived, belong to no claim: operations forget them. The
// claims' foreign key keeps all others.
import { Migration } from '@mikro-orm/migrations';

export class UnclaimedParticulars extends Migration {
  override readonly name = '0044-unclaimed-particulars';

  override up(): void {
    this.addSql(BY_AGE);
    this.addSql('grant delete on claim_particulars to bindery_ops;');
  }
}

/** They are looked for every minute, among those of a few days. */
const BY_AGE = 'create index claim_particulars_by_age on claim_particulars (created_at);';
