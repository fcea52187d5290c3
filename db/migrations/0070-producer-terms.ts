// The hierarchy of producers, and the commission that is agreed with one of them: versions by line from a day on, which
// are added and never changed.
import { Migration } from '@mikro-orm/migrations';

export class ProducerTerms extends Migration {
  override readonly name = '0070-producer-terms';

  override up(): void {
    this.addSql(HIERARCHY);
    this.addSql(TERMS);
  }
}

const HIERARCHY = `
alter table producers
  add column parent_id text collate "C" check (parent_id <> id),
  add foreign key (org_id, parent_id) references producers (org_id, id) deferrable initially deferred;
create index producers_of_parent on producers (org_id, parent_id) where parent_id is not null;
create index producers_by_licence on producers using gin (licenses jsonb_path_ops);`;

const TERMS = `
create table producer_terms (
  id text collate "C" primary key,
  org_id text collate "C" not null,
  producer_id text collate "C" not null,
  line_of_business text collate "C" not null,
  effective_from date not null,
  agent_rate text check (agent_rate ~ '^(0(\\.[0-9]+)?|1(\\.0+)?)$'),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (org_id, producer_id) references producers (org_id, id) deferrable initially deferred
);
create index producer_terms_in_force
  on producer_terms (org_id, producer_id, line_of_business, effective_from desc, id desc);
call protect_tenant_table('producer_terms');
revoke update, delete on producer_terms from bindery_app;`;
