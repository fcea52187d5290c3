// What was read from the form that a submission came as: which value stood where, and how sure it is.
import { Migration } from '@mikro-orm/migrations';

export class SubmissionIntake extends Migration {
  override readonly name = '0063-submission-intake';

  override up(): void {
    this.addSql('alter table submissions add column intake jsonb');
  }
}
