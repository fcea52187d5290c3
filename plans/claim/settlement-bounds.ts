/** The limits for a settlement or a payment on a claim. Contract 3.3. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { indemnityPaidOn } from '../../db/queries/claim/claims.ts';
import type { SettlementBounds } from '../../domain/claim/settlement.ts';
import { figuresOf } from './claim-figures.ts';

/** Reads the bounds of a claim; they hold while it and its policy are locked. */
export async function boundsOf(em: EntityManager, claim: Readonly<Claim>): Promise<SettlementBounds> {
  const { coverage, deductibleTakenCents, policyId } = claim;
  const paidOfTermCents = await indemnityPaidOn(em, policyId);
  return { figures: figuresOf(claim), coverage, deductibleTakenCents, paidOfTermCents };
}
