// The identity of a call: the same for every repeat with the same Idempotency-Key. Contract 1, Architecture 4.
import { createHash } from 'node:crypto';
import { type Actor, actorRef } from '../../domain/permissions.ts';
import { canonical } from './canonical-json.ts';
import type { CommandBuilder } from './route.ts';

/** What a call is, apart from its body. */
export interface CallIdentity {
  orgId: string;
  /** Kind, organization and id of the caller. */
  caller: string;
  method: string;
  path: string;
  /** Query parameters sorted by name, without `orgId`. */
  query: string;
  /** Idempotency-Key. */
  key: string;
}

/** Names the caller beyond the organization it acts in: users with the same id in two organizations are two callers. */
export function callerName({ kind, id, homeOrgId }: Actor): string {
  return `${kind}/${homeOrgId ?? ''}/${id}`;
}

/**
 * Returns the hash under which the response to a keyed call is stored: its organization, caller, method, path and key.
 */
export function keyHash({ orgId, caller, method, path, key }: CallIdentity): string {
  return hash([orgId, caller, method, path, key]);
}

/** Returns the hash that shows whether a repeated call is the same request. */
export function fingerprint(query: string, body: unknown): string {
  return hash([query, canonical(body)]);
}

/** Writes query parameters sorted by name. */
export function sortedQuery(query: Readonly<Record<string, unknown>>): string {
  return canonical(Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'orgId')));
}

/**
 * Makes the builder for a call's commands. The seed is the same for every attempt under an Idempotency-Key until the
 * key is forgotten.
 */
export function commandBuilder(call: {
  orgId: string;
  actor: Actor;
  requestId: string;
  commandId: string;
  seedUuid: string;
  /** Another attempt than the first is not answered with the fault of the one before. */
  attempt: number;
  /** Whether an earlier call under the same key may have been carried out. */
  isRepeat: boolean;
  /** The version in `If-Match`. */
  expectedVersion: number | undefined;
}): CommandBuilder {
  const { orgId, requestId, commandId, seedUuid, attempt, isRepeat, expectedVersion } = call;
  const actor = actorRef(call.actor);
  const build = <Payload>(payload: Payload, entityId: string) => ({
    commandId,
    updateId: attempt === 1 ? seedUuid : `${seedUuid}/${attempt}`,
    ...(isRepeat && { isRepeat }),
    orgId,
    entityId,
    actor,
    requestId,
    expectedVersion,
    payload,
  });
  return Object.assign(build, { commandId, seedUuid });
}

/** The parts are written as JSON, so that different lists never give the same text. */
function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
