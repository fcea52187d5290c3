// The identity provider: an OpenID code flow with PKCE and a nonce, limited to one tenant. Its identity is trusted only
// if signature, issuer, audience, tenant and nonce of the ID token are all valid. Spec 5.5.1.
// https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference
import { createHash } from 'node:crypto';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { AuthConfig } from '../../config.ts';
import { DomainError } from '../../domain/errors.ts';
import { isSameSecret } from '../../providers/constant-time.ts';

/** Name of the provider in the accounts. */
export const MICROSOFT = 'microsoft';

const CALL_TIMEOUT_MS = 10_000;
const CLOCK_SKEW_SECONDS = 60;
const OBJECT_ID_MAX_CHARACTERS = 100;

export type MicrosoftConfig = NonNullable<AuthConfig['microsoft']>;

/** Someone the tenant vouches for. */
export interface Identity {
  /** Tenant and object id, which never change for a person. */
  subject: string;
  /** In lower case; null if the tenant does not vouch for it. */
  verifiedEmail: string | null;
  name: string | null;
}

/** Stored while the user is at the provider. */
export interface Handshake {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface IdentityProvider {
  /** Address to send the user to. */
  authorizationUrl(handshake: Handshake): string;
  /**
   * Exchanges the code the user came back with for their identity.
   * @throws DomainError unauthenticated, forbidden for another tenant, service_unavailable
   */
  identify(code: string, handshake: Handshake): Promise<Identity>;
}

const TokenResponse = z.object({ id_token: z.string().min(1).max(20_000) });

/** Builds the client of one tenant. */
export function createMicrosoft(config: MicrosoftConfig, redirectUri: string): IdentityProvider {
  const { authority, tenantId, clientId } = config;
  const base = `${authority}/${tenantId}`;
  const keys = createRemoteJWKSet(new URL(`${base}/discovery/v2.0/keys`), { timeoutDuration: CALL_TIMEOUT_MS });
  const issuer = `${base}/v2.0`;
  return {
    authorizationUrl: ({ state, nonce, codeVerifier }) => {
      const url = new URL(`${base}/oauth2/v2.0/authorize`);
      url.search = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        response_mode: 'query',
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString();
      return url.toString();
    },
    identify: async (code, { nonce, codeVerifier }) => {
      const idToken = await redeemCode(config, { code, codeVerifier, redirectUri });
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience: clientId,
        algorithms: ['RS256'],
        requiredClaims: ['exp', 'iat', 'sub', 'nonce', 'tid', 'oid'],
        clockTolerance: CLOCK_SKEW_SECONDS,
      }).catch((error: unknown) => {
        throw refusalOfToken(error);
      });
      return identityOf(payload, { nonce, tenantId });
    },
  };
}

async function redeemCode(
  { authority, tenantId, clientId, clientSecret }: MicrosoftConfig,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
): Promise<string> {
  const response = await fetch(`${authority}/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    }),
  }).catch(() => {
    throw unreachable();
  });
  if (response.status >= 500) throw unreachable();
  const body = TokenResponse.safeParse(await response.json().catch(() => null));
  if (!response.ok || !body.success) throw refused('The identity provider did not accept the code.');
  return body.data.id_token;
}

function identityOf(payload: JWTPayload, expected: { nonce: string; tenantId: string }): Identity {
  const { nonce, tid, oid, name } = payload;
  if (typeof nonce !== 'string' || !isSameSecret(nonce, expected.nonce))
    throw refused('The ID token belongs to a different sign-in.');
  if (tid !== expected.tenantId) throw new DomainError('forbidden', 'This account belongs to another organization.');
  if (typeof oid !== 'string' || oid.trim() === '' || oid.length > OBJECT_ID_MAX_CHARACTERS) {
    throw refused('The ID token does not identify a user.');
  }
  return {
    subject: `${tid}:${oid}`,
    verifiedEmail: verifiedEmailOf(payload),
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 200) : null,
  };
}

/**
 * The address, if the tenant proves that it owns the domain (`xms_edov`) or lists the address as verified. A tenant
 * administrator can set the plain claim to anything.
 */
function verifiedEmailOf(payload: JWTPayload): string | null {
  const { email, email_verified: verified, xms_edov: domainOwned } = payload;
  if (typeof email !== 'string' || !z.regexes.email.test(email)) return null;
  const listed = [payload.verified_primary_email, payload.verified_secondary_email].flat();
  const isVerified =
    verified === true || [true, 1, '1', 'true'].includes(domainOwned as string) || listed.includes(email);
  return isVerified ? email.toLowerCase() : null;
}

function refusalOfToken(error: unknown): DomainError {
  if (error instanceof errors.JWKSTimeout) return unreachable();
  if (error instanceof errors.JOSEError) return refused('The ID token is not valid.');
  return unreachable();
}

function refused(message: string): DomainError {
  return new DomainError('unauthenticated', message);
}

function unreachable(): DomainError {
  return new DomainError('service_unavailable', 'The identity provider cannot be reached. Try again shortly.');
}
