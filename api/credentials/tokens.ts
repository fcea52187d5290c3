// Signs and verifies the JWTs of the platform: HS256 only, a bounded life, and each secret for its own roles. Contract
// 2.
import { SignJWT } from 'jose';
import type { AcceptedSecrets } from '../../domain/access/portals.ts';
import { readClaims, type TokenClaims } from '../../domain/access/token-claims.ts';
import { isRole, type Role } from '../../domain/permissions.ts';
import { openSignedToken, peekPayload, signingKey } from '../../providers/signed-token.ts';
import { CredentialRejected } from './rejected.ts';
import { keysByRole } from './secrets.ts';

export type VerifyToken = (token: string) => Promise<TokenClaims>;

/** Tokens are used many times; a valid signature stays valid. Only the expiry is checked each time. */
const REMEMBERED_TOKENS = 2_000;

/**
 * Builds the verifier. Only the secrets that may vouch for the role the token names are tried: under every other one it
 * is invalid.
 */
export function createTokenVerifier(options: { secrets: AcceptedSecrets; now: () => number }): VerifyToken {
  const keys = keysByRole(options.secrets);
  const remembered = new Map<string, TokenClaims>();
  return async (token) => {
    const nowSeconds = options.now() / 1000;
    const known = remembered.get(token);
    if (known && nowSeconds < known.expiresAtSeconds) return known;
    const role = peekPayload(token)?.role;
    const payload = await openSignedToken(token, (isRole(role) && keys.get(role)) || []);
    if (payload === null) throw new CredentialRejected({ kind: 'jwt', reason: 'bad signature' });
    const read = readClaims(payload, nowSeconds);
    if ('refusal' in read) {
      const { reason, orgId, subject } = read.refusal;
      throw new CredentialRejected({
        kind: 'jwt',
        reason,
        orgId: orgId ?? undefined,
        subject: subject ?? undefined,
      });
    }
    remember(remembered, token, read.claims);
    return read.claims;
  };
}

/** Signs a token that the verifier of the same secret accepts. */
export function signToken(
  secret: string,
  claims: { subject: string; orgId: string; role: Role },
  life: { issuedAtMs: number; seconds: number },
): Promise<string> {
  const issuedAt = Math.floor(life.issuedAtMs / 1000);
  return new SignJWT({ org: claims.orgId, role: claims.role })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(claims.subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + life.seconds)
    .sign(signingKey(secret));
}

function remember(tokens: Map<string, TokenClaims>, token: string, claims: TokenClaims): void {
  if (tokens.size >= REMEMBERED_TOKENS) {
    const oldest = tokens.keys().next();
    if (!oldest.done) tokens.delete(oldest.value);
  }
  tokens.set(token, claims);
}
