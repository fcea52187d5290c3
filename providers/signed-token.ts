// The signature of the platform's tokens: HS256 and nothing else, signed here for members and verified here for
// everyone. The rules for claims are in domain/access/token-claims.ts. Contract 2 "JWT".
import { createSecretKey, type KeyObject } from 'node:crypto';
import { compactVerify, SignJWT } from 'jose';
import { standingClaim, type UserStanding } from '../domain/access/standing.ts';
import { JWT_LIFETIME_SECONDS } from '../domain/limits.ts';
import type { Role } from '../domain/permissions.ts';

const MAX_TOKEN_CHARACTERS = 4_096;

export type TokenPayload = Record<string, unknown>;

/** Returns the key of a signing secret. */
export function tokenKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

/** A member from a single read, so that role, organization and standing belong together. */
export interface TokenMember extends Pick<UserStanding, 'tokensValidFrom'> {
  userId: string;
  orgId: string;
  role: Role;
}

/**
 * Signs the token of a member for a session, for 8 hours. `sid` names the session, so that the token can be exchanged
 * while the session lives; `std` names the standing that the member was read with, and the token ends with it
 * (domain/access/standing.ts).
 */
export function signMemberToken(
  secret: string,
  member: TokenMember,
  session: { id: string; issuedAtMs: number },
): Promise<string> {
  const issuedAt = Math.floor(session.issuedAtMs / 1000);
  return new SignJWT({ org: member.orgId, role: member.role, sid: session.id, std: standingClaim(member) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(member.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + JWT_LIFETIME_SECONDS)
    .sign(tokenKey(secret));
}

/** Returns the payload of a token signed by one of the keys, or null. */
export async function openSignedToken(token: string, keys: readonly KeyObject[]): Promise<TokenPayload | null> {
  if (token.length > MAX_TOKEN_CHARACTERS) return null;
  for (const key of keys) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: ['HS256'] });
      return parsePayload(payload);
    } catch {
      // Another key may have signed it.
    }
  }
  return null;
}

/** Reads a token's claims, unverified; null if it is unreadable. */
export function peekPayload(token: string): TokenPayload | null {
  if (token.length > MAX_TOKEN_CHARACTERS) return null;
  try {
    return parsePayload(Buffer.from(token.split('.')[1] ?? '', 'base64url'));
  } catch {
    return null;
  }
}

function parsePayload(bytes: Uint8Array): TokenPayload {
  const payload: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw new TypeError('no claims');
  return payload as TokenPayload;
}
