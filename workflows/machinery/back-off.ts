/** The pause after a step has failed: a minute, then twice as long each time, an hour at most. */

/** In milliseconds. */
export interface BackOff {
  firstMs: number;
  longestMs: number;
}

export const BACK_OFF: BackOff = { firstMs: 60_000, longestMs: 3_600_000 };

/**
 * For an alert that cannot be raised, up to a day: a saga cannot continue as new in mid-step, and this keeps its
 * history short. An outage delays the alert by no more than its own length.
 */
export const ALERT_BACK_OFF: BackOff = { ...BACK_OFF, longestMs: 86_400_000 };

/** Returns the pause in milliseconds after `failures` consecutive failures, at least one. */
export function pauseMs(failures: number, { firstMs, longestMs }: BackOff): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
