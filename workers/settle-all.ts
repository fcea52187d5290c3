// Work on several things together that waits for all of them: none goes on behind the round that began it.

/** Does the work on each. @throws the first failure, when all have ended */
export async function settleAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const settled = await Promise.allSettled(items.map(work));
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
