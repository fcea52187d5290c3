// Surplus-lines tax and stamping fee of the insured's home state, each computed separately on premium plus taxable fee
// and rounded half up. Only the home state taxes: 15 U.S.C. § 8201 (NRRA). Contract 3.1.
import type { BusinessDate } from '../dates.ts';
import { PROPERTY_LINES } from '../lines.ts';
import { type Cents, percentOf } from '../money.ts';
import { addRatios, ratio, ratioToNumber } from '../ratio.ts';

/** A state's taxes from a date on. Rates are decimal fractions as text (`'0.0485'`). */
export interface SurplusLinesRate {
  state: string;
  effectiveFrom: BusinessDate;
  taxRate: string;
  /** Stamping, service, filing or regulatory fee in proportion to the base. */
  stampingRate: string;
  /** Flat stamping fee, charged once per term and not returned. */
  stampingFlatCents: Cents;
  /** Additional tax on fire and property lines (CP, BOP); null if there is none. */
  fireRate: string | null;
  /** Whether a policy fee is part of the base. */
  feeTaxable: boolean;
}

/** One tax; `rate` is a fraction for display (0.0485), 0 for a flat amount. */
export interface TaxCharge {
  code: 'SL_TAX' | 'STAMPING_FEE';
  rate: number;
  amountCents: Cents;
}

const RATE_DECIMALS = 8;

/**
 * Computes the taxes on a premium with its stored rates. `SL_TAX` is always present and includes the fire component
 * for property lines; `STAMPING_FEE` only if the state has one; a flat fee is the whole amount. It is charged once per
 * term, which callers must observe on later transactions. Contract 3.1, 3.2.
 */
export function surplusLinesTaxes(basis: {
  premiumCents: Cents;
  feeCents: Cents;
  lineOfBusiness: string;
  rates: SurplusLinesRate;
}): TaxCharge[] {
  const { premiumCents, feeCents, lineOfBusiness, rates } = basis;
  const baseCents = premiumCents + (rates.feeTaxable ? feeCents : 0);
  const isProperty = PROPERTY_LINES.some((line) => line === lineOfBusiness);
  const taxRate = addRatios(ratio(rates.taxRate), ratio((isProperty ? rates.fireRate : null) ?? '0'));
  const stampingRate = ratio(rates.stampingRate);
  const tax: TaxCharge = {
    code: 'SL_TAX',
    rate: ratioToNumber(taxRate, RATE_DECIMALS),
    amountCents: percentOf(baseCents, taxRate),
  };
  if (stampingRate.n === 0n && rates.stampingFlatCents === 0) return [tax];
  const stamping: TaxCharge = {
    code: 'STAMPING_FEE',
    rate: ratioToNumber(stampingRate, RATE_DECIMALS),
    amountCents: percentOf(baseCents, stampingRate) + rates.stampingFlatCents,
  };
  return [tax, stamping];
}
