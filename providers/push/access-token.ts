// Gets access tokens for a Google service account: it signs an assertion and receives a token valid for an hour.
import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { callProvider, jsonOf, providerUnavailable } from '../provider-call.ts';

const PROVIDER = 'The push service';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFETIME_SECONDS = 3_600;
/** A token is replaced early, so that it does not expire during a call. */
const MARGIN_MS = 120_000;

export interface ServiceAccount {
  projectId: string;
  clientEmail: string;
  /** An RSA key as PEM. */
  privateKey: string;
  /** The token endpoint. */
  tokenUrl: string;
}

export interface AccessTokens {
  /** @throws DomainError service_unavailable */
  get(): Promise<string>;
  /** Drops a token that was not accepted. A newer one stays. */
  forget(token: string): void;
}

/** Keeps one token and requests the next when it is about to expire. */
export function createAccessTokens(account: ServiceAccount, now: () => number): AccessTokens {
  let kept: GivenToken | null = null;
  let fetching: Promise<GivenToken> | null = null;
  const renew = async () => {
    fetching ??= fetchToken(account, now()).finally(() => {
      fetching = null;
    });
    kept = await fetching;
    return kept.token;
  };
  return {
    get: async () => (kept !== null && kept.untilMs > now() ? kept.token : renew()),
    forget: (token) => {
      if (kept?.token === token) kept = null;
    },
  };
}

interface GivenToken {
  token: string;
  untilMs: number;
}

async function fetchToken(account: ServiceAccount, nowMs: number): Promise<GivenToken> {
  const { clientEmail, privateKey, tokenUrl } = account;
  const issuedAt = Math.floor(nowMs / 1_000);
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(createPrivateKey(privateKey));
  const body = { grant_type: GRANT, assertion };
  const response = await callProvider({
    provider: PROVIDER,
    url: new URL(tokenUrl),
    method: 'POST',
    headers: {},
    body,
  });
  const answer = (await jsonOf(PROVIDER, response)) as { access_token?: unknown; expires_in?: unknown };
  if (typeof answer.access_token !== 'string') throw providerUnavailable(PROVIDER);
  const seconds = typeof answer.expires_in === 'number' ? answer.expires_in : LIFETIME_SECONDS;
  return { token: answer.access_token, untilMs: nowMs + seconds * 1_000 - MARGIN_MS };
}
