// Signs and verifies the JWTs of the platform: HS256 only, a limited lifetime, and each secret for its own roles.
// Contract 2.
import { hash } from 'node:crypto';
import { SignJWT } from 'jose';
import type { AcceptedSecrets } from '../../domain/access/portals.ts';
import { readClaims, type TokenClaims } from '../../domain/access/token-claims.ts';
import { organizationIdFrom } from '../../domain/ids.ts';
import { isRole, type Role } from '../../domain/permissions.ts';
import { openSignedToken, peekPayload, tokenKey } from '../../providers/signed-token.ts';
import { CredentialRejected, type RejectionFacts } from './rejected.ts';
import { type KeysBySecret, keysByRole, keysBySecret } from './secrets.ts';

export type VerifyToken = (token: string) => Promise<TokenClaims>;

/**
 * Tokens are used many times, and a valid signature stays valid, so only the expiry is checked each time. Tokens are
 * cached by hash, so that none can be found in process memory.
 */
const REMEMBERED_TOKENS = 2_000;

/**
 * Builds the verifier. It tries only the secrets that may vouch for the role in the token; under any other the token is
 * invalid.
 */
export function createTokenVerifier(options: { secrets: AcceptedSecrets; now: () => number }): VerifyToken {
  const bySecret = keysBySecret(options.secrets);
  const byRole = keysByRole(bySecret);
  const remembered = new Map<string, TokenClaims>();
  return async (token) => {
    const nowSeconds = options.now() / 1000;
    const digest = hash('sha256', token, 'base64url');
    const known = remembered.get(digest);
    if (known && nowSeconds < known.expiresAtSeconds) return known;
    const role = peekPayload(token)?.role;
    const payload = await openSignedToken(token, (isRole(role) && byRole.get(role)) || []);
    if (payload === null) throw new CredentialRejected(await factsOfUnvouched(token, bySecret));
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
    remember(remembered, digest, read.claims);
    return read.claims;
  };
}

/** Signs a token that a verifier with the same secret accepts. */
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
    .sign(tokenKey(secret));
}

/**
 * Returns why no secret vouches for a token. A secret of ours that signed a role beyond its own has leaked: the claimed
 * organization learns which one. It is only counted there, since the holder of the secret can name any organization.
 */
async function factsOfUnvouched(token: string, bySecret: KeysBySecret): Promise<RejectionFacts> {
  for (const [name, keys] of bySecret) {
    const payload = await openSignedToken(token, keys);
    if (payload === null) continue;
    const orgId = organizationIdFrom(payload.org) ?? undefined;
    return { kind: 'jwt', reason: `a role that ${name} may not vouch for`, orgId, isOnlyCounted: true };
  }
  return { kind: 'jwt', reason: 'bad signature' };
}

function remember(tokens: Map<string, TokenClaims>, digest: string, claims: TokenClaims): void {
  if (tokens.size >= REMEMBERED_TOKENS) {
    const oldest = tokens.keys().next();
    if (!oldest.done) tokens.delete(oldest.value);
  }
  tokens.set(digest, claims);
}
