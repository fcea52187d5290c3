// From a living session to a token of the API. The session is named by its own token, as cookies carry it, or by a token
// that was signed for it. Spec 4.2, 5.2, Contract 2.
import { decodeJwt, SignJWT } from 'jose';
import type { ApiConfig } from '../../config.ts';
import type { Database } from '../../db/orm.ts';
import { type LiveSession, liveSession } from '../../db/queries/users.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { JWT_LIFETIME_SECONDS } from '../../domain/limits.ts';
import { secretOfRole } from '../../domain/portals.ts';
import { openSessionToken } from '../../providers/session-token.ts';
import { CredentialRejected } from './rejected.ts';
import { signingKey } from './secrets.ts';
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
 * Exchanges the credential of an Authorization header. Role and organization are those the user has now.
 * @throws CredentialRejected
 */
export async function exchangeSession(authorization: string | undefined, parts: ExchangeParts): Promise<ApiToken> {
  const credential = BEARER.exec(authorization ?? '')?.[1];
  if (credential === undefined) throw new CredentialRejected({ kind: 'none', reason: 'no session token' });
  const session = await sessionOf(credential, parts);
  const { active, role, orgId, userId, sessionId } = session;
  if (!active || role === null || orgId === null) {
    throw new CredentialRejected({
      kind: 'jwt',
      reason: 'not an active member',
      subject: userId,
      orgId: orgId ?? undefined,
    });
  }
  const issuedAt = Math.floor(parts.now() / 1000);
  const token = await new SignJWT({ org: orgId, role, sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + JWT_LIFETIME_SECONDS)
    .sign(signingKey(parts.config[secretOfRole(role)]));
  return { token, expiresAtMs: (issuedAt + JWT_LIFETIME_SECONDS) * 1000 };
}

async function sessionOf(credential: string, parts: ExchangeParts): Promise<LiveSession> {
  const { config, database } = parts;
  const token = openSessionToken(credential, ...config.acceptedSecrets.authSecret);
  const by = token === null ? await sessionOfJwt(credential, parts) : { token };
  const found = await database.forOrg(PLATFORM_SCOPE, (em) => liveSession(em, by));
  if (found !== null) return found;
  throw new CredentialRejected({ kind: 'jwt', reason: 'the session is over' });
}

async function sessionOfJwt(credential: string, { config, now }: ExchangeParts): Promise<{ sessionId: string }> {
  if (!JWT_SHAPE.test(credential)) throw new CredentialRejected({ kind: 'jwt', reason: 'no session token' });
  const { orgId, subject } = await createTokenVerifier({ secrets: config.acceptedSecrets, now })(credential);
  const { sid } = decodeJwt(credential);
  if (isId(sid, ID_PREFIXES.session)) return { sessionId: sid };
  throw new CredentialRejected({ kind: 'jwt', reason: 'a token without a session', orgId, subject });
}
