// A call with an Idempotency-Key is carried out once: its first answer is kept for a day and repeated.
import { createHash } from 'node:crypto';
import { Problem } from './problem.ts';
import type { Store } from './store.ts';
import type { Answer } from './wire.ts';

export interface KeyedCall {
  key: string | null;
  path: string;
  /** The body as received. */
  body: string;
}

export interface OnceAnswer extends Answer {
  isReplay: boolean;
}

/** Carries out a call unless its key already has an answer. A key reused with other parameters is refused. */
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
