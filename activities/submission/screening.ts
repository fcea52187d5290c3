/** Screening against the installation's sanctions list, which is the same for every organization. */
import type { Database } from '../../db/orm.ts';
import { sanctionsEntries } from '../../db/queries/submission/sanctions.ts';
import type { SanctionsScreening } from '../../providers/ports.ts';
import { createTableScreening } from '../../providers/table-screening.ts';

/** Builds the screening; the list is read when it is first needed. */
export function screeningOf(database: Database): SanctionsScreening {
  return createTableScreening({
    loadEntries: () => database.acrossOrgs('the sanctions list', sanctionsEntries),
    now: () => performance.now(),
  });
}
