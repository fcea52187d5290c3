/**
 * Daily renewals while an organization's test clock moves: the day the next policy comes due, and that day's batch. A
 * policy already in a daily batch adds no further day; later batches retry it. Contract 3.9.
 */

import { heartbeat } from '@temporalio/activity';
import type { BusinessDate } from '../../domain/dates.ts';
import { earliestRenewalDue } from '../../plans/renewal/renewal-due.ts';
import { type Deps, transaction } from '../context.ts';

const BEAT_EVERY_MS = 5_000;

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
