// The version of a month that is over is opened while an earlier one of the same month still runs. Decision 0262.
import { Migration } from '@mikro-orm/migrations';

export class VersionsOfAnOpenMonth extends Migration {
  override readonly name = '0287-versions-of-an-open-month';

  override up(): void {
    this.addSql('drop index bordereaux_running_once;');
  }
}
