/** The pause after a step has failed: a minute, then twice as long each time, an hour at most. */

/** In milliseconds. */
export interface BackOff {
  firstMs: number;
  longestMs: number;
}

export const BACK_OFF: BackOff = { firstMs: 60_000, longestMs: 3_600_000 };

/** Gives the pause in milliseconds after `failures` failures in a row, at least one. */
export function pauseMs(failures: number, { firstMs, longestMs }: BackOff): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
