// The parts that the endpoints share, put together from the dependencies.

import { type BetterAuth, createBetterAuth } from './better-auth.ts';
import type { AuthDeps } from './deps.ts';
import { createLockOut, type LockOut } from './lock-out.ts';
import { ensureMember } from './membership.ts';

export interface AuthService extends AuthDeps {
  library: BetterAuth;
  lockOut: LockOut;
}

/** Builds the shared parts. A session is opened for members alone, whichever way they prove who they are. */
export function createAuthService(deps: AuthDeps): AuthService {
  const library = createBetterAuth(deps.config, deps.accounts, async (userId) => {
    await ensureMember(deps.accounts, userId);
  });
  return { ...deps, library, lockOut: createLockOut(deps.database) };
}
