/**
 * The daily renewals of an organization whose test clock moves: on which day the next policy comes due, and the batch of that day. A policy
 * that a daily batch has taken brings no further day about; the batches of later days try it again. Contract 3.9.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { heartbeat } from '@temporalio/activity';
import { isFlagOn } from '../db/queries/flags.ts';
import { firstUntakenExpiration } from '../db/queries/renewal-batches.ts';
import { addDays, type BusinessDate } from '../domain/dates.ts';
import { AUTO_RENEWAL_WITHIN_DAYS } from '../domain/policy-life/renewal.ts';
import { type Deps, transaction } from './context.ts';

const BEAT_EVERY_MS = 5_000;

/** The earliest date up to `until` on which a policy comes due for its automatic renewal, or null; one in the past is overdue. */
export async function earliestRenewalDue(em: EntityManager, until: BusinessDate): Promise<BusinessDate | null> {
  if (!(await isFlagOn(em, 'auto_renewal'))) return null;
  const expirationDate = await firstUntakenExpiration(em, addDays(until, AUTO_RENEWAL_WITHIN_DAYS));
  return expirationDate === null ? null : addDays(expirationDate, -AUTO_RENEWAL_WITHIN_DAYS);
}

/** Makes the renewals that are due on a date, and waits until they are made. */
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
