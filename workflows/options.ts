/** Time bounds and retries of the activities, in one place: each has a bound for an attempt and one for all attempts. */
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common';

/**
 * A database transaction that a caller waits for, run inside the workflow task. While the database is away it is repeated, and the
 * entity's queue waits; a caller has long been told 503 by then and finds the outcome under the id of his command.
 */
export const ONE_TRANSACTION: LocalActivityOptions = {
  // Longer than the database's own bounds on a statement and a lock, so that an attempt ends before the next begins.
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '1 hour',
  // A longer pause becomes a timer of the server, so that a long outage does not keep workflow tasks open.
  localRetryThreshold: '5 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
};

/** Waking the workflows that something has fallen due for, a page at a time; a heartbeat tells a dead worker from a long list. */
export const WAKING: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
};
