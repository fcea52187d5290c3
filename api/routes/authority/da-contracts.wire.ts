// Maps delegated-authority contracts between the wire and the rows: dollars and cents. Pure. Contract 3.10.
import type { DaContract } from '../../../db/entities/authority/da-contract.ts';
import type { AuthorityPatch } from '../../../domain/authority/authority-contract.ts';
import { fromDollars, toDollars } from '../../../domain/money.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import type { DaContractChanges, DaContractCreate, DaContractWire } from './da-contracts.schemas.ts';

/** The columns of a new contract: without a year it governs every year, without a status it is active. */
export function newContract(body: DaContractCreate) {
  const { maxPolicyLimit, maxPremium, maxAnnualRevenue, maxAnnualPremiumVolume, ...same } = body;
  return {
    ...{ year: null, status: 'active' as const, carrierNaicCode: null, prohibitedNaics: [], referNaics: [] },
    ...same,
    maxPolicyLimitCents: fromDollars(maxPolicyLimit, 'maxPolicyLimit'),
    maxPremiumCents: fromDollars(maxPremium, 'maxPremium'),
    maxAnnualRevenueCents: fromDollars(maxAnnualRevenue, 'maxAnnualRevenue'),
    maxAnnualPremiumVolumeCents: fromDollars(maxAnnualPremiumVolume, 'maxAnnualPremiumVolume'),
  };
}

/** Only the columns that the caller sent. */
export function contractChanges(body: DaContractChanges): AuthorityPatch {
  const { maxPolicyLimit, maxPremium, maxAnnualRevenue, maxAnnualPremiumVolume, ...same } = body;
  const amounts = {
    maxPolicyLimitCents: centsOrAbsent(maxPolicyLimit, 'maxPolicyLimit'),
    maxPremiumCents: centsOrAbsent(maxPremium, 'maxPremium'),
    maxAnnualRevenueCents: centsOrAbsent(maxAnnualRevenue, 'maxAnnualRevenue'),
    maxAnnualPremiumVolumeCents: centsOrAbsent(maxAnnualPremiumVolume, 'maxAnnualPremiumVolume'),
  };
  const named = Object.entries({ ...same, ...amounts }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named);
}

/** Returns a contract; limits in dollars. */
export function contractToWire(contract: DaContract): DaContractWire {
  return {
    id: contract.id,
    orgId: contract.orgId,
    carrier: contract.carrier,
    carrierNaicCode: contract.carrierNaicCode ?? null,
    year: contract.year,
    status: contract.status,
    maxPolicyLimit: toDollars(contract.maxPolicyLimitCents),
    maxPremium: toDollars(contract.maxPremiumCents),
    maxAnnualRevenue: toDollars(contract.maxAnnualRevenueCents),
    maxAnnualPremiumVolume: toDollars(contract.maxAnnualPremiumVolumeCents),
    linesOfBusiness: contract.linesOfBusiness,
    states: contract.states,
    prohibitedNaics: contract.prohibitedNaics,
    referNaics: contract.referNaics,
    version: contract.version,
    createdAt: instantToWire(contract.createdAt),
    updatedAt: instantToWire(contract.updatedAt),
  };
}

function centsOrAbsent(dollars: number | undefined, field: string): number | undefined {
  return dollars === undefined ? undefined : fromDollars(dollars, field);
}
