// The parts shared by the endpoints, built from the dependencies.
import { createRefusalTally, type RefusalTally } from '../http/refusals.ts';
import { sessionReference } from '../providers/session-token.ts';
import { recordAudit, refusalRecorder } from './audit.ts';
import { type BetterAuth, createBetterAuth } from './better-auth.ts';
import type { AuthDeps } from './deps.ts';
import { createLockOut, type LockOut } from './lock-out.ts';
import { findMember, markUsed } from './members.ts';
import { ensureMember, notAdmitted } from './membership.ts';

export interface AuthService extends AuthDeps {
  library: BetterAuth;
  lockOut: LockOut;
  /** Refused credentials whose owner is unknown. */
  refusals: RefusalTally;
}

/**
 * Builds the shared parts. A session is opened only for members, and recorded, however they prove their identity. It
 * acts in the organization chosen by single sign-on, or else the one the person used last.
 */
export function createAuthService(deps: AuthDeps): AuthService {
  const { accounts } = deps;
  const library = createBetterAuth(deps.config, accounts, async ({ personId, userId, sessionId, requestId }) => {
    const user =
      userId === null ? await ensureMember(accounts, personId, requestId) : await findMember(accounts, userId);
    if (!user?.active) throw notAdmitted('This account is not active.');
    const changes = { session: sessionReference(sessionId, deps.config.authSecret) };
    await recordAudit(accounts, { action: 'sign_in:accepted', requestId, user, changes });
    await markUsed(accounts, user.id);
    return user.id;
  });
  const refusals = createRefusalTally({ record: refusalRecorder(accounts), logger: deps.logger });
  return { ...deps, library, lockOut: createLockOut(deps.kv), refusals };
}
