/** Activity timeouts and retries, in one place: each has a timeout per attempt and one for all attempts. */
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common';
import { PRIORITY, type Urgency } from '../../contracts/machinery/queues.ts';

const urgency = (name: Urgency) => ({ priority: { priorityKey: PRIORITY[name] } });

/**
 * A database transaction with a waiting caller, run inside the workflow task. While the database is down it is retried
 * and the entity's queue waits; by then the caller has got 503, and finds the outcome under the command's id.
 */
export const ONE_TRANSACTION: LocalActivityOptions = {
  // Longer than the database's own statement and lock timeouts, so that an attempt ends before the next begins.
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '1 hour',
  // A longer pause becomes a server timer, so that a long outage does not keep workflow tasks open.
  localRetryThreshold: '5 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
};

/**
 * A transaction with no waiting caller, run inside an entity's or saga's workflow task, where commands wait for it. A
 * database that is away is tried for 3 seconds, a held row or a slow server for 8; then the step rests, so that
 * commands are served, and is retried later.
 */
export const DUE_STEP: LocalActivityOptions = {
  ...ONE_TRANSACTION,
  startToCloseTimeout: '8 seconds',
  scheduleToCloseTimeout: '8 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '1 second',
    maximumAttempts: 6,
  },
};

/** Waking workflows with something due, a page at a time; a heartbeat tells a dead worker from a long list. */
export const WAKING: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
};

/** Waking one workflow whose row another has changed. The one that wakes it serves commands meanwhile. */
export const WAKING_ONE: ActivityOptions = {
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '1 minute',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/** Reading and comparing one organization's records: no one waits, and it outlasts an hour's outage. */
export const RECONCILING: ActivityOptions = {
  ...urgency('batch'),
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '2 hours',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Reading a day of the card processor's statement, or stored receipts: given up after 15 minutes, and the run reports
 * that it could not be read.
 */
export const READING_STATEMENT: ActivityOptions = {
  ...RECONCILING,
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '15 minutes',
};

/**
 * Reading a card processor payout with everything it settles, and posting it. Until that is done, the processor
 * resends its event for days.
 */
export const RECORDING_PAYOUT: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '15 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Comparing one organization's rows with its workflows, and starting missing ones; the heartbeat carries its progress.
 */
export const HEALING: ActivityOptions = {
  ...RECONCILING,
  startToCloseTimeout: '2 hours',
  scheduleToCloseTimeout: '12 hours',
  heartbeatTimeout: '2 minutes',
};

/**
 * A saga step with no waiting caller: one transaction that an operator sees. It outlasts an hour's outage; after that,
 * or once the step is refused, the saga waits for the operator.
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
 * Sending events to one receiver for some seconds. A dead worker is noticed by its heartbeat; its deliveries in
 * progress are not resent. After a longer database outage, a later workflow tries again.
 */
export const DELIVERING: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/**
 * Printing, storing and recording a document. A dead browser or worker is noticed by the attempt's timeout; a caller
 * has got 503 by then, and finds the document under their key.
 */
export const PRINTING: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/** The same, run inside the workflow task: a dead worker is noticed when the task times out. */
export const PRINTING_FOR_A_CALLER: LocalActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 hour',
  localRetryThreshold: '5 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/** Writing a report of any length: a dead worker is noticed by its heartbeat, and the report is restarted. */
export const REPORTING: ActivityOptions = {
  ...urgency('batch'),
  startToCloseTimeout: '1 hour',
  scheduleToCloseTimeout: '12 hours',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Sending an e-mail. A mail server may be down for days; no one waits. */
export const MAILING: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '7 days',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * Calling the card processor while a caller waits: given up before the caller gets 503, under a key that makes a
 * repeat harmless.
 */
export const ASKING_PROCESSOR: ActivityOptions = {
  startToCloseTimeout: '8 seconds',
  scheduleToCloseTimeout: '12 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '2 seconds' },
};

/**
 * Charging a stored card: each attempt searches for the charge first, so this may be retried for a day. After that the
 * next day's sweep takes over.
 */
export const CHARGING: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '20 hours',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 minutes' },
};

/**
 * Refunding through the card processor. The reservation holds meanwhile, so this is retried for a day before an
 * operator must decide; the caller has got 503 by then, and finds the outcome under their key.
 */
export const REFUNDING: ActivityOptions = {
  startToCloseTimeout: '40 seconds',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Calling the e-signature provider, sometimes with a waiting caller, who gets 503 before this is given up. The
 * envelope's workflow tries again later, and serves commands until then.
 */
export const SIGNING: ActivityOptions = {
  startToCloseTimeout: '50 seconds',
  scheduleToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '20 seconds' },
};

/** Cancelling attempts at the card processor: no one waits, and an attempt left open does no harm. */
export const CANCELLING: ActivityOptions = {
  ...urgency('saga'),
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '7 days',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * Renewing some policies of a batch, one transaction each. It outlasts an outage of hours before an operator must
 * decide; the heartbeat tells a dead worker from one waiting for a busy database.
 */
export const RENEWING: ActivityOptions = {
  ...urgency('batch'),
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '6 hours',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};
