// Whether a token still speaks for its user, given the user's current standing in the one organization it names. A
// change of role, access or password begins a new standing, named by the millisecond of the change. Contract 2 "JWT".
//
// Our tokens carry the standing read together with their role (claim `std`). So a token ends with its standing,
// whenever it was signed, and a token with the new standing is valid immediately. The whole seconds of `iat` could
// ensure neither.
import { JWT_CLOCK_SKEW_SECONDS } from '../limits.ts';
import type { TokenClaims } from './token-claims.ts';

export interface UserStanding {
  active: boolean;
  /** When the user was last changed; null if never. */
  tokensValidFrom: Date | null;
}

/** Names a standing, for the claim `std`. */
export function standingClaim({ tokensValidFrom }: Pick<UserStanding, 'tokensValidFrom'>): number {
  return tokensValidFrom?.getTime() ?? 0;
}

/**
 * Returns the reason for refusing a token, or null. A token without a standing is judged by its time: its issuer's
 * clock may run ahead by the skew, so it is certainly newer than the change only beyond the skew.
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
