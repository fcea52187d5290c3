// An organization's turns at shared capacity: its callers wait for each other, so that however heavy their pages and
// files, the document workers and readers have room for other organizations.
import { offTheClock } from '../../../db/deadline.ts';
import { DomainError } from '../../../domain/errors.ts';
import { DOCUMENTS_OF_ORGANIZATION_TOGETHER, FILES_OF_ORGANIZATION_TOGETHER } from '../../../domain/limits.ts';

/** After this, too little of the caller's response time would be left to print. */
const WAIT_MS = 8_000;
/** A file may wait longer for its turn, since its call has a longer deadline. */
const READING_WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

interface Turns {
  free: number;
  /** Callbacks of the waiting callers, first come first. */
  waiting: Set<() => void>;
}

/**
 * Does the work when the organization gets a turn.
 * @throws DomainError rate_limited if it gets none in time, and whatever the work throws
 */
type InTurn = <T>(orgId: string, work: () => Promise<T>, waitMs?: number) => Promise<T>;

/** Turns for printing a document. */
export const inPrintingTurn = turns({
  together: DOCUMENTS_OF_ORGANIZATION_TOGETHER,
  longestMs: WAIT_MS,
  busy: 'Your organization already has too many documents waiting to be printed. Try again shortly.',
});

const atReader = turns({
  together: FILES_OF_ORGANIZATION_TOGETHER,
  longestMs: READING_WAIT_MS,
  busy: 'Your organization already has too many files being read. Try again shortly.',
});

/** Turns for reading a file, which may take longer than a call may use the database. @throws as `InTurn` */
export const inReadingTurn: InTurn = (orgId, work, waitMs) => offTheClock(() => atReader(orgId, work, waitMs));

function turns({ together, longestMs, busy }: { together: number; longestMs: number; busy: string }): InTurn {
  const turnsOf = new Map<string, Turns>();
  const passOn = (orgId: string, turns: Turns): void => {
    const [next] = turns.waiting;
    if (next) {
      next();
      return;
    }
    turns.free += 1;
    if (turns.free === together) turnsOf.delete(orgId);
  };
  return async (orgId, work, waitMs = longestMs) => {
    const turns = turnsOf.get(orgId) ?? { free: together, waiting: new Set() };
    turnsOf.set(orgId, turns);
    if (turns.free > 0) turns.free -= 1;
    else await called(turns, waitMs, busy);
    try {
      return await work();
    } finally {
      passOn(orgId, turns);
    }
  };
}

/** Waits for a turn passed on by another caller. */
function called({ waiting }: Turns, waitMs: number, busy: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = () => {
      waiting.delete(call);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(call);
      reject(new DomainError('rate_limited', busy, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }, waitMs);
    waiting.add(call);
  });
}
