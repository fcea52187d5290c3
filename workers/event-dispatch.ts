/**
 * Starts the workflows that deliver events: checks a few times a second for subscriptions with waiting deliveries, and
 * starts or signals each one's workflow. Every worker process does this; they share the work. Nothing depends on a
 * single check: waiting deliveries are in rows.
 */

import type { Logger } from 'pino';
import { eventsWaitingSignal } from '../contracts/delivery.ts';
import { eventDeliveryTarget } from '../contracts/machinery/targets.ts';
import type { Database } from '../db/orm.ts';
import { claimDueWebhooks, type DueWebhook, giveBackWebhook } from '../db/queries/delivery/webhooks.ts';
import type { EngineClient } from '../providers/engine-client.ts';
import { logEngineFault } from '../providers/temporal-errors.ts';
import { type Repeating, startRepeating } from './repeating.ts';
import { settleAll } from './settle-all.ts';

const PAUSE_MS = 200;
const PAUSE_AFTER_FAULT_MS = 2_000;
const SUBSCRIPTIONS_OF_A_LOOK = 50;
/** A workflow that was started and lost is started again after this. */
const LEASE_SECONDS = 60;

export interface EventDispatchOptions {
  database: Database;
  workflows: EngineClient;
  logger: Logger;
  pauseMs?: number;
}

/** Starts checking. While the database or Temporal is down, tries again after the pause. */
export function startEventDispatch(options: EventDispatchOptions): Repeating {
  const { database, workflows, logger, pauseMs = PAUSE_MS } = options;
  const sendFor = async ({ orgId, webhookId }: DueWebhook) => {
    try {
      await workflows.signalStarting(eventDeliveryTarget(orgId, webhookId), eventsWaitingSignal);
    } catch (error) {
      await database.forOrg(orgId, (em) => giveBackWebhook(em, webhookId));
      throw error;
    }
  };
  return startRepeating({
    round: async () => {
      const due = await claimDueWebhooks(database, { leaseSeconds: LEASE_SECONDS, most: SUBSCRIPTIONS_OF_A_LOOK });
      await settleAll(due, sendFor);
      return due.length === SUBSCRIPTIONS_OF_A_LOOK;
    },
    pauseMs,
    pauseAfterFaultMs: PAUSE_AFTER_FAULT_MS,
    onFault: (error) => {
      logEngineFault(logger, error, {});
      logger.warn({ err: error }, 'events could not be sent for; tried again');
    },
  });
}
