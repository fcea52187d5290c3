// When a call is retried, and how long the client waits first.

/** Statuses worth another attempt. A repeat with the same key gets 409 while the first call is still running. */
const LATER = new Set([429, 503]);
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 60_000];

export interface Attempts {
  /** How many times a call is sent, including the first. */
  most: number;
  /** Whether repeating the call is safe: reads, replacements, and calls with an Idempotency-Key. */
  isRepeatable: boolean;
  signal: AbortSignal | undefined;
}

/**
 * Sends until an answer is final. A call that is not safe to repeat is only resent if the platform did not process
 * it.
 * @throws the network error once all attempts are used up
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

/**
 * Doubles each time, with jitter so that many clients do not return together; at least `Retry-After`, at most a
 * minute.
 */
function pauseMs(attempt: number, retryAfter: string | null): number {
  const doubled = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  const spread = doubled * (0.5 + Math.random() / 2);
  const least = Number(retryAfter ?? 0) * 1000;
  return Math.min(Math.max(spread, Number.isFinite(least) ? least : 0), LONGEST_PAUSE_MS);
}

/** Waits, unless the caller aborts. @throws the reason of the signal */
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
