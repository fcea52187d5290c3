/** A claim's owner: the row's adjuster and the tuple `claim:c#adjuster@user:u`, always kept together. Contract 2. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { dropRelation, writeRelation } from '../../db/queries/access/relations.ts';
import { findUser } from '../../db/queries/access/users.ts';
import { validationError } from '../../domain/errors.ts';
import { type Role, roleMay } from '../../domain/permissions.ts';

/** The tuple for a claim's adjuster. */
export function adjusterTuple(claimId: string, userId: string) {
  const subject = { subjectType: 'user', subjectId: userId };
  return { objectType: 'claim', objectId: claimId, relation: 'adjuster', ...subject };
}

/** Assigns a locked claim, including to the adjuster who filed it. @throws DomainError validation_failed */
export async function assignTo(em: EntityManager, claim: Claim, adjusterId: string): Promise<void> {
  claim.isAssigned = true;
  if (claim.adjusterId === adjusterId) return;
  await ensureHandlesClaims(em, adjusterId);
  if (claim.adjusterId !== null) await dropRelation(em, adjusterTuple(claim.id, claim.adjusterId));
  writeRelation(em, adjusterTuple(claim.id, adjusterId));
  claim.adjusterId = adjusterId;
}

/** Users in another installation's directory are not stored here; stored ones must have a claims role. */
async function ensureHandlesClaims(em: EntityManager, userId: string): Promise<void> {
  const user = await findUser(em, userId);
  if (user === null || (user.active && roleMay(user.role as Role, 'claim:investigate'))) return;
  throw validationError('adjusterId', 'unknown_reference', 'This user does not handle claims.');
}
