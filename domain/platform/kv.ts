// What the key-value store answers: counts in a window, and claims. Its port and its table share these words.

export interface AttemptCount {
  count: number;
  /** Until the window ends and counting restarts. */
  secondsLeft: number;
}

/** How often something may happen in a window, which begins with the first count. */
export interface Limit {
  key: string;
  most: number;
  windowSeconds: number;
}

/** The counts of the limits in order, or how long the reached limit still lasts. */
export type Counted = { isWithin: true; counts: AttemptCount[] } | { isWithin: false; secondsLeft: number };

/** The result of a claim: that the caller got it, or what the key already holds; null if that has just changed. */
export type ClaimedKey<T> = { claimed: true } | { claimed: false; held: T | null };
