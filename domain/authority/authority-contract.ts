// The delegated-authority contract: a new organization's default, its states, and who may change what. Contract 3.10,
// 2 "Permissions".

import { DomainError } from '../errors.ts';
import { LINES_OF_BUSINESS, STATES } from '../lines.ts';
import type { AuthorityContract } from './authority.ts';

export const DA_CONTRACT_STATUSES = ['draft', 'active', 'suspended', 'expired', 'terminated'] as const;
export type DaContractStatus = (typeof DA_CONTRACT_STATUSES)[number];

/**
 * NAICS prefixes that no default contract covers: 1133 logging, 211 oil and gas extraction, 2123 nonmetallic mineral
 * mining and quarrying, 3259 other chemical products with 325920 explosives. Pyrotechnic displays are not a class of
 * their own in group 5619 and fall under 561990 (all other support services); guided adventure (hunting, fishing,
 * rafting and climbing guides) under 713990 (all other amusement and recreation). The rest of 5619 and 7139 is not
 * included.
 */
export const PROHIBITED_NAICS: readonly string[] = ['1133', '211', '2123', '3259', '561990', '713990'];

/** NAICS prefixes that need a referral: 7224 drinking places, 238160 roofing contractors. */
export const REFER_NAICS: readonly string[] = ['7224', '238160'];

/** The limits of a new organization's contract, for every line, state and year. Contract 3.10. */
export const DEFAULT_AUTHORITY: Omit<AuthorityContract, 'id'> = {
  status: 'active',
  year: null,
  maxPolicyLimitCents: 200_000_000,
  maxPremiumCents: 10_000_000,
  maxAnnualRevenueCents: 2_500_000_000,
  maxAnnualPremiumVolumeCents: 1_000_000_000,
  linesOfBusiness: [...LINES_OF_BUSINESS],
  states: [...STATES],
  prohibitedNaics: [...PROHIBITED_NAICS],
  referNaics: [...REFER_NAICS],
};

/** The carrier named on the default contract. */
export const DEFAULT_CARRIER = 'Default Carrier';

/** A contract change; omitted fields stay unchanged. */
export type AuthorityPatch = Partial<Omit<AuthorityContract, 'id'>> & Partial<CarrierNamed>;

/** A contract's carrier, with its NAIC number. */
interface CarrierNamed {
  carrier: string;
  carrierNaicCode: string | null;
}

/**
 * Whether a change only tightens a contract, which is all that an organization's own administrator may do: lower or
 * keep an amount, drop lines or states, add prohibited or referred classes, suspend. The carrier, its number and the
 * year may only be repeated unchanged. Contract 3.10.
 */
export function tightensOnly(
  before: Omit<AuthorityContract, 'id'> & Partial<CarrierNamed>,
  patch: AuthorityPatch,
): boolean {
  const after = { ...before, ...withoutUndefined(patch) };
  const barred = [...after.prohibitedNaics];
  return (
    after.carrier === before.carrier &&
    after.carrierNaicCode === before.carrierNaicCode &&
    after.year === before.year &&
    (after.status === before.status || after.status === 'suspended') &&
    after.maxPolicyLimitCents <= before.maxPolicyLimitCents &&
    after.maxPremiumCents <= before.maxPremiumCents &&
    after.maxAnnualRevenueCents <= before.maxAnnualRevenueCents &&
    after.maxAnnualPremiumVolumeCents <= before.maxAnnualPremiumVolumeCents &&
    after.linesOfBusiness.every((line) => before.linesOfBusiness.includes(line)) &&
    after.states.every((state) => before.states.includes(state)) &&
    before.prohibitedNaics.every((prefix) => isCovered(prefix, barred)) &&
    before.referNaics.every((prefix) => isCovered(prefix, [...barred, ...after.referNaics]))
  );
}

/**
 * Refuses to change the carrier of a contract with bound policies: their premium is owed, paid and reported under its
 * name. Decision 0235.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`
 */
export function ensureCarrierStays(before: { carrier: string; status: DaContractStatus }, carrier: string): void {
  if (carrier === before.carrier) return;
  const details = { resource: 'da_contract', from: before.status, action: 'rename_carrier', allowed: [] };
  throw new DomainError('invalid_state_transition', 'Policies have been bound with this carrier.', details);
}

/** A prefix is included in itself and in every shorter prefix of it. */
function isCovered(prefix: string, by: readonly string[]): boolean {
  return by.some((other) => prefix.startsWith(other));
}

function withoutUndefined(patch: AuthorityPatch): AuthorityPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
