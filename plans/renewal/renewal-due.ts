// The day on which an organization's next policy is due for automatic renewal. Contract 3.2, 3.9.
import type { EntityManager } from '@mikro-orm/postgresql';
import { isFlagOn } from '../../db/queries/platform/flags.ts';
import { firstUntakenExpiration } from '../../db/queries/renewal/renewal-batches.ts';
import { addDays, type BusinessDate } from '../../domain/dates.ts';
import { AUTO_RENEWAL_WITHIN_DAYS } from '../../domain/renewal/renewal.ts';

/** The earliest date up to `until` on which a policy is due for automatic renewal, or null; a past date is overdue. */
export async function earliestRenewalDue(em: EntityManager, until: BusinessDate): Promise<BusinessDate | null> {
  if (!(await isFlagOn(em, 'auto_renewal'))) return null;
  const expirationDate = await firstUntakenExpiration(em, addDays(until, AUTO_RENEWAL_WITHIN_DAYS));
  return expirationDate === null ? null : addDays(expirationDate, -AUTO_RENEWAL_WITHIN_DAYS);
}
