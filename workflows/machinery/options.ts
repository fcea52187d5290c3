/**
 * Time bounds and retries of the activities, in one place: each has a bound for an attempt and one for all attempts.
 */
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common';
import { PRIORITY, type Urgency } from '../../contracts/queues.ts';

const urgency = (name: Urgency) => ({ priority: { priorityKey: PRIORITY[name] } });

/**
 * A database transaction that a caller waits for, run inside the workflow task. While the database is away it is
 * repeated, and the entity's queue waits; a caller has long been told 503 by then and finds the outcome under the id of
 * his command.
 */
export const ONE_TRANSACTION: LocalActivityOptions = {
  // Longer than the database's own bounds on a statement and a lock, so that an attempt ends before the next begins.
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '1 hour',
  // A longer pause becomes a timer of the server, so that a long outage does not keep workflow tasks open.
  localRetryThreshold: '5 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
};

/**
 * A transaction that nobody waits for, run inside the workflow task of an entity or a saga: given up after a minute, so
 * that commands are served, and tried again later.
 */
export const DUE_STEP: LocalActivityOptions = { ...ONE_TRANSACTION, scheduleToCloseTimeout: '1 minute' };

/**
 * Waking the workflows that something has fallen due for, a page at a time; a heartbeat tells a dead worker from a long
 * list.
 */
export const WAKING: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
};

/** Reading and comparing the records of one organization: nobody waits, and an outage of an hour is waited out. */
export const RECONCILING: ActivityOptions = {
  ...urgency('batch'),
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '2 hours',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Comparing the rows of one organization with its workflows, and starting what is missing; the heartbeat says how far
 * it is.
 */
export const HEALING: ActivityOptions = {
  ...RECONCILING,
  startToCloseTimeout: '2 hours',
  scheduleToCloseTimeout: '12 hours',
  heartbeatTimeout: '2 minutes',
};

/**
 * A step of a saga that nobody waits for: one transaction that an operator sees. An outage is waited out for an hour;
 * then, and at once when the step is refused, the saga waits for the operator.
 */
export const MONEY_STEP: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/** Writing an object to storage. */
export const STORING: ActivityOptions = { ...MONEY_STEP, scheduleToCloseTimeout: '15 minutes' };

/** Handing a mail over. A mail server may be away for days; nobody waits. */
export const MAILING: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '7 days',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * Asking the card processor while a caller waits: given up before he is told 503, under a key that makes asking again
 * harmless.
 */
export const ASKING_PROCESSOR: ActivityOptions = {
  startToCloseTimeout: '8 seconds',
  scheduleToCloseTimeout: '12 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '2 seconds' },
};

/**
 * Asking the card processor to give money back. The reservation stands meanwhile, so it is asked for a day before an
 * operator is; the caller has long been told 503 and finds the outcome under his key.
 */
export const REFUNDING: ActivityOptions = {
  startToCloseTimeout: '40 seconds',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Renewing some policies of a batch, each by an update of its workflow. An outage is waited out for hours before an
 * operator is asked; the heartbeat tells a dead worker from one that waits for a busy database.
 */
export const RENEWING: ActivityOptions = {
  ...urgency('batch'),
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '6 hours',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};
