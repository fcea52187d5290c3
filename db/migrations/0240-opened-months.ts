// Up to which month an organization's bordereaux have been opened by the calendar. Months before the latest that was
// opened are not looked at again.
import { Migration } from '@mikro-orm/migrations';

export class OpenedMonths extends Migration {
  override readonly name = '0240-opened-months';

  override up(): void {
    this.addSql(OPENED);
  }
}

const OPENED = `
alter table organizations add column bordereaux_through text check (bordereaux_through ~ '^[0-9]{4}-[0-9]{2}$');
alter table organizations no force row level security;
alter table bordereaux no force row level security;
update organizations set bordereaux_through = (
  select max(b.month) from bordereaux b where b.org_id = organizations.id and b.created_by = 'system');
alter table bordereaux force row level security;
alter table organizations force row level security;`;
