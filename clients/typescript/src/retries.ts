// When a call is sent again, and how long the client waits before it.

/** Answers that call for another attempt. A repetition under the same key finds the first one running with 409. */
const LATER = new Set([429, 503]);
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 60_000];

export interface Attempts {
  /** How often a call is sent, the first time included. */
  most: number;
  /** Whether what was done once is not done twice: reads, replacements, and what carries an Idempotency-Key. */
  isRepeatable: boolean;
  signal: AbortSignal | undefined;
}

/**
 * Sends until an answer is final. What cannot be repeated is only sent again when the platform refused to look at it.
 * @throws the error of the network when the attempts are used up
 */
export async function sentUntilFinal(send: () => Promise<Response>, attempts: Attempts): Promise<Response> {
  const { most, isRepeatable, signal } = attempts;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= most;
    try {
      const response = await send();
      if (isLast || !(await isWorthRepeating(response, isRepeatable))) return response;
      await response.body?.cancel();
      await wait(pauseMs(attempt, response.headers.get('retry-after')), signal);
    } catch (error) {
      if (isLast || !isRepeatable || signal?.aborted) throw error;
      await wait(pauseMs(attempt, null), signal);
    }
  }
}

async function isWorthRepeating(response: Response, isRepeatable: boolean): Promise<boolean> {
  if (response.status === 429) return true;
  if (!isRepeatable) return false;
  if (LATER.has(response.status)) return true;
  return response.status === 409 && (await response.clone().text()).includes('"idempotency_in_progress"');
}

/** Twice as long each time, spread so that many clients do not return together; as long as `Retry-After` requires. */
function pauseMs(attempt: number, retryAfter: string | null): number {
  const doubled = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  const spread = doubled * (0.5 + Math.random() / 2);
  const least = Number(retryAfter ?? 0) * 1000;
  return Math.min(Math.max(spread, Number.isFinite(least) ? least : 0), LONGEST_PAUSE_MS);
}

/** Waits, unless the caller gives up. @throws the reason of the signal */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
