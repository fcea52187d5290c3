// Whether a token still speaks for its user, given how the user stands now in the one organization that the token
// names. A change of role, access or password begins a new standing, named by the millisecond of the change.
// Contract 2 "JWT".
//
// Our tokens carry the standing that was read together with their role (claim `std`). So a token ends with its
// standing, whenever it was signed, and a token of the new standing is valid immediately. Whole seconds of `iat` could
// ensure neither.
import { JWT_CLOCK_SKEW_SECONDS } from '../limits.ts';
import type { TokenClaims } from './token-claims.ts';

export interface UserStanding {
  active: boolean;
  /** When the user was last changed; null for a user who never was. */
  tokensValidFrom: Date | null;
}

/** Names a standing, for the claim `std`. */
export function standingClaim({ tokensValidFrom }: Pick<UserStanding, 'tokensValidFrom'>): number {
  return tokensValidFrom?.getTime() ?? 0;
}

/**
 * Returns the reason for refusing a token, or null. A token without a standing is judged by its time: its issuer's
 * clock may run ahead by the skew, so only beyond the skew is it certainly newer than the change.
 */
export function refusalByStanding(
  standing: UserStanding,
  token: Pick<TokenClaims, 'issuedAtSeconds' | 'standing'>,
): string | null {
  if (!standing.active) return 'deactivated user';
  const current = standingClaim(standing);
  const isOfNow =
    token.standing === null
      ? current === 0 || token.issuedAtSeconds > Math.floor(current / 1000) + JWT_CLOCK_SKEW_SECONDS
      : token.standing === current;
  return isOfNow ? null : 'older than the last change of the user';
}
