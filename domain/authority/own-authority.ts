// A user's own authority to commit the organization, never more than its authority contracts allow. Contract 3.10.
import type { BusinessDate } from '../dates.ts';
import { DomainError, validationError } from '../errors.ts';
import { type Cents, toDollars } from '../money.ts';
import { handlesClaims, type UserAuthority } from '../permissions.ts';
import { type AuthorityContract, authorityFlag, type DaFlag, type FlagCode, isContractInForce } from './authority.ts';

/** What the contracts in force allow combined. */
export interface AuthorityCeiling extends UserAuthority {
  linesOfBusiness: string[];
}

/** Returns what the contracts combined allow for policies that start today; nothing if none is in force. */
export function authorityCeiling(contracts: readonly AuthorityContract[], today: BusinessDate): AuthorityCeiling {
  const inForce = contracts.filter((contract) => isContractInForce(contract, today));
  const most = (amount: (contract: AuthorityContract) => Cents) => Math.max(0, ...inForce.map(amount));
  return {
    maxLimitCents: most(({ maxPolicyLimitCents }) => maxPolicyLimitCents),
    maxPremiumCents: most(({ maxPremiumCents }) => maxPremiumCents),
    linesOfBusiness: [...new Set(inForce.flatMap(({ linesOfBusiness }) => linesOfBusiness))],
  };
}

/**
 * Returns what a user may underwrite: nothing where a claims user is given only claims limits.
 * @throws DomainError validation_failed, rule required, for field `maxLimit` or `maxPremium`
 */
export function underwritingLimits(
  role: string,
  given: { maxLimitCents: Cents | undefined; maxPremiumCents: Cents | undefined; isForClaims: boolean },
): Pick<UserAuthority, 'maxLimitCents' | 'maxPremiumCents'> {
  const orNothing = (cents: Cents | undefined, field: string): Cents => {
    if (cents !== undefined) return cents;
    if (handlesClaims(role) && given.isForClaims) return 0;
    throw validationError(field, 'required', `${field} is required.`);
  };
  return {
    maxLimitCents: orNothing(given.maxLimitCents, 'maxLimit'),
    maxPremiumCents: orNothing(given.maxPremiumCents, 'maxPremium'),
  };
}

/**
 * Refuses limits above the ceiling.
 * @throws DomainError delegated_authority_exceeded with `{daFlags}`, one for each figure above it
 */
export function ensureWithinCeiling(own: UserAuthority, ceiling: AuthorityCeiling): void {
  const flags: DaFlag[] = [
    ...amountFlags(
      'DA_LIMIT_EXCEEDED',
      'maxLimit is higher than the authority contract allows.',
      own.maxLimitCents,
      ceiling.maxLimitCents,
    ),
    ...amountFlags(
      'DA_PREMIUM_EXCEEDED',
      'maxPremium is higher than the authority contract allows.',
      own.maxPremiumCents,
      ceiling.maxPremiumCents,
    ),
    ...(own.linesOfBusiness ?? [])
      .filter((line) => !ceiling.linesOfBusiness.includes(line))
      .map((line) =>
        authorityFlag(
          'DA_LOB_NOT_AUTHORIZED',
          'The authority contract does not include this line of business.',
          null,
          line,
        ),
      ),
  ];
  if (flags.length === 0) return;
  const message = 'A user cannot have more authority than their organization.';
  throw new DomainError('delegated_authority_exceeded', message, { daFlags: flags });
}

function amountFlags(code: FlagCode, message: string, actualCents: Cents, limitCents: Cents): DaFlag[] {
  if (actualCents <= limitCents) return [];
  return [authorityFlag(code, message, toDollars(limitCents), toDollars(actualCents))];
}
