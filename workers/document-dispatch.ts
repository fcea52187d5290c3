/**
 * Starts documents that were ordered by rows, without a waiting caller: checks every second for due orders, starts
 * one's workflow behind those of callers, and waits for it before starting the next, so that a busy machine slows them
 * down for a while. Every worker that prints does this; they share the work.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { documentTarget } from '../contracts/machinery/targets.ts';
import type { Database } from '../db/orm.ts';
import { claimDueOrders, type DueOrder, giveBackOrders } from '../db/queries/document/document-orders.ts';
import type { EngineClient } from '../providers/engine-client.ts';
import type { PdfEngine } from '../providers/ports.ts';
import { logEngineFault } from '../providers/temporal-errors.ts';
import { givingWay } from '../providers/threads/giving-way.ts';
import { type Repeating, startRepeating } from './repeating.ts';

const PAUSE_MS = 1_000;
const PAUSE_AFTER_FAULT_MS = 5_000;
/** On a busy machine a long list gets a quarter of the time, and after a while half of it. */
const [RESTS_FOR_EACH, RESTS_LATER] = [3, 1];
/** This many are a long list. */
const IN_A_ROUND = 8;
/** A list that stays long must not wait for minutes. */
const RESTS_MORE_FOR_MS = 20_000;
/** One that takes longer, for lack of a mail server or browser, holds up only its organization's next one. */
const LONGEST_WAIT_MS = 2_000;
/** And not forever. */
const HELD_UP_MS = 30_000;
/** An order claimed by a dead worker is started again after this; one still running is joined. */
const LEASE_SECONDS = 30;

export interface DocumentDispatchOptions {
  database: Database;
  workflows: EngineClient;
  logger: Logger;
  pdf: Pick<PdfEngine, 'isReady'>;
}

/** Starts checking. While the database or Temporal is down, tries again after the pause. */
export function startDocumentDispatch(options: DocumentDispatchOptions): Repeating {
  const { database, workflows, logger, pdf } = options;
  const stopping = new AbortController();
  const heldUp = new Set<string>();
  const haveMade = async ({ orgId, documentId }: DueOrder) => {
    const started = await workflows.join(documentTarget(orgId, documentId, 'batch'));
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping.signal, ended.signal]);
    const over = (afterMs: number) => delay(afterMs, undefined, { signal }).catch(() => {});
    // The order records why one could not be made.
    const made = started
      .result()
      .catch(() => {})
      .finally(() => ended.abort());
    heldUp.add(orgId);
    const goesOn = Promise.race([made, over(HELD_UP_MS)]).finally(() => heldUp.delete(orgId));
    await Promise.race([goesOn, over(LONGEST_WAIT_MS)]);
  };
  let longSince: number | null = null;
  const sending = startRepeating({
    round: async () => {
      if (!pdf.isReady) return false;
      const due = await claimDueOrders(database, { leaseSeconds: LEASE_SECONDS, most: IN_A_ROUND });
      const isLong = due.length === IN_A_ROUND;
      longSince = isLong ? (longSince ?? performance.now()) : null;
      const waiting: DueOrder[] = [];
      for (const order of due) {
        // An order not started is due again after its lease.
        if (stopping.signal.aborted) return false;
        if (heldUp.has(order.orgId)) {
          waiting.push(order);
          continue;
        }
        if (longSince === null) await haveMade(order);
        else await givingWay(() => haveMade(order), { times: restsSince(longSince), stopping: stopping.signal });
      }
      await giveBackOrders(database, waiting);
      return isLong && waiting.length < due.length;
    },
    pauseMs: PAUSE_MS,
    pauseAfterFaultMs: PAUSE_AFTER_FAULT_MS,
    onFault: (error) => {
      logEngineFault(logger, error, {});
      logger.warn({ err: error }, 'documents could not be sent for; tried again');
    },
  });
  return {
    stop: () => {
      stopping.abort();
      return sending.stop();
    },
  };
}

function restsSince(longSince: number): number {
  return performance.now() - longSince < RESTS_MORE_FOR_MS ? RESTS_FOR_EACH : RESTS_LATER;
}
