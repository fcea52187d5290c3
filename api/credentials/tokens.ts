// Signs and verifies the JWTs of the platform: HS256 only, a bounded life, and each secret for its own roles. Contract 2.
import type { KeyObject } from 'node:crypto';
import { compactVerify, SignJWT } from 'jose';
import { organizationIdFrom } from '../../domain/ids.ts';
import { JWT_LIFETIME_SECONDS, JWT_SUBJECT_MAX_CHARACTERS } from '../../domain/limits.ts';
import { isRole, type Role } from '../../domain/permissions.ts';
import type { AcceptedSecrets } from '../../domain/portals.ts';
import { CredentialRejected } from './rejected.ts';
import { keysByRole, signingKey } from './secrets.ts';

/** What a valid token says. `orgId` is always the TypeID; whether there is such an organization is not yet known. */
export interface TokenClaims {
  subject: string;
  orgId: string;
  role: Role;
  issuedAtSeconds: number;
  expiresAtSeconds: number;
}

export type VerifyToken = (token: string) => Promise<TokenClaims>;

/** A clock of another host may run ahead of ours by this much. An expired token is expired at once. */
const CLOCK_SKEW_SECONDS = 5;
const MAX_TOKEN_CHARACTERS = 4_096;

/** Tokens are used again and again; a signature that held once holds always. Only the expiry is looked at anew. */
const REMEMBERED_TOKENS = 2_000;

/**
 * Builds the verifier. The claims are those of Spec 2.3; `iat`, `exp`, `sub`, `org` and `role` are required, a
 * policyholder also needs `typ` = `insured`.
 */
export function createTokenVerifier(options: { secrets: AcceptedSecrets; now: () => number }): VerifyToken {
  const keys = keysByRole(options.secrets);
  const remembered = new Map<string, TokenClaims>();
  return async (token) => {
    const nowSeconds = options.now() / 1000;
    const known = remembered.get(token);
    if (known && nowSeconds < known.expiresAtSeconds) return known;
    const claims = checkClaims(await verifySignature(token, keys), nowSeconds);
    remember(remembered, token, claims);
    return claims;
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

type Payload = Record<string, unknown>;

/** Tries the secrets that may vouch for the role the token names; under every other one it is invalid. */
async function verifySignature(token: string, keys: ReadonlyMap<Role, readonly KeyObject[]>): Promise<Payload> {
  if (token.length > MAX_TOKEN_CHARACTERS) throw rejected('too long');
  const role = claimedRole(token);
  for (const key of (role && keys.get(role)) || []) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: ['HS256'] });
      return parsePayload(payload);
    } catch {
      // Another secret may have signed it.
    }
  }
  throw rejected('bad signature');
}

function claimedRole(token: string): Role | null {
  try {
    const { role } = parsePayload(Buffer.from(token.split('.')[1] ?? '', 'base64url'));
    return isRole(role) ? role : null;
  } catch {
    return null;
  }
}

function parsePayload(bytes: Uint8Array): Payload {
  const payload: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw new TypeError('no claims');
  return payload as Payload;
}

function checkClaims(payload: Payload, nowSeconds: number): TokenClaims {
  const { sub, org, role, iat, exp, nbf, typ } = payload;
  const orgId = organizationIdFrom(org);
  const subject = isSubject(sub) ? sub : null;
  const refuse = (reason: string) => rejected(reason, orgId, subject);
  if (orgId === null || subject === null || !isRole(role)) throw refuse('a claim is missing or malformed');
  if (!isInteger(iat) || !isInteger(exp)) throw refuse('without iat or exp');
  if (exp - iat > JWT_LIFETIME_SECONDS) throw refuse('too long a life');
  if (nowSeconds >= exp) throw refuse('expired');
  if (iat > nowSeconds + CLOCK_SKEW_SECONDS) throw refuse('issued in the future');
  if (nbf !== undefined && !(isInteger(nbf) && nbf <= nowSeconds + CLOCK_SKEW_SECONDS)) throw refuse('not yet valid');
  if (role === 'policyholder' && typ !== 'insured') throw refuse('not the token of an insured');
  return { subject, orgId, role, issuedAtSeconds: iat, expiresAtSeconds: exp };
}

/** Any text up to 255 characters that can be stored. */
function isSubject(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > JWT_SUBJECT_MAX_CHARACTERS) return false;
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function rejected(reason: string, orgId: string | null = null, subject: string | null = null): CredentialRejected {
  return new CredentialRejected({ kind: 'jwt', reason, orgId: orgId ?? undefined, subject: subject ?? undefined });
}

function remember(tokens: Map<string, TokenClaims>, token: string, claims: TokenClaims): void {
  if (tokens.size >= REMEMBERED_TOKENS) {
    const oldest = tokens.keys().next();
    if (!oldest.done) tokens.delete(oldest.value);
  }
  tokens.set(token, claims);
}
