// What documents are to be made, and the numbers of certificates. An order is what the maker of a document reads: no
// word of it is in a workflow. Each transaction of a policy orders its document by itself: whoever writes a transaction
// cannot forget it, and waits for nothing but one more row.
import { Migration } from '@mikro-orm/migrations';

export class DocumentOrders extends Migration {
  override readonly name = '0061-document-orders';

  override up(): void {
    this.addSql(ORDERS);
    this.addSql(CERTIFICATES);
    this.addSql(ORDER_POLICY_DOCUMENTS);
    this.addSql(CLAIM_DUE_ORDERS);
    this.addSql(ORGANIZATION_OF_CERTIFICATE);
  }
}

/**
 * The id of an order is that of its document. `facts` is what the document says, fixed before it is printed.
 */
const ORDERS = `
create table document_orders (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  kind text collate "C" not null,
  entity_type text collate "C",
  entity_id text collate "C",
  input jsonb not null default '{}',
  facts jsonb,
  template_version text collate "C",
  supersedes text collate "C",
  created_by text not null,
  due_at timestamptz(3) not null default now(),
  failure text,
  made_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint document_orders_of_organization unique (org_id, id),
  check ((entity_type is null) = (entity_id is null))
);
create index document_orders_due on document_orders (due_at) where made_at is null and failure is null;
call protect_tenant_table('document_orders');
revoke update, delete on document_orders from bindery_app;
grant update (facts, template_version, supersedes, due_at, failure, made_at) on document_orders to bindery_app;`;

const CERTIFICATES = `
create table certificates (
  id text collate "C" primary key,
  org_id text collate "C" not null references organizations (id) deferrable initially deferred,
  certificate_number text collate "C" not null constraint certificates_number_unique unique,
  document_id text collate "C" not null,
  policy_id text collate "C" not null,
  producer_id text collate "C",
  holder jsonb not null,
  holder_key text not null,
  supersedes text collate "C",
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  constraint certificates_of_organization unique (org_id, id),
  constraint certificates_document_once unique (org_id, document_id),
  constraint certificates_superseded_once unique (org_id, supersedes),
  foreign key (org_id, document_id) references document_orders (org_id, id) deferrable initially deferred,
  foreign key (org_id, policy_id) references policies (org_id, id) deferrable initially deferred,
  foreign key (org_id, supersedes) references certificates (org_id, id) deferrable initially deferred
);
create index certificates_of_policy on certificates (org_id, policy_id, id);
call protect_tenant_table('certificates');
revoke update, delete on certificates from bindery_app;`;

/** The id of the document is made of the transaction's, so that a transaction has one document. */
const ORDER_POLICY_DOCUMENTS = `
create function order_policy_documents() returns trigger language plpgsql as $$
begin
  insert into document_orders (id, org_id, kind, entity_type, entity_id, input, created_by)
    select 'doc' || substr(t.id, 4), t.org_id, k.kind, 'policy', t.policy_id,
        jsonb_build_object('transactionId', t.id), coalesce(t.actor->>'id', 'system')
      from added t join (values
        ('new_business', 'declarations'), ('renewal', 'declarations'), ('endorsement', 'endorsement'),
        ('cancellation', 'cancellation_notice'), ('reinstatement', 'reinstatement_notice'),
        ('non_renewal', 'non_renewal_notice')) k (type, kind) on k.type = t.type;
  return null;
end
$$;
create trigger order_policy_documents after insert on policy_transactions referencing new table as added
  for each statement execute function order_policy_documents();`;

/** Names orders of any organization that wait, oldest first, and claims them for a while. */
const CLAIM_DUE_ORDERS = `
create policy orders_to_serve on document_orders for all to current_user using (true);
create function claim_due_orders(lease_seconds int, most int) returns table (org_id text, document_id text)
  language sql volatile security definer set search_path = ''
  as $$
    with due as (
      select o.id from public.document_orders o
        where o.made_at is null and o.failure is null and o.due_at < clock_timestamp()
        order by o.due_at limit most for no key update of o skip locked
    )
    update public.document_orders o set due_at = clock_timestamp() + lease_seconds * interval '1 second'
      from due where o.id = due.id returning o.org_id, o.id
  $$;
revoke all on function claim_due_orders(int, int) from public;
grant execute on function claim_due_orders(int, int) to bindery_app;`;

/** Whoever has a certificate in their hand knows its number, and not whose it is. */
const ORGANIZATION_OF_CERTIFICATE = `
create policy certificates_by_number on certificates for select to current_user using (true);
create function organization_of_certificate(number text) returns text
  language sql stable security definer set search_path = ''
  as $$ select c.org_id from public.certificates c where c.certificate_number = number $$;
revoke all on function organization_of_certificate(text) from public;
grant execute on function organization_of_certificate(text) to bindery_app;`;
