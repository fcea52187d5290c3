// A call that carries an Idempotency-Key is done once: the first answer is kept for a day and given again.
import { createHash } from 'node:crypto';
import { Problem } from './problem.ts';
import type { Store } from './store.ts';
import type { Answer } from './wire.ts';

export interface KeyedCall {
  key: string | null;
  path: string;
  /** The body as it came. */
  body: string;
}

export interface OnceAnswer extends Answer {
  isReplay: boolean;
}

/** Does a call unless its key has an answer already. A key that comes with other parameters is refused. */
export function once(store: Store, { key, path, body }: KeyedCall, nowMs: number, work: () => Answer): OnceAnswer {
  if (key === null) return { ...work(), isReplay: false };
  const fingerprint = createHash('sha256').update(`${path}\n${body}`).digest('hex');
  const kept = store.answerOf(key, nowMs);
  if (kept === null) {
    const answer = work();
    store.keepAnswer(key, { ...answer, fingerprint }, nowMs);
    return { ...answer, isReplay: false };
  }
  if (kept.fingerprint === fingerprint) return { status: kept.status, body: kept.body, isReplay: true };
  throw new Problem(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}
