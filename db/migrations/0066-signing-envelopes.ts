// Signing envelopes: a document that is at the e-signature provider to be signed. Who signs is personal data, so it
// stays in the row.
import { Migration } from '@mikro-orm/migrations';

export class SigningEnvelopes extends Migration {
  override readonly name = '0066-signing-envelopes';

  override up(): void {
    this.addSql(SIGNING_ENVELOPES);
  }
}

/** What it is about and who signs is never changed; a final status is the last. */
const SIGNING_ENVELOPES = `
create table signing_envelopes (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  document_id text collate "C" not null,
  signers jsonb not null check (jsonb_array_length(signers) > 0),
  policy_id text collate "C",
  submission_id text collate "C",
  appointment_id text collate "C",
  status text collate "C" not null default 'created'
    check (status in ('created', 'sent', 'viewed', 'completed', 'declined', 'voided', 'expired')),
  external_id text collate "C",
  expires_on date not null,
  next_step_on date,
  sent_at timestamptz(3),
  reminded_at timestamptz(3),
  completed_at timestamptz(3),
  void_reason text,
  signed_document_id text collate "C",
  created_by text not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint signing_envelopes_external unique (external_id),
  foreign key (org_id, document_id) references documents (org_id, id) deferrable initially deferred,
  foreign key (org_id, signed_document_id) references documents (org_id, id) deferrable initially deferred,
  check ((status = 'completed') = (completed_at is not null)),
  check ((status in ('created', 'sent', 'viewed')) = (next_step_on is not null))
);
create index signing_envelopes_newest on signing_envelopes (org_id, id);
create index signing_envelopes_due on signing_envelopes (org_id, next_step_on) where next_step_on is not null;
call protect_tenant_table('signing_envelopes');
revoke update, delete on signing_envelopes from bindery_app;
grant update (status, external_id, next_step_on, sent_at, reminded_at, completed_at, void_reason, signed_document_id,
  version, updated_at) on signing_envelopes to bindery_app;`;
