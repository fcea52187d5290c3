// Work on many items, a few at a time.

/** Works on each item, this many in parallel, and returns the results in item order. */
export async function inTurns<T, R>(
  together: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  const queue = items.entries();
  const takeTurns = async () => {
    for (const [n, item] of queue) done[n] = await work(item);
  };
  await Promise.all(Array.from({ length: together }, takeTurns));
  return done;
}
