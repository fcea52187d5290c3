// The templates of organizations that replace ours. A version is never changed or removed: documents name the one that
// they were made with.
import { Migration } from '@mikro-orm/migrations';

export class DocumentTemplates extends Migration {
  override readonly name = '0062-document-templates';

  override up(): void {
    this.addSql(TEMPLATES);
  }
}

const TEMPLATES = `
create table document_templates (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  kind text collate "C" not null,
  template_version int not null check (template_version > 0),
  html text not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  constraint document_templates_of_organization unique (org_id, id),
  constraint document_templates_version_once unique (org_id, kind, template_version)
);
call protect_tenant_table('document_templates');
revoke update, delete on document_templates from bindery_app;`;
