// The deliveries of a subscription are found by it alone, whether they are listed or under way. An index that leads
// with the organization is taken for a way to look up ids too, with a look for each subscription.
import { Migration } from '@mikro-orm/migrations';

export class LogOfDeliveries extends Migration {
  override readonly name = '0130-log-of-deliveries';

  override up(): void {
    this.addSql('drop index webhook_deliveries_newest');
    this.addSql('create index webhook_deliveries_newest on webhook_deliveries (webhook_id, id)');
    this.addSql('drop index webhook_deliveries_sending');
    this.addSql(SENDING);
  }
}

const SENDING = `
create index webhook_deliveries_sending on webhook_deliveries (webhook_id, attempted_at) where status = 'sending'`;
