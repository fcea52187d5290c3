// Reproducible chance: the same seed throws the same numbers.

export interface Dice {
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  /** True in this many of a hundred throws. */
  percent(chance: number): boolean;
}

/** Mulberry32: 32 bits of state, good enough to mix up accidents. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
    percent: (chance) => below(100) < chance,
  };
}
