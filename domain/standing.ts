// Whether a token still speaks for its user, from how the user stands now: in the one organization that the token
// names. A change of role, access or password begins a new standing, named by the millisecond of the change. Contract 2 "JWT".
//
// A token of ours carries the standing that was read together with the role it states (claim `std`), so it ends with that
// standing, whenever it was signed, and one of the new standing counts at once. Whole seconds of `iat` could tell neither.
import { JWT_CLOCK_SKEW_SECONDS } from './limits.ts';
import type { TokenClaims } from './token-claims.ts';

export interface UserStanding {
  active: boolean;
  /** When the user was changed last; null for a user who never was. */
  tokensValidFrom: Date | null;
}

/** Names a standing, for the claim `std`. */
export function standingClaim({ tokensValidFrom }: Pick<UserStanding, 'tokensValidFrom'>): number {
  return tokensValidFrom?.getTime() ?? 0;
}

/**
 * Gives the reason why a token is refused, or null. One that carries no standing is judged by its time: its issuer's clock may
 * run ahead by the skew, so only from the skew onwards is it surely younger than the change.
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
