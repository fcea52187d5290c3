// Signs the tokens that tests call with, each with the secret for its role.
import { SignJWT } from 'jose';
import type { ApiConfig } from '../../config.ts';

const LIFETIME_SECONDS = 28_800;

export interface TokenClaims {
  role: string;
  org: string;
  sub?: string;
  /** Further claims, which override those above: `{iat: undefined}` leaves one out. */
  claims?: Record<string, unknown>;
  /** A secret other than the role's own. */
  secret?: string;
}

/** The secrets that sign the roles' tokens; the API and the authentication service share them. */
type Signing = Pick<ApiConfig, 'jwtSecret' | 'portalJwtSecret' | 'policyholderJwtSecret'>;

/** Signs a token that the API accepts, unless `claims` or `secret` make it a bad one. */
export function signToken(config: Signing, { role, org, sub, claims, secret }: TokenClaims): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const standard = { sub: sub ?? `usr_test_${role}`, org, role, iat: issuedAt, exp: issuedAt + LIFETIME_SECONDS };
  const typ = role === 'policyholder' ? { typ: 'insured' } : {};
  const payload = new SignJWT({ ...standard, ...typ, ...claims }).setProtectedHeader({ alg: 'HS256' });
  return payload.sign(new TextEncoder().encode(secret ?? secretOf(config, role)));
}

function secretOf(config: Signing, role: string): string {
  if (role === 'producer') return config.portalJwtSecret;
  if (role === 'policyholder') return config.policyholderJwtSecret;
  return config.jwtSecret;
}
