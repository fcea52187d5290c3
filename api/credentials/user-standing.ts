// Whether a token's user may still be served: they may have been deactivated, or given another role or password, since
// it was issued. Cached for seconds, since every request needs it. Contract 2 "JWT".
import type { Database } from '../../db/orm.ts';
import { userStanding } from '../../db/queries/access/users.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { refusalByStanding, type UserStanding } from '../../domain/access/standing.ts';
import type { TokenClaims } from '../../domain/access/token-claims.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { CredentialRejected } from './rejected.ts';

/** Half of what Contract 2 allows, so that a slow response stays within it. */
const KEEP_MS = 15_000;
const MAX_ENTRIES = 10_000;

/** The part of a valid token that the check needs. */
export type TokenHolder = Pick<TokenClaims, 'subject' | 'orgId' | 'issuedAtSeconds' | 'standing'>;

/** @throws CredentialRejected for a stored user who is not active, or whose token is older than their last change */
export type EnsureServed = (holder: TokenHolder) => Promise<void>;

/**
 * Builds the check. A subject that is not a stored user is served: the token alone vouches for it. Only acceptance is
 * cached: no one is refused without rereading the row, so a token with a new standing works immediately.
 */
export function createUserStanding({ database, now }: { database: Database; now: () => number }): EnsureServed {
  const known = new Map<string, { standing: Promise<UserStanding | null>; staleAtMs: number }>();
  const read = (userId: string) => {
    if (known.size >= MAX_ENTRIES) known.clear();
    const standing = database.forOrg(PLATFORM_SCOPE, (em) => userStanding(em, userId));
    known.set(userId, { standing, staleAtMs: now() + KEEP_MS });
    // Failed reads are not cached.
    standing.catch(() => known.delete(userId));
    return standing;
  };
  const recall = (userId: string) => {
    const entry = known.get(userId);
    return entry && entry.staleAtMs > now() ? entry.standing : null;
  };
  return async (holder) => {
    const { subject, orgId } = holder;
    if (!isId(subject, ID_PREFIXES.user)) return;
    const remembered = recall(subject);
    if (remembered !== null && whyRefused(await remembered, holder) === null) return;
    const reason = whyRefused(await read(subject), holder);
    if (reason !== null) throw new CredentialRejected({ kind: 'jwt', reason, orgId, subject });
  };
}

function whyRefused(standing: UserStanding | null, holder: TokenHolder): string | null {
  return standing && refusalByStanding(standing, holder);
}
