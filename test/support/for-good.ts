// "Not now" is a correct answer on a busy machine: the caller retries, as the contract says, and judges the last
// answer.
import { DomainError } from '../../domain/errors.ts';
import { isWorthRetrying } from '../../http/errors.ts';
import { ThreadFault } from '../../providers/threads/pool.ts';
import type { TestResponse } from './client.ts';
import { eventually } from './eventually.ts';
import { PATIENCE_MS } from './patience.ts';

/** A single call may take as long as any one thing may. */
const CALLS_MS = 3 * PATIENCE_MS;

/** Sends until the answer is final. A command needs its Idempotency-Key. */
export function answerForGood(send: () => Promise<TestResponse>): Promise<TestResponse> {
  const attempt = async () => {
    const answer = await send();
    return answer.status >= 400 && isWorthRetrying(answer.body?.error) ? null : answer;
  };
  return eventually(attempt, { what: 'an answer for good', withinMs: CALLS_MS });
}

/** Repeats work as long as it is refused only for now. @throws what refuses it for good */
export async function forGood<T>(work: () => Promise<T>): Promise<T> {
  const attempt = () =>
    work().then(
      (value) => ({ value }),
      (error: unknown) => {
        if (isForNow(error)) return null;
        throw error;
      },
    );
  return (await eventually(attempt, { what: 'an end for good', withinMs: CALLS_MS })).value;
}

function isForNow(error: unknown): boolean {
  if (error instanceof ThreadFault) return error.reason === 'machine_busy';
  return error instanceof DomainError && isWorthRetrying(error.code);
}
