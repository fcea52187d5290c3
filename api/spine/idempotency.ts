// Repeating a POST with the same Idempotency-Key gives the first answer again instead of doing it twice. Contract 1.
import type { Logger } from 'pino';
import type { ApiConfig } from '../../config.ts';
import { isUnavailable } from '../../db/faults.ts';
import { newSeedUuid } from '../../db/ids.ts';
import type { Database } from '../../db/orm.ts';
import {
  claimKey,
  finishKey,
  forgetKey,
  releaseKey,
  type StoredAnswer,
} from '../../db/queries/platform/idempotency.ts';
import { DomainError, type ErrorCode, type ErrorDetails, validationError } from '../../domain/errors.ts';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from '../../domain/limits.ts';
import type { RouteAnswer } from './answer.ts';
import { RefusalWithHeaders } from './middleware/errors.ts';

/** A lease outlives the command by this much; after it a call that never came back may be repeated. */
const LEASE_MARGIN_MS = 5_000;
const KEPT_REFUSALS = new Set([404, 409, 412, 422]);

export interface KeyedCall {
  /** Organization of the call, or the scope of the platform. */
  scope: string;
  /** Null without an Idempotency-Key. */
  keyHash: string | null;
  fingerprint: string;
  /** Top-level fields of the answer that are not kept. */
  shownOnce: readonly string[];
}

export interface KeyParts {
  config: Pick<ApiConfig, 'commandDeadlineMs'>;
  database: Database;
  logger: Logger;
  now: () => number;
}

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
    `Idempotency-Key has 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} characters.`,
  );
}

/**
 * Runs a call under its key, or gives the kept answer. `run` gets the UUID from which it makes ids: the same for every
 * attempt under one key, so that one that was cut off is carried on rather than done again.
 * @throws DomainError idempotency_key_reused, idempotency_in_progress, and whatever `run` throws
 */
export async function underKey(
  call: KeyedCall,
  parts: KeyParts,
  run: (seedUuid: string) => Promise<RouteAnswer>,
): Promise<RouteAnswer> {
  const { keyHash } = call;
  if (keyHash === null) return run(newSeedUuid());
  const leaseMs = parts.config.commandDeadlineMs + LEASE_MARGIN_MS;
  const claim = await parts.database.forOrg(call.scope, (em) =>
    claimKey(em, { keyHash, fingerprint: call.fingerprint, nowMs: parts.now(), leaseMs }),
  );
  if (claim.outcome === 'mismatch') {
    throw new DomainError('idempotency_key_reused', 'This Idempotency-Key was used for another request.');
  }
  if (claim.outcome === 'running') {
    throw new DomainError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.');
  }
  if (claim.outcome === 'replay') return replayOf(claim);
  return runAndKeep({ ...call, keyHash }, parts, () => run(claim.seedUuid));
}

async function runAndKeep(
  call: KeyedCall & { keyHash: string },
  parts: KeyParts,
  run: () => Promise<RouteAnswer>,
): Promise<RouteAnswer> {
  try {
    const answer = await run();
    await settle(call, parts, {
      status: answer.status,
      headers: answer.headers,
      body: withoutSecrets(answer.body, call),
    });
    return answer;
  } catch (error) {
    if (!(error instanceof DomainError)) await settle(call, parts, 'release');
    else if (error.status >= 500) await settle(call, parts, 'release');
    else if (KEPT_REFUSALS.has(error.status)) await settle(call, parts, keptRefusal(error));
    else await settle(call, parts, 'forget');
    throw error;
  }
}

/** What was done stays done when its answer cannot be kept: the lease runs out, and the command's id does the rest. */
async function settle(
  { scope, keyHash }: KeyedCall & { keyHash: string },
  { database, logger }: KeyParts,
  outcome: StoredAnswer | 'release' | 'forget',
): Promise<void> {
  try {
    await database.forOrg(scope, (em) => {
      if (outcome === 'release') return releaseKey(em, keyHash);
      if (outcome === 'forget') return forgetKey(em, keyHash);
      return finishKey(em, keyHash, outcome);
    });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    logger.warn({ reason: (error as Error).message }, 'an answer could not be kept for its Idempotency-Key');
  }
}

function withoutSecrets(body: unknown, { shownOnce }: KeyedCall): unknown {
  if (shownOnce.length === 0 || typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !shownOnce.includes(name)));
}

interface KeptRefusal {
  error: ErrorCode;
  message: string;
  details: ErrorDetails;
}

/** A refusal is kept without a request id: the answer to a repetition carries its own. */
function keptRefusal({ status, code, message, details }: DomainError): StoredAnswer {
  return { status, headers: {}, body: { error: code, message, details } satisfies KeptRefusal };
}

function replayOf({ status, headers, body }: StoredAnswer): RouteAnswer {
  const replayed = { 'Idempotent-Replayed': 'true' };
  if (status < 400) return { status, headers: { ...headers, ...replayed }, body };
  const { error, message, details } = body as KeptRefusal;
  throw new RefusalWithHeaders({ code: error, message, details }, replayed);
}
