// Asks a part whether it is there and does not wait for a part that is silent: what readiness is made of.
import { withinDeadline } from '../db/deadline.ts';

const WITHIN_MS = 2_000;

/** Whether the answer comes, and in time; a fault counts as no answer. */
export async function answersInTime(ask: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), WITHIN_MS);
  });
  const answered = withinDeadline(WITHIN_MS, ask).then(
    () => true,
    () => false,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
