// The turns of an organization at the documents' workers: its callers wait for each other, so that however heavy their
// pages are, there is a place for the documents of others.
import { DomainError } from '../../../domain/errors.ts';
import { DOCUMENTS_OF_ORGANIZATION_TOGETHER } from '../../../domain/limits.ts';

/** After this the rest of the time that a caller waits for an answer would be too short to print. */
const WAIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 5;

interface Turns {
  free: number;
  /** Calls those who wait, the first one first. */
  waiting: Set<() => void>;
}

const turnsOf = new Map<string, Turns>();

/**
 * Does the work when the organization has a turn.
 * @throws DomainError rate_limited where it has none for too long, and what the work throws
 */
export async function inTurn<T>(orgId: string, work: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  const turns = turnsOf.get(orgId) ?? { free: DOCUMENTS_OF_ORGANIZATION_TOGETHER, waiting: new Set() };
  turnsOf.set(orgId, turns);
  if (turns.free > 0) turns.free -= 1;
  else await called(turns, waitMs);
  try {
    return await work();
  } finally {
    passOn(orgId, turns);
  }
}

function passOn(orgId: string, turns: Turns): void {
  const [next] = turns.waiting;
  if (next) {
    next();
    return;
  }
  turns.free += 1;
  if (turns.free === DOCUMENTS_OF_ORGANIZATION_TOGETHER) turnsOf.delete(orgId);
}

/** Waits for a turn that somebody else passes on. */
function called({ waiting }: Turns, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = () => {
      waiting.delete(call);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(call);
      const message = 'Your organization is printing too many documents at once. Try again shortly.';
      reject(new DomainError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }, waitMs);
    waiting.add(call);
  });
}
