// An organization for tests that can quote immediately.
import { newId } from '../../../db/ids.ts';
import type { Database } from '../../../db/orm.ts';
import { createOrganization, type NewOrganization } from '../../../db/queries/platform/new-organization.ts';

export interface TestOrganization extends Omit<NewOrganization, 'id'> {
  /** Whether every closed month is reported to the carriers: a year of reports doubles what a test costs. */
  monthlyReports?: boolean;
}

/** A month that never closes. */
const NEVER = '9998-12';

/** Creates an organization and returns its id. */
export async function createTestOrganization(
  database: Database,
  { monthlyReports = false, ...organization }: TestOrganization,
): Promise<string> {
  const id = newId('organization');
  await database.transaction(id, async (em) => {
    const row = await createOrganization(em, { id, ...organization });
    if (!monthlyReports) row.bordereauxThrough = NEVER;
  });
  return id;
}
