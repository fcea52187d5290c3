// Concurrent work that waits for every part: none outlives the round that began it.

/** Does the work on each. @throws the first failure, after all have ended */
export async function settleAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const settled = await Promise.allSettled(items.map(work));
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
