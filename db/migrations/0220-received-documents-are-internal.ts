// A device hears only of documents that we have made. A file that was received names no template: a bill that somebody
// sent us about a policy is internal, though its kind is that of our own bills.
import { Migration } from '@mikro-orm/migrations';

export class ReceivedDocumentsAreInternal extends Migration {
  override readonly name = '0220-received-documents-are-internal';

  override up(): void {
    this.addSql(READY_DOCUMENTS);
  }
}

const READY_DOCUMENTS = `
drop trigger plan_ready_document on documents;
create trigger plan_ready_document after insert on documents for each row
  when (new.entity_type in ('policy', 'invoice') and not new.contains_phi and new.created_by not like 'pol\\_%'
    and new.template_version is not null
    and new.kind in ('declarations', 'endorsement', 'cancellation_notice', 'reinstatement_notice',
      'non_renewal_notice', 'binder', 'certificate', 'mcs90', 'invoice', 'receipt'))
  execute function plan_ready_document();`;
