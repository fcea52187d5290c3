/** What a settlement or a payment on a claim is measured against, and whether its payee may be paid. Contract 3.3. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { payeeOf } from '../../db/queries/claim/claim-words.ts';
import { indemnityPaidOn } from '../../db/queries/claim/claims.ts';
import { PAYEE_SANCTIONED, type SettlementBounds } from '../../domain/claim/settlement.ts';
import { DomainError } from '../../domain/errors.ts';
import { figuresOf } from '../../plans/claim/claim-figures.ts';
import type { Deps } from '../context.ts';

/** Reads the bounds of a locked claim, whose policy is locked too. */
export async function boundsOf(em: EntityManager, claim: Claim): Promise<SettlementBounds> {
  const { coverage, deductibleTakenCents, policyId } = claim;
  const paidOfTermCents = await indemnityPaidOn(em, policyId);
  return { figures: figuresOf(claim), coverage, deductibleTakenCents, paidOfTermCents };
}

/** Screens a payee that the api has kept; answers why they must not be paid. @throws DomainError not_found */
export async function payeeBlockers(em: EntityManager, deps: Deps, payeeId: string): Promise<string[]> {
  const payee = await payeeOf(em, payeeId);
  if (payee === null) throw new DomainError('not_found', 'There is no such payee.');
  return (await deps.screening.screen(payee)).length === 0 ? [] : [PAYEE_SANCTIONED];
}
