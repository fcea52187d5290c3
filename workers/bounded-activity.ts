/**
 * Ends an activity attempt's database work before Temporal gives up the attempt: a blocked attempt gives its
 * connection back, and the next attempt does not run into it.
 */
import type { Context, Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { withinDeadline } from '../db/deadline.ts';

/** Share of an attempt's timeout. */
const SHARE_OF_ATTEMPT = 0.9;

/** Every worker's interceptor. */
export function boundedActivity({ info }: Context): ActivityInterceptors {
  const leftMs = leftForAttempts(info);
  const waitMs = Math.min(info.startToCloseTimeoutMs, leftMs) * SHARE_OF_ATTEMPT;
  const execute: NonNullable<ActivityInterceptors['inbound']>['execute'] = (input, next) => {
    if (leftMs <= 0) throw ApplicationFailure.nonRetryable('The step was not done in time.', 'internal_error');
    return withinDeadline(waitMs, () => next(input));
  };
  return { inbound: { execute } };
}

/**
 * Milliseconds left for all attempts of a local activity, which this process has scheduled by its own clock. The SDK
 * misses the end of that time during the pause between two attempts. The server ends other activities itself.
 */
function leftForAttempts({ isLocal, scheduledTimestampMs, scheduleToCloseTimeoutMs }: Info): number {
  return isLocal ? scheduledTimestampMs + scheduleToCloseTimeoutMs - Date.now() : Number.POSITIVE_INFINITY;
}
