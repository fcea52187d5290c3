// The email provider reports that it could not send an e-mail.
import { Migration } from '@mikro-orm/migrations';

export class MailThatFailed extends Migration {
  override readonly name = '0215-mail-that-failed';

  override up(): void {
    this.addSql(`
alter table sent_mails add column failed_at timestamptz(3);
grant update (failed_at) on sent_mails to bindery_app;`);
  }
}
