/**
 * Status letters that a day of the test clock has ordered go out before it moves on, as they would within a day: each
 * counts from the day on which it was sent. Contract 3.9.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { heartbeat } from '@temporalio/activity';
import { statusLettersUnderWay } from '../../db/queries/document/document-orders.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Deps, transaction } from '../context.ts';

/** A printer that takes longer is out of order, and the clock does not wait for its repair. */
const SENT_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 200;

/** Waits for the letters of a day. Without a printer nothing goes out. */
export async function awaitStatusLetters(
  deps: Deps,
  { orgId, date }: { orgId: string; date: BusinessDate },
): Promise<void> {
  if (deps.pdf === null) return;
  const step = { kind: 'awaitStatusLetters', orgId };
  for (const end = Date.now() + SENT_WITHIN_MS; Date.now() < end; await pause(LOOK_EVERY_MS)) {
    if ((await transaction(deps, step, (em) => statusLettersUnderWay(em, date))) === 0) return;
    heartbeat();
  }
}
