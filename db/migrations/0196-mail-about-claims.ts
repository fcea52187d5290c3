// E-mails about claims and to holders of certificates are kept like the notices of a policy, so that what the email
// provider reports of them is noted and a letter that bounces is posted. Decision 0188.
import { Migration } from '@mikro-orm/migrations';

export class MailAboutClaims extends Migration {
  override readonly name = '0196-mail-about-claims';

  override up(): void {
    this.addSql(`
alter table sent_mails add column claim_id text collate "C", add column certificate_id text collate "C";
alter table sent_mails add foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred;
alter table sent_mails add foreign key (org_id, certificate_id) references certificates (org_id, id)
  deferrable initially deferred;
alter table sent_mails add constraint sent_mails_about_one check (claim_id is null or certificate_id is null);`);
  }
}
