// Makes a bordereau row from the books: addresses and premium shares in their columns. Domain facts 3.10.
import type { Address } from '../address.ts';
import { type CommissionTerms, type PremiumShares, premiumShares } from '../billing/commission.ts';
import type { Month } from '../dates.ts';
import { addRatios, ratio, ratioToNumber } from '../ratio.ts';
import type { BordereauKind } from './bordereau.ts';
import { BORDEREAU_COLUMNS, type BordereauCell, type BordereauRow } from './bordereau-columns.ts';

/** A row of the books by its column names; amounts in cents, possibly as text. */
export type FoundRow = Readonly<Record<string, unknown>>;

/** What all rows of a bordereau have in common. */
export interface RowContext {
  month: Month;
  /** The party placing the surplus-lines business: the organization. */
  broker: string;
}

const CURRENCY = 'USD';
/** Decimals of a commission rate, which is a fraction. */
const RATE_DECIMALS = 6;

/** Returns the columns of a row, amounts in cents. */
export function bordereauRow(kind: BordereauKind, found: FoundRow, { month, broker }: RowContext): BordereauRow {
  const known: FoundRow = {
    ...found,
    ...{ reportingPeriod: month, surplusLinesBroker: broker, currency: CURRENCY },
    ...addressColumns(found.address as Address | null | undefined),
    ...(kind === 'claims' ? {} : { surplusLinesTax: cents(found.taxes) - cents(found.stampingFee) }),
    ...(kind === 'premium' ? commissionColumns(found) : {}),
  };
  const columns = BORDEREAU_COLUMNS[kind].map(({ name, type }) => [name, cellOf(type, known[name])]);
  return Object.fromEntries(columns);
}

function cellOf(type: string, value: unknown): BordereauCell {
  if (value === null || value === undefined) return type === 'sum' ? 0 : null;
  if (type === 'sum' || type === 'money' || type === 'number') return cents(value);
  return type === 'flag' ? Boolean(value) : String(value);
}

function addressColumns(address: Address | null | undefined): FoundRow {
  if (!address) return {};
  const { line1, line2, city, state, postalCode } = address;
  return {
    insuredAddress: [line1, line2].filter(Boolean).join(', '),
    ...{ insuredCity: city, insuredState: state, insuredPostalCode: postalCode },
  };
}

/** The shares of written premium at the terms of its transaction; all of it is the carrier's if none are known. */
function commissionColumns({ grossPremium, terms, hasProducer }: FoundRow): FoundRow {
  const premiumCents = cents(grossPremium);
  const known = (terms ?? null) as CommissionTerms | null;
  const { carrierCents, agentCents, mgaCents } = sharesOf(premiumCents, known, Boolean(hasProducer));
  return {
    commissionRate: known && rateOf(known, Boolean(hasProducer)),
    ...{ agentCommission: agentCents, mgaCommission: mgaCents, commission: agentCents + mgaCents },
    netToCarrier: carrierCents,
  };
}

function sharesOf(premiumCents: number, terms: CommissionTerms | null, hasProducer: boolean): PremiumShares {
  if (terms === null) return { carrierCents: premiumCents, agentCents: 0, mgaCents: 0 };
  return premiumShares(premiumCents, terms, hasProducer);
}

function rateOf({ agentRate, mgaRate }: CommissionTerms, hasProducer: boolean): number {
  return ratioToNumber(addRatios(ratio(hasProducer ? agentRate : '0'), ratio(mgaRate)), RATE_DECIMALS);
}

function cents(value: unknown): number {
  return Number(value ?? 0);
}
