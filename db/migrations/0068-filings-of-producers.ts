// Filings that belong to a producer instead of a policy: licences to renew and appointments to file. A row belongs to
// exactly one of the two; what is no longer required is withdrawn, because rows are never removed.
import { Migration } from '@mikro-orm/migrations';

export class FilingsOfProducers extends Migration {
  override readonly name = '0068-filings-of-producers';

  override up(): void {
    this.addSql(COLUMNS);
    this.addSql(ONE_OPEN_ROW_EACH);
  }
}

const COLUMNS = `
alter table filings
  alter column policy_id drop not null,
  add column producer_id text collate "C",
  add column appointment_id text collate "C",
  add column license_number text,
  add constraint filings_of_policy_or_producer check (num_nonnulls(policy_id, producer_id) = 1),
  add constraint filings_about_producer
    check (producer_id is not null or num_nonnulls(appointment_id, license_number) = 0),
  add foreign key (org_id, producer_id) references producers (org_id, id) deferrable initially deferred,
  drop constraint filings_status_check,
  add constraint filings_status_check check (status in ('open', 'filed', 'withdrawn'));
alter table appointments add constraint appointments_of_organization unique (org_id, id);
alter table filings
  add foreign key (org_id, appointment_id) references appointments (org_id, id) deferrable initially deferred;`;

/** Safe to repeat: the same licence or appointment has one open row of a kind. */
const ONE_OPEN_ROW_EACH = `
create unique index filings_of_licence on filings (org_id, producer_id, kind, state, license_number)
  where status = 'open' and license_number is not null;
create unique index filings_of_appointment on filings (org_id, appointment_id, kind)
  where status = 'open' and appointment_id is not null;
create index filings_of_producer on filings (org_id, producer_id) where producer_id is not null;`;
