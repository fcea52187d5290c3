// Whether the user of a token may still be served: he may have been deactivated, or given another role or password, since
// it was issued. Remembered for seconds, since every request asks. Contract 2 "JWT".
import type { Database } from '../../db/orm.ts';
import { type UserStanding, userStanding } from '../../db/queries/users.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { CredentialRejected } from './rejected.ts';

/** Half of what Contract 2 allows, so that a slow answer stays within it. */
const KEEP_MS = 15_000;
const MAX_ENTRIES = 10_000;

/** What of a valid token is asked about. */
export interface TokenHolder {
  subject: string;
  orgId: string;
  issuedAtSeconds: number;
}

/** @throws CredentialRejected for a stored user who is not active, or whose token is older than his last change */
export type EnsureServed = (holder: TokenHolder) => Promise<void>;

/** Builds the check. A subject that is no stored user is served: the token alone vouches for it. */
export function createUserStanding({ database, now }: { database: Database; now: () => number }): EnsureServed {
  const known = new Map<string, { standing: Promise<UserStanding | null>; staleAtMs: number }>();
  const standingOf = (userId: string) => {
    const entry = known.get(userId);
    if (entry && entry.staleAtMs > now()) return entry.standing;
    if (known.size >= MAX_ENTRIES) known.clear();
    const standing = database.forOrg(PLATFORM_SCOPE, (em) => userStanding(em, userId));
    known.set(userId, { standing, staleAtMs: now() + KEEP_MS });
    // What could not be read is not remembered.
    standing.catch(() => known.delete(userId));
    return standing;
  };
  return async ({ subject, orgId, issuedAtSeconds }) => {
    if (!isId(subject, ID_PREFIXES.user)) return;
    const standing = await standingOf(subject);
    if (standing === null) return;
    const refuse = (reason: string) => new CredentialRejected({ kind: 'jwt', reason, orgId, subject });
    if (!standing.active) throw refuse('deactivated user');
    // Tokens count whole seconds: one of the same second is served.
    const validFromSeconds = Math.floor((standing.tokensValidFrom?.getTime() ?? 0) / 1000);
    if (issuedAtSeconds < validFromSeconds) throw refuse('older than the last change of the user');
  };
}
