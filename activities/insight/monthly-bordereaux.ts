/**
 * Opens each past month's bordereaux, for each carrier with business, and their deadlines: on the 1st, or at the next
 * check after it; and the half-yearly carrier audits. Domain facts 3.10, 6.2.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../../db/ids.ts';
import {
  addCarrierFilings,
  carriersWithPolicies,
  firstUnopenedMonth,
  openClosedMonth,
} from '../../db/queries/insight/bordereaux.ts';
import { addCarrierAudits } from '../../db/queries/insight/carrier-audits.ts';
import { lockOrganization } from '../../db/queries/platform/organizations.ts';
import { type BusinessDate, firstDayOf, lastDayOf, type Month, monthAfter, monthOf } from '../../domain/dates.ts';
import { BORDEREAU_KINDS } from '../../domain/insight/bordereau.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { type Deps, transaction } from '../context.ts';

const SYSTEM = 'system';

/**
 * Opens what is not open yet, month by month up to the last completed one. Policies of a sandbox are never reported,
 * so there is no deadline (Spec 1.5).
 * @returns the ids of the opened bordereaux
 */
export const openMonthlyBordereaux =
  (deps: Deps) =>
  ({ orgId }: { orgId: string }): Promise<string[]> =>
    transaction(deps, { kind: 'openMonthlyBordereaux', orgId }, async (em) => {
      const { today } = await businessDay(em, orgId, deps.now());
      if (!isOver(await firstUnopenedMonth(em), today)) return [];
      // When several check at the same time, the later ones find the months opened.
      const organization = await lockOrganization(em, orgId);
      const opened: string[] = [];
      for (let month = await firstUnopenedMonth(em); isOver(month, today); month = monthAfter(month)) {
        opened.push(...(await openMonth(em, month, deps.environment !== 'sandbox')));
        if (organization !== null) organization.bordereauxThrough = month;
      }
      await em.flush();
      return opened;
    });

/** The earliest day up to `until` on which a month's bordereaux are opened, or null. */
export async function earliestMonthToOpen(em: EntityManager, until: BusinessDate): Promise<BusinessDate | null> {
  const month = await firstUnopenedMonth(em);
  return isOver(month, until) ? dayAfter(month) : null;
}

function isOver(month: Month | null, today: BusinessDate): month is Month {
  return month !== null && month < monthOf(today);
}

/** The day on which a month's bordereaux are opened. */
const dayAfter = (month: Month) => firstDayOf(monthAfter(month));

async function openMonth(em: EntityManager, month: Month, hasDeadlines: boolean): Promise<string[]> {
  const through = lastDayOf(month);
  const opened: string[] = [];
  for (const carrier of await carriersWithPolicies(em, through)) {
    opened.push(...(await openKinds(em, { carrier, month, through })));
    // A month opened late keeps its original deadlines: one that has passed was missed.
    if (hasDeadlines) await addCarrierFilings(em, { carrier, month, today: dayAfter(month) });
  }
  if (hasDeadlines) await addCarrierAudits(em, dayAfter(month));
  return opened;
}

/** Regardless of earlier reports: even one made on the last day may miss later activity that day. */
async function openKinds(
  em: EntityManager,
  report: { carrier: string; month: Month; through: BusinessDate },
): Promise<string[]> {
  const opened: string[] = [];
  for (const kind of BORDEREAU_KINDS) {
    const id = newId('bordereau');
    await openClosedMonth(em, { id, ...report, kind, createdBy: SYSTEM });
    opened.push(id);
  }
  return opened;
}
