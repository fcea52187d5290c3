// Files on claims: what is known of each; the bytes are in the storage.
import { Migration } from '@mikro-orm/migrations';

export class ClaimAttachments extends Migration {
  override readonly name = '0043-claim-attachments';

  override up(): void {
    this.addSql(ATTACHMENTS);
  }
}

const ATTACHMENTS = `
create table claim_attachments (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  claim_id text collate "C" not null,
  file_name text not null,
  content_type text collate "C" not null,
  size_bytes int not null check (size_bytes > 0),
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  kind text not null,
  description text,
  contains_phi boolean not null,
  duplicate_of text collate "C",
  uploaded_by text not null,
  created_at timestamptz(3) not null default now(),
  constraint claim_attachments_of_organization unique (org_id, id),
  foreign key (org_id, claim_id) references claims (org_id, id) deferrable initially deferred,
  foreign key (org_id, duplicate_of) references claim_attachments (org_id, id) deferrable initially deferred
);
create index claim_attachments_of_claim on claim_attachments (org_id, claim_id, id);
call protect_tenant_table('claim_attachments');
revoke update, delete on claim_attachments from bindery_app;`;
