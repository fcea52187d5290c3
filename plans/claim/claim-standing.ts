// A claim's moves that would succeed now, from its row and payments.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { paymentsOfClaim } from '../../db/queries/claim/loss-funds.ts';
import type { ClaimAction } from '../../domain/claim/claim.ts';
import { claimMoves } from '../../domain/claim/claim-moves.ts';
import { boundsOf } from './settlement-bounds.ts';

/** Lists a claim's moves that would succeed now for someone with the permission. */
export async function movesOf(em: EntityManager, claim: Readonly<Claim>): Promise<ClaimAction[]> {
  const { id, status, settlement } = claim;
  const payments = await paymentsOfClaim(em, id);
  return claimMoves({ status, settlement, bounds: await boundsOf(em, claim), payments });
}
