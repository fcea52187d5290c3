// A template is a page of Liquid or a fillable PDF, which lies in the document store, with the texts of its fields.
import { Migration } from '@mikro-orm/migrations';

export class FormTemplates extends Migration {
  override readonly name = '0125-form-templates';

  override up(): void {
    this.addSql(FORMS);
  }
}

const FORMS = `
alter table document_templates
  alter column html drop not null,
  add column document_id text collate "C",
  add column fields jsonb,
  add constraint document_templates_of_one_sort check (num_nonnulls(html, document_id) = 1),
  add constraint document_templates_form_has_fields check ((document_id is null) = (fields is null)),
  add constraint document_templates_form foreign key (org_id, document_id) references documents (org_id, id)
    deferrable initially deferred;`;
