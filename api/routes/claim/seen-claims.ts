// Claims as their callers may see them. Only the supervisor, its adjuster and the administrator may read the words of a
// protected claim, and each such read leaves an audit row naming the fields. Contract 3.3.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { newId } from '../../../db/ids.ts';
import { findParticulars, keepNote, notesOf, payeeOf, referenceOf } from '../../../db/queries/claim/claim-words.ts';
import { findClaim, findClaims } from '../../../db/queries/claim/claims.ts';
import { holdsOf } from '../../../db/queries/claim/payee-holds.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { type Actor, may } from '../../../domain/permissions.ts';
import { claimFacts } from '../../../plans/authority/resource-facts.ts';
import type { Resource } from '../../spine/access.ts';
import { entityTag, type Reply, reply } from '../../spine/reply.ts';
import type { CommandBuilder, OrganizationDatabase } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { present } from '../rows.ts';
import type { ClaimWire } from './claims.schemas.ts';
import { claimToWire, duplicateToWire, type KnownClaims, redactedWire, type SeenWords } from './claims.wire.ts';

export const claimResource: Resource<Claim> = {
  name: 'claim',
  load: findClaim,
  facts: claimFacts,
  version: ({ version }) => version,
};

/** Response fields that may be protected: the copy stored for the Idempotency-Key is encrypted. */
export const PROTECTED_FIELDS = [
  'description',
  'cause',
  'reportedBy',
  'lossLocation',
  'claimant',
  'denial',
  'settlement',
  'heldPayees',
] as const;

/** The reader, and the organization's database they read through. */
export interface Reader {
  actor: Actor;
  requestId: string;
  db: OrganizationDatabase;
}

/** Returns whether a caller may see words of a claim; for a protected claim that is a read and leaves an audit row. */
export async function seesWords(claim: Readonly<Claim>, reader: Reader, fields: readonly string[]): Promise<boolean> {
  if (!claim.containsPhi) return true;
  if (!isSighted(reader.actor, claim)) return false;
  await reader.db.transaction(async (em) => noteSight(em, claim, reader, { fields: [...fields] }));
  return true;
}

/** Reads the words of a claim for `fields` of a response; null for a caller who may not see them. */
export async function wordsOf(
  claim: Readonly<Claim>,
  { actor, requestId, db }: Reader,
  fields: readonly string[],
): Promise<SeenWords | null> {
  if (!claim.containsPhi) return db.read((em) => readWords(em, claim));
  if (!isSighted(actor, claim)) return null;
  return db.transaction((em) => {
    noteSight(em, claim, { actor, requestId }, { fields: [...fields] });
    return readWords(em, claim);
  });
}

/** Returns whether a caller may see the protected values of a claim. */
export function isSighted(actor: Actor, claim: Readonly<Claim>): boolean {
  return may(actor, 'claim:read_phi', claimFacts(claim));
}

/** Returns what a caller may know about the claims that these probably duplicate: which one, or that there is one. */
export async function knownOriginals(
  claims: readonly Pick<Claim, 'duplicateOf'>[],
  { actor, db }: Pick<Reader, 'actor' | 'db'>,
): Promise<KnownClaims> {
  const ids = claims.flatMap(({ duplicateOf }) => duplicateOf ?? []);
  const originals = ids.length === 0 ? [] : await db.read((em) => findClaims(em, ids));
  const known = originals.filter((claim) => !claim.containsPhi || isSighted(actor, claim));
  return new Map(known.map((claim) => [claim.id, may(actor, 'claim:read', claimFacts(claim)) ? 'named' : 'flagged']));
}

/** Writes the audit row for a read of protected values. `changes` names them but does not show them. */
export function noteSight(
  em: EntityManager,
  { id: entityId }: Readonly<Pick<Claim, 'id'>>,
  { actor, requestId }: Pick<Reader, 'actor' | 'requestId'>,
  changes: { fields: string[]; attachments?: string[]; documents?: string[] },
): void {
  writeAudit(em, { actor, action: 'claim:read_phi', entityType: 'claim', entityId, requestId, changes });
}

/** The claim after a step, with the tag of its new version. */
export async function claimReply(id: string, reader: Reader): Promise<Reply> {
  const claim = present(await reader.db.read((em) => findClaim(em, id)));
  return reply({ body: await claimSeenBy(claim, reader), etag: entityTag(id, claim.version) });
}

/** Returns a claim as its reader may see it. */
export async function claimSeenBy(claim: Readonly<Claim>, reader: Reader): Promise<ClaimWire> {
  const known = await knownOriginals([claim], reader);
  const holds = await reader.db.read((em) => holdsOf(em, claim.id));
  return claimToWire(claim, await wordsOf(claim, reader, PROTECTED_FIELDS), { known, holds });
}

/**
 * Re-checks the stored response for a claim on a repeated call: a caller who may no longer see the words gets it
 * without them; one who may reads them again.
 */
export async function replayedClaim(answer: ClaimWire, reader: Reader): Promise<ClaimWire> {
  const kept = { ...answer, ...duplicateToWire(answer, await knownOriginals([answer], reader)) };
  if (!kept.containsPhi || kept.redacted) return kept;
  const claim = present(await reader.db.read((em) => findClaim(em, kept.id)));
  return (await seesWords(claim, reader, PROTECTED_FIELDS)) ? kept : redactedWire(kept);
}

/** Shared by every step on a claim: it responds with the claim. */
export const CLAIM_STEP = {
  method: 'post',
  tag: 'Claims',
  spec: '4.5, Contract 3.3',
  secretFields: PROTECTED_FIELDS,
  replayed: replayedClaim,
  params: z.strictObject({ id: idParam('claim') }),
} as const;

/**
 * Stores a reason or note before the step that names it. On a repeat under its Idempotency-Key it has the same id.
 * @returns the id of the note; null without a text
 */
export async function keptNote(
  claimId: string,
  text: string | undefined,
  { db, command }: { db: OrganizationDatabase; command: CommandBuilder },
): Promise<string | null> {
  if (text === undefined) return null;
  const id = newId('claimNote', command.seedUuid);
  await db.transaction((em) => keepNote(em, { id, claimId, text }));
  return id;
}

async function readWords(em: EntityManager, { id, settlement, denial }: Readonly<Claim>): Promise<SeenWords> {
  const particulars = present(await findParticulars(em, id));
  const payee = settlement === null ? null : await payeeOf(em, settlement.id);
  const policyProvision = denial === null ? null : await referenceOf(em, denial.noteId);
  return { particulars, notes: await notesOf(em, id), payee, policyProvision };
}
