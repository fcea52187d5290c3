// Repeating a POST with the same Idempotency-Key returns the first response again instead of doing it twice. Contract
// 1.
import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isUnavailable } from '../../db/faults.ts';
import { newSeedUuid } from '../../db/ids.ts';
import { commandResult } from '../../db/queries/platform/commands.ts';
import {
  claimKey,
  finishKey,
  forgetKey,
  type KeyAttempt,
  releaseKey,
  type StoredAnswer,
} from '../../db/queries/platform/idempotency.ts';
import { DomainError, isUnknownOutcome, validationError } from '../../domain/errors.ts';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from '../../domain/limits.ts';
import type { RouteAnswer } from './answer.ts';
import type { RuntimeDeps } from './deps.ts';
import { type AnswerKeeping, asRepeat, keptAnswer, keptRefusal, replayOf } from './kept-answer.ts';

/** How much longer a lease lasts than the call; after it, a call that never finished may be repeated. */
const LEASE_MARGIN_MS = 5_000;
/** How long a repeat should wait for the first call. */
const RETRY_AFTER_SECONDS = 1;
/** How often, and with which pauses, storing a response is retried while the database is down. */
const SETTLE_ATTEMPTS = 15;
const SETTLE_PAUSE_MS = 1_000;
const KEPT_REFUSALS = new Set([404, 409, 412, 422]);

export interface KeyedCall {
  /** Organization of the call, or the scope of the platform. */
  scope: string;
  /** Null without an Idempotency-Key. */
  keyHash: string | null;
  fingerprint: string;
  /** How long the call may take beyond COMMAND_DEADLINE_MS. */
  deadlineMs: number;
  /** Top-level response fields that are not stored. */
  shownOnce: readonly string[];
  /** Top-level response fields that are stored encrypted. */
  secretFields: readonly string[];
  /** What is returned from a stored response. */
  judgeAgain: (kept: RouteAnswer) => Promise<RouteAnswer>;
}

type KeyParts = Pick<RuntimeDeps, 'config' | 'database' | 'logger' | 'now' | 'presence' | 'inBackground'>;
type Held = KeyedCall & { keyHash: string };

/**
 * Reads the header. @throws DomainError validation_failed unless it has 1 to 255 characters
 */
export function idempotencyKeyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = String(header);
  if (key.length >= 1 && key.length <= IDEMPOTENCY_KEY_MAX_CHARACTERS) return key;
  const rule = key.length === 0 ? 'min' : 'max';
  throw validationError(
    'Idempotency-Key',
    rule,
    `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} characters.`,
  );
}

/**
 * Stores a response for the call's key in the transaction that makes it true: whenever the change was committed, a
 * repeat gets the response, even if the process died.
 */
export type Keep = (em: EntityManager, answer: RouteAnswer) => Promise<void>;

const KEEP_NOTHING: Keep = async () => {};

/**
 * Runs a call under its key, or returns the stored response. `run` gets the attempt: its ids are the same for every
 * attempt under one key, so that an interrupted one is continued rather than redone.
 * @throws DomainError idempotency_key_reused, idempotency_in_progress with `retryAfterSeconds`, and whatever `run`
 * throws
 */
export async function underKey(
  call: KeyedCall,
  parts: KeyParts,
  run: (attempt: KeyAttempt, keep: Keep) => Promise<RouteAnswer>,
): Promise<RouteAnswer> {
  const { keyHash, fingerprint } = call;
  if (keyHash === null) return run({ seedUuid: newSeedUuid(), attempt: 1, isRepeat: false }, KEEP_NOTHING);
  const held = { ...call, keyHash };
  const leaseMs = parts.config.commandDeadlineMs + call.deadlineMs + LEASE_MARGIN_MS;
  const holder = parts.presence.id();
  const claim = await parts.database.forOrg(call.scope, (em) =>
    claimKey(em, { keyHash, fingerprint, nowMs: parts.now(), leaseMs, holder }),
  );
  if (claim.outcome === 'mismatch') {
    throw new DomainError(
      'idempotency_key_reused',
      'This Idempotency-Key has already been used for another request. Send a new key.',
    );
  }
  if (claim.outcome === 'replay') return call.judgeAgain(replayOf(claim, keepingOf(held, parts)));
  const keep: Keep = (em, answer) => finishKey(em, keyHash, keptAnswer(answer, keepingOf(held, parts)));
  if (claim.outcome !== 'running') return runAndKeep(held, parts, () => run(claim, keep));
  const { running } = claim;
  if (running === null || !(await isCarriedOut(call, parts, running.seedUuid))) throw stillRunning();
  // Unless this succeeds, the key stays with the first call.
  return asRepeat(await runAndStore(held, parts, () => run(running, keep)));
}

/**
 * Whether the engine has carried out the command of the first call, whose process may be frozen or cut off. Its outcome
 * is stored, so that running the call again, even beside the first, changes nothing and has the same answer.
 */
async function isCarriedOut({ scope }: KeyedCall, { database }: KeyParts, commandId: string): Promise<boolean> {
  return (await database.forOrg(scope, (em) => commandResult(em, commandId))) !== null;
}

function stillRunning(): DomainError {
  return new DomainError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

async function runAndStore(call: Held, parts: KeyParts, run: () => Promise<RouteAnswer>): Promise<RouteAnswer> {
  const answer = await run();
  await settle(call, parts, keptAnswer(answer, keepingOf(call, parts)));
  return answer;
}

async function runAndKeep(call: Held, parts: KeyParts, run: () => Promise<RouteAnswer>): Promise<RouteAnswer> {
  try {
    return await runAndStore(call, parts, run);
  } catch (error) {
    if (isUnknownOutcome(error)) await settle(call, parts, 'unknown');
    else if (!(error instanceof DomainError) || error.status >= 500) await settle(call, parts, 'fault');
    else if (KEPT_REFUSALS.has(error.status)) await settle(call, parts, keptRefusal(error));
    else await settle(call, parts, 'forget');
    throw error;
  }
}

type Outcome = StoredAnswer | 'fault' | 'unknown' | 'forget';

/**
 * Records how the call ended. The caller does not wait for a database that is down: it is retried in the background,
 * and meanwhile the command's id keeps the work from being redone.
 */
async function settle(call: Held, parts: KeyParts, outcome: Outcome): Promise<void> {
  try {
    await record(call, parts, outcome);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    parts.logger.warn({ reason: (error as Error).message }, 'an answer cannot be kept for its Idempotency-Key yet');
    parts.inBackground('keeping an answer for its Idempotency-Key', settleLater(call, parts, outcome));
  }
}

async function settleLater(call: Held, parts: KeyParts, outcome: Outcome): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await delay(SETTLE_PAUSE_MS);
    try {
      return await record(call, parts, outcome);
    } catch (error) {
      if (attempt === SETTLE_ATTEMPTS || !isUnavailable(error)) throw error;
    }
  }
}

function record({ scope, keyHash }: Held, { database }: KeyParts, outcome: Outcome): Promise<void> {
  return database.forOrg(scope, (em) => {
    if (outcome === 'forget') return forgetKey(em, keyHash);
    if (outcome === 'fault' || outcome === 'unknown') return releaseKey(em, keyHash, outcome);
    return finishKey(em, keyHash, outcome);
  });
}

function keepingOf({ scope, keyHash, shownOnce, secretFields }: Held, { config }: KeyParts): AnswerKeeping {
  return { place: `${scope}/${keyHash}`, keys: config.payloadKeys, shownOnce, secretFields };
}
