/**
 * Time bounds and retries of the activities, in one place: each has a bound for an attempt and one for all attempts.
 */
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common';
import { PRIORITY, type Urgency } from '../../contracts/machinery/queues.ts';

const urgency = (name: Urgency) => ({ priority: { priorityKey: PRIORITY[name] } });

/**
 * A database transaction that a caller waits for, run inside the workflow task. While the database is away it is
 * repeated, and the entity's queue waits; by then the caller has received 503, and finds the outcome under the id of
 * their command.
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
 * Waking the workflows with something due, a page at a time; a heartbeat tells a dead worker from a long
 * list.
 */
export const WAKING: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
};

/** Waking one workflow whose row another one has changed: given up after a minute, for it keeps a queue of commands. */
export const WAKING_ONE: ActivityOptions = {
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '1 minute',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/** Reading and comparing the records of one organization: nobody waits, and it outlasts an outage of an hour. */
export const RECONCILING: ActivityOptions = {
  ...urgency('batch'),
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '2 hours',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Reading a day of the card processor's statement, or stored receipts: given up after a quarter of an hour, and the run
 * says that it could not be read.
 */
export const READING_STATEMENT: ActivityOptions = {
  ...RECONCILING,
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '15 minutes',
};

/**
 * Reading a payout of the card processor with everything that it settles, and posting it. While it is not done the
 * processor sends its event again for days.
 */
export const RECORDING_PAYOUT: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '15 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
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
 * A step of a saga that nobody waits for: one transaction that an operator sees. It outlasts an outage of an hour;
 * after that, or as soon as the step is refused, the saga waits for the operator.
 */
export const MONEY_STEP: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/** Writing an object to storage. */
export const STORING: ActivityOptions = { ...MONEY_STEP, scheduleToCloseTimeout: '15 minutes' };

/**
 * Sending events to one receiver for some seconds. A dead worker is noticed by its heartbeat; what it had under way is
 * not sent again. A database that is away for longer is tried again by a later workflow.
 */
export const DELIVERING: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/**
 * Printing, storing and recording a document. A browser or a worker that dies is noticed by the bound on an attempt; a
 * caller has 503 by then, and finds the document under their key.
 */
export const PRINTING: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/** The same, run inside the workflow task: a worker that dies is noticed by the end of the task's time. */
export const PRINTING_FOR_A_CALLER: LocalActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 hour',
  localRetryThreshold: '5 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/**
 * Writing a report of any length: a dead worker is noticed by its heartbeat, and the report is begun again.
 */
export const REPORTING: ActivityOptions = {
  ...urgency('batch'),
  startToCloseTimeout: '1 hour',
  scheduleToCloseTimeout: '12 hours',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Sending an e-mail. A mail server may be down for days; nobody waits. */
export const MAILING: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '7 days',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * Calling the card processor while a caller waits: given up before the caller receives 503, under a key that makes a
 * repeat harmless.
 */
export const ASKING_PROCESSOR: ActivityOptions = {
  startToCloseTimeout: '8 seconds',
  scheduleToCloseTimeout: '12 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '2 seconds' },
};

/**
 * Charging a kept card: each attempt searches for the charge first, so that this may be repeated for a day. After that
 * the next day's sweep goes on.
 */
export const CHARGING: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '20 hours',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
};

/**
 * Refunding through the card processor. The reservation holds meanwhile, so this is retried for a day before an
 * operator must decide; by then the caller has received 503, and finds the outcome under their key.
 */
export const REFUNDING: ActivityOptions = {
  startToCloseTimeout: '40 seconds',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Calling the e-signature provider, sometimes while a caller waits, who receives 503 before this is given up. The
 * envelope's workflow tries again later, and serves commands until then.
 */
export const SIGNING: ActivityOptions = {
  startToCloseTimeout: '50 seconds',
  scheduleToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '20 seconds' },
};

/** Cancelling attempts at the card processor: nobody waits, and an attempt that is left open does no harm by itself. */
export const CANCELLING: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '7 days',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * Renewing some policies of a batch, one transaction each. It outlasts an outage of hours before an
 * operator must decide; the heartbeat tells a dead worker from one that waits for a busy database.
 */
export const RENEWING: ActivityOptions = {
  ...urgency('batch'),
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '6 hours',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};
