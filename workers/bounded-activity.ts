/**
 * Ends what an attempt of an activity asks of the database before Temporal gives the attempt up: one that the server of
 * the database holds gives its connection back, and the next attempt does not meet it.
 */
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { withinDeadline } from '../db/deadline.ts';

/** Of the time that an attempt has. */
const SHARE_OF_ATTEMPT = 0.9;

/** The interceptor of every worker. */
export function boundedActivity({ info }: Context): ActivityInterceptors {
  const waitMs = info.startToCloseTimeoutMs * SHARE_OF_ATTEMPT;
  return { inbound: { execute: (input, next) => withinDeadline(waitMs, () => next(input)) } };
}
