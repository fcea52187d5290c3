// Audit rows for calls themselves: failed credentials, everything the machine secret does, everything an auditor reads.
// What a call changes is audited in the transaction of the change. Spec 5.8, Contract 2.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { writeNewRows } from '../../db/new-rows.ts';
import type { Database } from '../../db/orm.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { togetherBy } from '../../db/together.ts';
import { type Actor, actorRef } from '../../domain/permissions.ts';
import type { RecordRefusals, RefusalTally } from '../../http/refusals.ts';
import type { OrganizationDirectory } from './organizations.ts';
import type { RejectionFacts } from './rejected.ts';

/** A recorded call: recorded before a change is carried out, or before a read is answered. */
export interface AuditedCall {
  actor: Actor;
  /** Null if the call acts in none. */
  orgId: string | null;
  action: string;
  /** Pattern of the operation. */
  operation: string;
  method: string;
  entityType: string;
  entityId: string | null;
  requestId: string;
}

/** Returns whether an actor's calls are recorded, reads included. */
export function isRecorded(actor: Actor): boolean {
  return actor.kind === 'machine' || (actor.kind === 'user' && actor.role === 'auditor');
}

/** Settles once the call's row is committed. */
export type RecordCall = (call: AuditedCall) => Promise<void>;

/**
 * Builds the call recorder. Simultaneous rows of one organization share a statement; a call that cannot be recorded is
 * neither carried out nor answered.
 */
export function callRecorder(database: Database): RecordCall {
  const record = togetherBy<AuditedCall, undefined>((scope, calls) =>
    database.forOrg(scope, (em) => writeCalls(em, calls)),
  );
  return (call) => record(call.orgId ?? PLATFORM_SCOPE, call);
}

async function writeCalls(em: EntityManager, calls: readonly AuditedCall[]): Promise<undefined[]> {
  for (const { actor, action, operation, method, entityType, entityId, requestId } of calls) {
    const changes = { call: `${method} ${operation}` };
    writeAudit(em, { actor: actorRef(actor), action, entityType, entityId, requestId, changes });
  }
  await writeNewRows(em);
  return calls.map(() => undefined);
}

export interface RefusedCall {
  requestId: string;
  /** The client for rate limits. */
  client: string;
  /** Whether the client is over its limit. */
  isFlood: boolean;
  database: Database;
  organizations: OrganizationDirectory;
  refusals: RefusalTally;
  logger: Logger;
}

/**
 * Records a refused credential in the audit of its organization, if the credential proved one that exists. Otherwise it
 * is only counted, as is everything a client sends over its limit or signs with a leaked secret. A call without a
 * credential is not a refusal. No row holds any part of the credential.
 */
export async function recordRejection(facts: RejectionFacts, call: RefusedCall): Promise<void> {
  const { reason, kind, subject, isOnlyCounted = false } = facts;
  if (kind === 'none') return;
  const orgId = await knownOrganization(facts, call);
  call.logger.warn({ requestId: call.requestId, credential: kind, reason, orgId }, 'credential refused');
  if (orgId === null || call.isFlood || isOnlyCounted)
    return call.refusals.add({ orgId, client: call.client, reason: `${kind}: ${reason}` });
  await call.database.transaction(orgId, async (em) => {
    writeAudit(em, {
      actor: { kind: kind === 'api_key' ? 'api_key' : 'user', id: subject ?? 'unknown', role: 'none' },
      action: 'credential:refused',
      entityType: kind === 'api_key' ? 'api_key' : 'token',
      entityId: kind === 'api_key' ? (subject ?? null) : null,
      requestId: call.requestId,
      changes: { reason },
    });
  });
}

/**
 * Builds the recorder for the tally of refused credentials, in the organization or, if unknown, in the installation.
 */
export function refusalRecorder(database: Database): RecordRefusals {
  return (orgId, counts) =>
    database.transaction(orgId ?? PLATFORM_SCOPE, async (em) => {
      for (const changes of counts) {
        writeAudit(em, {
          actor: { kind: 'user', id: 'unknown', role: 'none' },
          action: 'credential:refused',
          entityType: 'token',
          changes,
        });
      }
    });
}

/** A token may name an organization that does not exist, even if signed with a valid secret. */
async function knownOrganization({ orgId }: RejectionFacts, { organizations }: RefusedCall): Promise<string | null> {
  if (orgId === undefined) return null;
  return (await organizations.find(orgId)) === null ? null : orgId;
}
