// How far a policy's holder has been reminded of what is past due is under the name that the code has for it.
import { Migration } from '@mikro-orm/migrations';

export class RemindedUntil extends Migration {
  override readonly name = '0025-reminded-until';

  override up(): void {
    this.addSql(RENAME);
  }
}

/** The key is inside a document, which has no columns to rename. */
const RENAME = `
alter table policies no force row level security;
update policies
  set delinquency = (delinquency - 'toldUntil') || jsonb_build_object('remindedUntil', delinquency -> 'toldUntil')
  where delinquency ? 'toldUntil';
alter table policies force row level security;`;
