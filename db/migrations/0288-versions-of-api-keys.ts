// An API key can be revoked, so it has a version as every row that changes. Contract 3.
import { Migration } from '@mikro-orm/migrations';

export class VersionsOfApiKeys extends Migration {
  override readonly name = '0288-versions-of-api-keys';

  override up(): void {
    this.addSql('alter table api_keys add column version int not null default 1 check (version > 0);');
  }
}
