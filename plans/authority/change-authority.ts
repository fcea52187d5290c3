// Whether the authority under which a policy was bound still allows it after a change.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { RateTable } from '../../db/entities/submission/rate-table.ts';
import { findById } from '../../db/entity-rows.ts';
import { findContract, usedCents } from '../../db/queries/authority/authority.ts';
import { daFlagsOf } from '../../db/queries/policy/policies.ts';
import { rateTableOn } from '../../db/queries/submission/rates.ts';
import { findQuote } from '../../db/queries/submission/submissions.ts';
import { authorityFlags, type DaFlag } from '../../domain/authority/authority.ts';
import type { Cents } from '../../domain/money.ts';
import { appetiteOf, type RateTable as Rates, type RatingInput } from '../../domain/submission/rating.ts';
import type { PolicyLife } from '../policy/life.ts';
import { withClearance } from './cleared-flags.ts';

/** The terms that premium and authority depend on. */
export type RatedTerms = Pick<Policy, 'limitCents' | 'annualRevenueCents' | 'deductibleCents'>;

/** Reads the table that rates a term for its whole life: its quote's, or the one it names. */
export async function rateTableOf(em: EntityManager, policy: Readonly<Policy>): Promise<Rates> {
  const { lineOfBusiness, effectiveDate } = policy;
  const quote = policy.rateTableId === null && policy.quoteId !== null ? await findQuote(em, policy.quoteId) : null;
  const id = policy.rateTableId ?? quote?.rateTableId ?? null;
  const found = id === null ? await rateTableOn(em, lineOfBusiness, effectiveDate) : await findById(em, RateTable, id);
  if (found === null) throw new Error(`There is no rate table for ${lineOfBusiness} on ${effectiveDate}`);
  return found.table;
}

/** Returns a policy's rating inputs with other terms; everything else stays as at bind. */
export function ratingOf({ ratingInputs }: Readonly<Policy>, terms: RatedTerms): RatingInput {
  const { limitCents, annualRevenueCents, deductibleCents } = terms;
  return { ...ratingInputs, requestedLimitCents: limitCents, annualRevenueCents, deductibleCents };
}

/** A policy as the change would leave it. */
export interface ChangedRisk {
  terms: RatedTerms;
  grossPremiumCents: Cents;
  sanctionsHit: boolean;
  /** Flags cleared for it by an approval, besides the policy's own. */
  cleared?: readonly DaFlag[];
}

/**
 * Lists a policy's flags after an upward change, with the authority used so far. Flags cleared at bind, or by a later
 * approved referral, stay cleared up to the same amount. Contract 3.2 "endorse", 3.7.
 */
export async function changeFlags(em: EntityManager, life: PolicyLife, risk: ChangedRisk): Promise<DaFlag[]> {
  const { policy, money, today } = life;
  const { naicsCode, state, lineOfBusiness, effectiveDate, daContractId, daYear } = policy;
  const table = await rateTableOf(em, policy);
  const contract = daContractId === null ? null : await findContract(em, daContractId);
  const used = contract === null || daYear === null ? 0 : await usedCents(em, contract.id, daYear);
  const flags = authorityFlags({
    ...{ contract, naicsCode, state, lineOfBusiness, effectiveDate, today },
    usedCents: used - money.grossPremiumCents,
    premiumCents: risk.grossPremiumCents,
    limitCents: risk.terms.limitCents,
    annualRevenueCents: risk.terms.annualRevenueCents,
    appetite: appetiteOf(table, naicsCode),
    lossesLast5Years: policy.ratingInputs.lossesLast5Years,
    scheduleModification: policy.ratingInputs.scheduleModification,
    newBusiness: false,
    // A policy is serviced whatever its producer's status; the next term is judged afresh.
    sellerGap: null,
    sanctionsHit: risk.sanctionsHit,
    duplicateOf: null,
  });
  const earlier = [...(await daFlagsOf(em, policy.id)), ...(risk.cleared ?? [])];
  return withClearance(em, policy.id, flags, earlier);
}
