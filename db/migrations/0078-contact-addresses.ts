// Where an insured wants mail: a contact, and no term of the policy as the insured address is.
import { Migration } from '@mikro-orm/migrations';

export class ContactAddresses extends Migration {
  override readonly name = '0078-contact-addresses';

  override up(): void {
    this.addSql('alter table policies add column contact_address jsonb');
  }
}
