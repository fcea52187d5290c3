/**
 * Ends an activity attempt's database work before Temporal gives up the attempt: a blocked attempt gives its
 * connection back, and the next attempt does not run into it.
 */
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { withinDeadline } from '../db/deadline.ts';

/** Share of an attempt's timeout. */
const SHARE_OF_ATTEMPT = 0.9;

/** Every worker's interceptor. */
export function boundedActivity({ info }: Context): ActivityInterceptors {
  const waitMs = info.startToCloseTimeoutMs * SHARE_OF_ATTEMPT;
  return { inbound: { execute: (input, next) => withinDeadline(waitMs, () => next(input)) } };
}
