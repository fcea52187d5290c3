// How portals check tokens: only by their own secret (or the one it replaced), for the roles it vouches for, and for
// users who may still sign in. Spec 2.3, 5.6, Contract 2 "JWT".

import { type Portal, vouchesFor } from '../domain/access/portals.ts';
import { refusalByStanding } from '../domain/access/standing.ts';
import { readClaims, type TokenClaims } from '../domain/access/token-claims.ts';
import { DomainError } from '../domain/errors.ts';
import { ID_PREFIXES, isId } from '../domain/ids.ts';
import { openSignedToken, tokenKey } from '../providers/signed-token.ts';
import { recordAudit } from './audit.ts';
import type { AuthRequest } from './http/state.ts';
import { findUser } from './members.ts';
import type { AuthService } from './service.ts';

/**
 * @throws DomainError unauthenticated; the refusal goes to the audit of the user that the token proved, else to the
 * tally
 */
export async function verifyPortalToken(
  { accounts, config, now, refusals }: AuthService,
  portal: Portal,
  token: string,
  { requestId, client }: AuthRequest,
): Promise<TokenClaims> {
  const refuse = async (reason: string, subject: string | null = null) => {
    const user = isId(subject, ID_PREFIXES.user) ? await findUser(accounts, subject) : null;
    if (user === null) refusals.add({ orgId: null, client, reason: `portal: ${reason}` });
    else
      await recordAudit(accounts, {
        action: 'token:refused',
        requestId,
        user,
        changes: { portal: portal.name, reason },
      });
    return new DomainError('unauthenticated', 'The token is not valid for this portal.');
  };
  const payload = await openSignedToken(token, config.acceptedSecrets[portal.secret].map(tokenKey));
  if (payload === null) throw await refuse('bad signature');
  const read = readClaims(payload, now() / 1000);
  if ('refusal' in read) throw await refuse(read.refusal.reason, read.refusal.subject);
  const { claims } = read;
  if (!vouchesFor(portal.secret, claims.role)) throw await refuse('a role of another secret', claims.subject);
  const user = isId(claims.subject, ID_PREFIXES.user) ? await findUser(accounts, claims.subject) : null;
  const reason = user && refusalByStanding(user, claims);
  if (reason !== null) throw await refuse(reason, claims.subject);
  return claims;
}
