// What the terminal shows: one line per step, and signs of life during slow ones.

const SIGN_OF_LIFE_MS = 10_000;
const WORTH_REPORTING_MS = 1_000;

/** Writes one line for a part. */
export function report(part: string, text: string): void {
  process.stdout.write(`${part.padEnd(10)} ${text}\n`);
}

/** Runs a step and reports it: at its start, every ten seconds while it runs, and at its end if it took long. */
export async function step<T>(part: string, text: string, work: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
  report(part, text);
  const timer = setInterval(() => report(part, `still at it after ${seconds()}: ${text}`), SIGN_OF_LIFE_MS);
  try {
    const result = await work();
    if (Date.now() - startedAt > WORTH_REPORTING_MS) report(part, `done in ${seconds()}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
