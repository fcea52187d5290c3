// Exchanges a live session for an API token. The session is identified by its own token, as in a cookie, or by a token
// signed for it. What the session says now decides, never what the token claims. Spec 4.2, 5.2, Contract 2.
import type { ApiConfig } from '../../config.ts';
import type { Database } from '../../db/orm.ts';
import { type LiveSession, liveSession } from '../../db/queries/access/users.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { secretOfRole } from '../../domain/access/portals.ts';
import { refusalByStanding } from '../../domain/access/standing.ts';
import type { TokenClaims } from '../../domain/access/token-claims.ts';
import { JWT_LIFETIME_SECONDS } from '../../domain/limits.ts';
import { openSessionToken } from '../../providers/session-token.ts';
import { signMemberToken } from '../../providers/signed-token.ts';
import { CredentialRejected } from './rejected.ts';
import { createTokenVerifier } from './tokens.ts';

const BEARER = /^Bearer +(\S+) *$/i;
const JWT_SHAPE = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export interface ExchangeParts {
  config: ApiConfig;
  database: Database;
  now: () => number;
}

export interface ApiToken {
  token: string;
  expiresAtMs: number;
}

/**
 * Exchanges the credential of the one Authorization header. Role and organization are those of the membership that the
 * session acts in now.
 * @throws CredentialRejected
 */
export async function exchangeSession(authorizations: readonly string[], parts: ExchangeParts): Promise<ApiToken> {
  if (authorizations.length > 1) throw new CredentialRejected({ kind: 'malformed', reason: 'two credentials' });
  const [authorization] = authorizations;
  if (authorization === undefined) throw new CredentialRejected({ kind: 'none', reason: 'no session token' });
  const credential = BEARER.exec(authorization)?.[1];
  if (credential === undefined) throw new CredentialRejected({ kind: 'malformed', reason: 'not a bearer credential' });
  const session = await sessionOf(credential, parts);
  const { active, role, orgId, userId, sessionId, tokensValidFrom } = session;
  if (!active) throw new CredentialRejected({ kind: 'jwt', reason: 'not an active member', subject: userId, orgId });
  const issuedAtMs = Math.floor(parts.now() / 1000) * 1000;
  const secret = parts.config[secretOfRole(role)];
  const token = await signMemberToken(secret, { userId, orgId, role, tokensValidFrom }, { id: sessionId, issuedAtMs });
  return { token, expiresAtMs: issuedAtMs + JWT_LIFETIME_SECONDS * 1000 };
}

async function sessionOf(credential: string, parts: ExchangeParts): Promise<LiveSession> {
  const token = openSessionToken(credential, ...parts.config.acceptedSecrets.authSecret);
  if (token === null) return sessionOfJwt(credential, parts);
  const found = await parts.database.forOrg(PLATFORM_SCOPE, (em) => liveSession(em, { token }));
  if (found !== null) return found;
  throw new CredentialRejected({ kind: 'jwt', reason: 'the session is over' });
}

/** The holder of a signing secret can put any `sid` in a token, so the token opens the session only if they agree. */
async function sessionOfJwt(credential: string, { config, database, now }: ExchangeParts): Promise<LiveSession> {
  if (!JWT_SHAPE.test(credential)) throw new CredentialRejected({ kind: 'jwt', reason: 'no session token' });
  const claims = await createTokenVerifier({ secrets: config.acceptedSecrets, now })(credential);
  const { orgId, subject, sessionId } = claims;
  const refuse = (reason: string) => new CredentialRejected({ kind: 'jwt', reason, orgId, subject });
  if (sessionId === null) throw refuse('a token without a session');
  const session = await database.forOrg(PLATFORM_SCOPE, (em) => liveSession(em, { sessionId }));
  if (session === null) throw refuse('the session is over');
  if (!isOf(session, claims)) throw refuse('not the token of the session');
  const reason = refusalByStanding(session, claims);
  if (reason !== null) throw refuse(reason);
  return session;
}

/**
 * Returns whether a token agrees with its session. The verifier tried only secrets that vouch for the token's role.
 * Since that is the session's current role, the secret also vouches for the issued token.
 */
function isOf({ userId, orgId, role }: LiveSession, claims: TokenClaims): boolean {
  return userId === claims.subject && orgId === claims.orgId && role === claims.role;
}
