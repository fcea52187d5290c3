/** Opens the bordereaux of the month before, for each carrier with business, and their deadline. Domain facts 3.10. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../../db/ids.ts';
import {
  addCarrierFilings,
  carriersWithPolicies,
  hasBordereau,
  openBordereau,
} from '../../db/queries/insight/bordereaux.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { BORDEREAU_KINDS, monthBefore, reportedDays } from '../../domain/insight/bordereau.ts';
import { businessDay } from '../business-day.ts';
import { type Deps, transaction } from '../context.ts';

const SYSTEM = 'system';

/**
 * Opens what nobody has opened before. Policies of a sandbox are never reported, so there is no deadline (Spec 1.5).
 * @returns the ids of the bordereaux that were opened
 */
export const openMonthlyBordereaux =
  (deps: Deps) =>
  ({ orgId }: { orgId: string }): Promise<string[]> =>
    transaction(deps, { kind: 'openMonthlyBordereaux', orgId }, async (em) => {
      const { today } = await businessDay(em, orgId, deps.now());
      const month = monthBefore(today);
      const { last } = reportedDays(month, today);
      const opened: string[] = [];
      for (const carrier of await carriersWithPolicies(em, last)) {
        opened.push(...(await openKinds(em, { carrier, month, through: last })));
        if (deps.environment !== 'sandbox') await addCarrierFilings(em, { carrier, month, today });
      }
      return opened;
    });

async function openKinds(
  em: EntityManager,
  report: { carrier: string; month: string; through: BusinessDate },
): Promise<string[]> {
  const opened: string[] = [];
  for (const kind of BORDEREAU_KINDS) {
    const { carrier, month } = report;
    if (await hasBordereau(em, { carrier, month, kind })) continue;
    const { id } = await openBordereau(em, { id: newId('bordereau'), ...report, kind, createdBy: SYSTEM });
    opened.push(id);
  }
  return opened;
}
