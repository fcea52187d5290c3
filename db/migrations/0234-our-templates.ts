// An order that is made with one of our own templates names none: its document has the name of the template as it is
// when the document is printed.
import { Migration } from '@mikro-orm/migrations';

export class OurTemplates extends Migration {
  override readonly name = '0234-our-templates';

  override up(): void {
    this.addSql(UNNAMED);
  }
}

const UNNAMED = `
alter table document_orders no force row level security;
update document_orders set template_version = null where template_version like '%@1';
alter table document_orders force row level security;`;
