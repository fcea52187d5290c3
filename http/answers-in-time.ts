// Probes a part without waiting for a silent one: the basis of readiness.
import { withinDeadline } from '../db/deadline.ts';

const WITHIN_MS = 2_000;

/** Whether the part responds in time; an error counts as no response. */
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
