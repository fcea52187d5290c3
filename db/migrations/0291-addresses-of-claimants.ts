// The postal address of a claimant: a letter to somebody who has no e-mail address is posted there.
import { Migration } from '@mikro-orm/migrations';

export class AddressesOfClaimants extends Migration {
  override readonly name = '0291-addresses-of-claimants';

  override up(): void {
    this.addSql('alter table claim_particulars add column claimant_address jsonb;');
  }
}
