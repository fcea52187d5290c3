// The parts that the endpoints share, put together from the dependencies.
import { recordAudit } from './audit.ts';
import { type BetterAuth, createBetterAuth } from './better-auth.ts';
import type { AuthDeps } from './deps.ts';
import { createLockOut, type LockOut } from './lock-out.ts';
import { ensureMember } from './membership.ts';

export interface AuthService extends AuthDeps {
  library: BetterAuth;
  lockOut: LockOut;
}

/** Builds the shared parts. A session is opened for members alone, and recorded, whichever way they prove who they are. */
export function createAuthService(deps: AuthDeps): AuthService {
  const { accounts } = deps;
  const library = createBetterAuth(deps.config, accounts, async ({ userId, sessionId, requestId }) => {
    const user = await ensureMember(accounts, userId, requestId);
    await recordAudit(accounts, { action: 'sign_in:accepted', requestId, user, changes: { sessionId } });
  });
  return { ...deps, library, lockOut: createLockOut(deps.kv) };
}
