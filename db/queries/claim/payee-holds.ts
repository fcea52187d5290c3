// Payees of claims whose names are on a sanctions list.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { ClaimPayee } from '../../entities/claim/claim-payee.ts';
import { ClaimPayeeHold } from '../../entities/claim/claim-payee-hold.ts';
import { findById } from '../../entity-rows.ts';

/** A hold, and the name of its payee. */
export interface NamedHold {
  hold: ClaimPayeeHold;
  name: string;
}

/** Reads a claim's holds with the names, oldest first. */
export async function holdsOf(em: EntityManager, claimId: string): Promise<NamedHold[]> {
  const holds = await em.find(ClaimPayeeHold, { claimId }, { orderBy: { id: 'asc' } });
  if (holds.length === 0) return [];
  const payees = await em.find(ClaimPayee, { id: { $in: holds.map(({ payeeId }) => payeeId) } });
  const names = new Map(payees.map(({ id, name }) => [id, name]));
  return holds.map((hold) => ({ hold, name: names.get(hold.payeeId) ?? '' }));
}

/** Reads a hold, or null. */
export function findHold(em: EntityManager, id: string): Promise<ClaimPayeeHold | null> {
  return findById(em, ClaimPayeeHold, id);
}

/** Reads a payee's uncleared hold and locks it until the transaction ends, or null. */
export function lockOpenHold(em: EntityManager, payeeId: string): Promise<ClaimPayeeHold | null> {
  return em.findOne(ClaimPayeeHold, { payeeId, clearedOn: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}
