// The API tokens that the service hands out, and how portals check the ones they are handed. HS256, 8 hours, each secret
// for its own roles. Spec 2.3, 5.4, Contract 2 "JWT".
import { jwtVerify, SignJWT } from 'jose';
import { DomainError } from '../domain/errors.ts';
import { organizationIdFrom } from '../domain/ids.ts';
import { JWT_LIFETIME_SECONDS } from '../domain/limits.ts';
import { isRole, type Role } from '../domain/permissions.ts';
import { type AcceptedSecrets, type SigningSecret, vouchesFor } from '../domain/portals.ts';
import type { Member } from './members.ts';

export interface VerifiedToken {
  subject: string;
  orgId: string;
  role: Role;
  expiresAtSeconds: number;
}

/**
 * Signs the token of a member for a session. The claim `sid` names the session, so that the token can be exchanged for a
 * new one while the session lives.
 */
export function signMemberToken(
  secret: string,
  member: Pick<Member, 'id' | 'orgId' | 'role'>,
  session: { id: string; issuedAtMs: number },
): Promise<string> {
  const issuedAt = Math.floor(session.issuedAtMs / 1000);
  return new SignJWT({ org: member.orgId, role: member.role, sid: session.id })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(member.id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + JWT_LIFETIME_SECONDS)
    .sign(keyOf(secret));
}

/**
 * Checks a token the way a portal does: by its own secret alone (or the one it replaced), and for the roles it vouches for.
 * @throws DomainError unauthenticated
 */
export async function verifyPortalToken(
  token: string,
  secretName: SigningSecret,
  secrets: AcceptedSecrets,
  nowMs: number,
): Promise<VerifiedToken> {
  const attempts = secrets[secretName].map((secret) => verifyWith(secret, token, nowMs));
  const { payload } = await Promise.any(attempts).catch(() => {
    throw refused();
  });
  const { sub, org, role, iat = 0, exp = 0, typ } = payload;
  const orgId = organizationIdFrom(org);
  const isShortLived = exp - iat <= JWT_LIFETIME_SECONDS;
  if (!sub || orgId === null || !isRole(role) || !vouchesFor(secretName, role) || !isShortLived) throw refused();
  if (role === 'policyholder' && typ !== 'insured') throw refused();
  return { subject: sub, orgId, role, expiresAtSeconds: exp };
}

function verifyWith(secret: string, token: string, nowMs: number) {
  return jwtVerify(token, keyOf(secret), {
    algorithms: ['HS256'],
    requiredClaims: ['sub', 'org', 'role', 'iat', 'exp'],
    currentDate: new Date(nowMs),
  });
}

function refused(): DomainError {
  return new DomainError('unauthenticated', 'The token is not valid for this portal.');
}

function keyOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
