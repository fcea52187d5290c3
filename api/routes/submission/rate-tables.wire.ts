// Maps rate tables between the wire and the rows: dollars and cents. Pure. Contract 3.10.
import type { RateTable } from '../../../db/entities/submission/rate-table.ts';
import { fromDollars, toDollars } from '../../../domain/money.ts';
import type { RateTable as Rates } from '../../../domain/submission/rating.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import type { RatesWire, RateTableWire } from './rate-tables.schemas.ts';

/** The table as stored, in cents. @throws DomainError validation_failed for an invalid amount */
export function ratesFromWire(lineOfBusiness: string, rates: RatesWire): Rates {
  const { limitFactors, deductibleFactors, minimumPremium, policyFee, stateFactors, ...same } = rates;
  return {
    ...same,
    lineOfBusiness,
    stateFactors: stateFactors as Record<string, string>,
    limitFactors: limitFactors.map(({ limit, factor }) => ({ limitCents: fromDollars(limit, 'limit'), factor })),
    deductibleFactors: deductibleFactors.map(({ deductible, factor }) => ({
      deductibleCents: fromDollars(deductible, 'deductible'),
      factor,
    })),
    minimumPremiumCents: fromDollars(minimumPremium, 'minimumPremium'),
    policyFeeCents: fromDollars(policyFee, 'policyFee'),
  };
}

/** Returns a version of a table; amounts in dollars, rates and factors as decimal texts. */
export function rateTableToWire(row: RateTable): RateTableWire {
  const { id, orgId, lineOfBusiness, effectiveFrom, createdBy } = row;
  return {
    id,
    orgId,
    lineOfBusiness,
    effectiveFrom,
    table: ratesToWire(row.table),
    createdBy,
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}

function ratesToWire(rates: Rates): RatesWire {
  const { base, stateFactors, defaultStateFactor, lossFactors, minimumPremiumCents, policyFeeCents } = rates;
  return {
    base,
    stateFactors,
    defaultStateFactor,
    limitFactors: rates.limitFactors.map(({ limitCents, factor }) => ({ limit: toDollars(limitCents), factor })),
    deductibleFactors: rates.deductibleFactors.map(({ deductibleCents, factor }) => ({
      deductible: toDollars(deductibleCents),
      factor,
    })),
    lossFactors,
    minimumPremium: toDollars(minimumPremiumCents),
    policyFee: toDollars(policyFeeCents),
  };
}
