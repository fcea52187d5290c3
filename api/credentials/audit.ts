// Audit rows of calls as such: credentials that failed, everything the machine secret does, everything an auditor
// reads. What a call changes is audited in the transaction of the change. Spec 5.8, Contract 2.
import type { Logger } from 'pino';
import { writeNewRows } from '../../db/new-rows.ts';
import type { Database } from '../../db/orm.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { type Actor, actorRef } from '../../domain/permissions.ts';
import type { RecordRefusals, RefusalTally } from '../../http/refusals.ts';
import type { OrganizationDirectory } from './organizations.ts';
import type { RejectionFacts } from './rejected.ts';

/** A call that is recorded before it is carried out. */
export interface AuditedCall {
  actor: Actor;
  /** Null where the call acts in none. */
  orgId: string | null;
  action: string;
  /** Pattern of the operation. */
  operation: string;
  method: string;
  entityType: string;
  entityId: string | null;
  requestId: string;
}

/** Says whether an actor's calls are recorded, reads included. */
export function isAudited(actor: Actor): boolean {
  return actor.kind === 'machine' || (actor.kind === 'user' && actor.role === 'auditor');
}

/** Records a call, in one statement. When it cannot be recorded it is not carried out. */
export async function auditCall(database: Database, call: AuditedCall): Promise<void> {
  const { actor, orgId, action, operation, method, entityType, entityId, requestId } = call;
  await database.forOrg(orgId ?? PLATFORM_SCOPE, async (em) => {
    writeAudit(em, {
      actor: actorRef(actor),
      action,
      entityType,
      entityId,
      requestId,
      changes: { call: `${method} ${operation}` },
    });
    await writeNewRows(em);
  });
}

export interface RefusedCall {
  requestId: string;
  /** The client for rate limits. */
  client: string;
  /** Whether the client is beyond its limit. */
  isFlood: boolean;
  database: Database;
  organizations: OrganizationDirectory;
  refusals: RefusalTally;
  logger: Logger;
}

/**
 * Records a credential that was refused: in the audit of its organization when the credential proved one that exists.
 * Otherwise it is counted, like everything a client sends beyond its limit and what a leaked secret has signed. A call
 * without a credential counts as no refusal. No row holds any part of the credential.
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

/** A token may name an organization that does not exist, even under a secret that holds. */
async function knownOrganization({ orgId }: RejectionFacts, { organizations }: RefusedCall): Promise<string | null> {
  if (orgId === undefined) return null;
  return (await organizations.find(orgId)) === null ? null : orgId;
}
