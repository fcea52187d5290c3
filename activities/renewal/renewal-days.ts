/**
 * Daily renewals while an organization's test clock moves: the day the next policy comes due, and that day's batch. A
 * policy already in a daily batch adds no further day; later batches retry it. Contract 3.9.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { heartbeat } from '@temporalio/activity';
import { isFlagOn } from '../../db/queries/platform/flags.ts';
import { firstUntakenExpiration } from '../../db/queries/renewal/renewal-batches.ts';
import { addDays, type BusinessDate } from '../../domain/dates.ts';
import { AUTO_RENEWAL_WITHIN_DAYS } from '../../domain/renewal/renewal.ts';
import { type Deps, transaction } from '../context.ts';

const BEAT_EVERY_MS = 5_000;

/** The earliest date up to `until` on which a policy is due for automatic renewal, or null; a past date is overdue. */
export async function earliestRenewalDue(em: EntityManager, until: BusinessDate): Promise<BusinessDate | null> {
  if (!(await isFlagOn(em, 'auto_renewal'))) return null;
  const expirationDate = await firstUntakenExpiration(em, addDays(until, AUTO_RENEWAL_WITHIN_DAYS));
  return expirationDate === null ? null : addDays(expirationDate, -AUTO_RENEWAL_WITHIN_DAYS);
}

/** Runs the renewals due on a date, and waits for them. */
export async function makeDueRenewals(
  deps: Deps,
  { orgId, date }: { orgId: string; date: BusinessDate },
): Promise<void> {
  const due = await transaction(deps, { kind: 'makeDueRenewals', orgId }, (em) => earliestRenewalDue(em, date));
  if (due === null) return;
  const beat = setInterval(() => heartbeat(), BEAT_EVERY_MS);
  try {
    await deps.engine.renewDaily({ orgId, date });
  } finally {
    clearInterval(beat);
  }
}
