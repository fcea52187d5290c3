// How a service account of Google gets a token for its calls: it signs who it is, and is given a token for an hour.
import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { callProvider, jsonOf, unavailable } from '../provider-call.ts';

const PROVIDER = 'The push service';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFETIME_SECONDS = 3_600;
/** A token is replaced before it ends while a call is under way. */
const MARGIN_MS = 120_000;

export interface ServiceAccount {
  projectId: string;
  clientEmail: string;
  /** PEM, of an RSA key. */
  privateKey: string;
  /** Where tokens are given. */
  tokenUrl: string;
}

export interface AccessTokens {
  /** @throws DomainError service_unavailable */
  get(): Promise<string>;
  /** The present token is not accepted. */
  forget(): void;
}

/** Keeps one token and asks for the next when it is about to end. */
export function createAccessTokens(account: ServiceAccount, now: () => number): AccessTokens {
  let kept: { token: Promise<string>; untilMs: number } | null = null;
  const forget = () => {
    kept = null;
  };
  return {
    forget,
    get: () => {
      if (kept !== null && kept.untilMs > now()) return kept.token;
      const token = fetchToken(account, Math.floor(now() / 1_000));
      kept = { token, untilMs: now() + LIFETIME_SECONDS * 1_000 - MARGIN_MS };
      token.catch(forget);
      return token;
    },
  };
}

async function fetchToken({ clientEmail, privateKey, tokenUrl }: ServiceAccount, issuedAt: number): Promise<string> {
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
  const { access_token: token } = (await jsonOf(PROVIDER, response)) as { access_token?: unknown };
  if (typeof token !== 'string') throw unavailable(PROVIDER);
  return token;
}
