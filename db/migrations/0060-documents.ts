// The one store of documents: what is known of each; the bytes are in the storage. A document is never changed or
// removed, a later one supersedes it. `key` says what it was made for, so that a step that runs twice makes one.
import { Migration } from '@mikro-orm/migrations';

export class Documents extends Migration {
  override readonly name = '0060-documents';

  override up(): void {
    this.addSql(DOCUMENTS);
  }
}

const DOCUMENTS = `
create table documents (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  key text collate "C" not null,
  kind text collate "C" not null,
  entity_type text collate "C",
  entity_id text collate "C",
  file_name text not null,
  content_type text collate "C" not null,
  size_bytes int not null check (size_bytes > 0),
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  storage_key text collate "C" not null,
  version int not null default 1 check (version > 0),
  supersedes text collate "C",
  template_version text collate "C",
  contains_phi boolean not null default false,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  constraint documents_of_organization unique (org_id, id),
  constraint documents_made_once unique (org_id, key),
  constraint documents_superseded_once unique (org_id, supersedes),
  foreign key (org_id, supersedes) references documents (org_id, id) deferrable initially deferred,
  check ((entity_type is null) = (entity_id is null)),
  check ((supersedes is null) = (version = 1))
);
create index documents_newest on documents (org_id, id);
create index documents_of_entity on documents (org_id, entity_id, id);
call protect_tenant_table('documents');
revoke update, delete on documents from bindery_app;`;
