/**
 * Status letters ordered on a test clock day go out before the clock moves on, as they would within a day: the next
 * one counts from the day it was sent. Contract 3.9.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { heartbeat } from '@temporalio/activity';
import { statusLettersUnderWay } from '../../db/queries/document/document-orders.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Deps, transaction } from '../context.ts';

/** A printer that takes longer is broken, and the clock does not wait for a repair. */
const SENT_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 200;

/** Waits for a day's letters. Without a printer nothing goes out. */
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
