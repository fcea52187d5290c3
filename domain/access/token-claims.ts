// The required claims of a signed token, wherever presented: at the API, at the exchange and at a portal's callback.
// The signature has already been verified. Spec 2.3, Contract 2 "JWT".
import { ID_PREFIXES, isId, organizationIdFrom } from '../ids.ts';
import { JWT_CLOCK_SKEW_SECONDS, JWT_LIFETIME_SECONDS, JWT_SUBJECT_MAX_CHARACTERS } from '../limits.ts';
import { isRole, type Role } from '../permissions.ts';

/** The claims of a valid token. `orgId` is always the TypeID; whether the organization exists is not yet known. */
export interface TokenClaims {
  subject: string;
  orgId: string;
  role: Role;
  issuedAtSeconds: number;
  expiresAtSeconds: number;
  /** Claim `sid`: the session it was signed for; null for a token without one. */
  sessionId: string | null;
  /** Claim `std`: its user's standing when it was signed (standing.ts); null for a token without one. */
  standing: number | null;
}

/** Why a token is refused. Its organization and subject are proven, since the signature was valid. */
export interface ClaimsRefusal {
  reason: string;
  orgId: string | null;
  subject: string | null;
}

export type ReadClaims = { claims: TokenClaims } | { refusal: ClaimsRefusal };

/**
 * Reads the payload of a token with a valid signature. `iat`, `exp`, `sub`, `org` and `role` are required, a
 * policyholder also needs `typ` = `insured`; expiry has no tolerance, and `iat` and `nbf` may run ahead by no more
 * than the skew.
 */
export function readClaims(payload: Record<string, unknown>, nowSeconds: number): ReadClaims {
  const { sub, org, role, iat, exp, nbf, typ, sid, std = null } = payload;
  const orgId = organizationIdFrom(org);
  const subject = isSubject(sub) ? sub : null;
  const refuse = (reason: string) => ({ refusal: { reason, orgId, subject } });
  if (orgId === null || subject === null || !isRole(role)) return refuse('a claim is missing or malformed');
  if (!isInteger(iat) || !isInteger(exp)) return refuse('iat or exp is missing');
  if (std !== null && !isInteger(std)) return refuse('a claim is missing or malformed');
  if (exp - iat > JWT_LIFETIME_SECONDS) return refuse('the lifetime is too long');
  if (nowSeconds >= exp) return refuse('expired');
  const latest = nowSeconds + JWT_CLOCK_SKEW_SECONDS;
  if (iat > latest) return refuse('issued in the future');
  if (nbf !== undefined && !(isInteger(nbf) && nbf <= latest)) return refuse('not yet valid');
  if (role === 'policyholder' && typ !== 'insured') return refuse('not a token for an insured');
  const sessionId = isId(sid, ID_PREFIXES.session) ? sid : null;
  return { claims: { subject, orgId, role, issuedAtSeconds: iat, expiresAtSeconds: exp, sessionId, standing: std } };
}

/** Any text up to 255 characters that can be stored. */
function isSubject(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > JWT_SUBJECT_MAX_CHARACTERS) return false;
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
