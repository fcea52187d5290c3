// Documents that could not be made are counted and sent for again: each is found without reading those that were made.
import { Migration } from '@mikro-orm/migrations';

export class RefusedDocuments extends Migration {
  override readonly name = '0225-refused-documents';

  override up(): void {
    this.addSql(REFUSED);
  }
}

const REFUSED = `
create index document_orders_unmade on document_orders (org_id, kind) where made_at is null;`;
