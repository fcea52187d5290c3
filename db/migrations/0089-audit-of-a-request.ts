// Finding what one request has done: the audit log is asked for the id that an answer or an error shows.
import { Migration } from '@mikro-orm/migrations';

export class AuditOfARequest extends Migration {
  override readonly name = '0089-audit-of-a-request';

  override up(): void {
    this.addSql(
      'create index audit_entries_of_request on audit_entries (org_id, request_id, id) where request_id is not null',
    );
  }
}
