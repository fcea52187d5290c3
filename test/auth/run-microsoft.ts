// A tenant of the corporate identity provider, speaking the real protocol on this machine.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { OAuth2Server } from 'oauth2-mock-server';
import type { Browser, Page } from './browser.ts';

const TENANT = '7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2910';
export const OTHER_TENANT = '00000000-1111-4222-8333-444444444444';
const OWN_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

export interface Tenant {
  /** Variables of the service that trusts this tenant. */
  variables: Record<string, string>;
  /** Claims of the next ID tokens; an undefined claim is left out. */
  claims: Record<string, unknown>;
  /** Whether the token endpoint refuses the next code instead of issuing a token. */
  refuseCode: boolean;
  /** What an attacker between the provider and us makes of the next ID tokens. */
  forge: ((idToken: string) => string) | null;
  stop(): Promise<void>;
}

/** Starts the provider; the caller stops it. */
export async function runMicrosoft(): Promise<Tenant> {
  const endpoints = {
    authorize: `/${TENANT}/oauth2/v2.0/authorize`,
    token: `/${TENANT}/oauth2/v2.0/token`,
    jwks: `/${TENANT}/discovery/v2.0/keys`,
  };
  const server = new OAuth2Server(undefined, undefined, { endpoints });
  await server.issuer.keys.generate('RS256');
  await server.start(0, 'localhost');
  const authority = `http://localhost:${server.address().port}`;
  server.issuer.url = `${authority}/${TENANT}/v2.0`;
  const tenant: Tenant = {
    variables: {
      MICROSOFT_TENANT_ID: TENANT,
      MICROSOFT_CLIENT_ID: 'bindery-test',
      MICROSOFT_CLIENT_SECRET: 'secret of the application',
      MICROSOFT_AUTHORITY: authority,
    },
    claims: {},
    refuseCode: false,
    forge: null,
    stop: () => server.stop(),
  };
  server.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, { tid: TENANT }, tenant.claims);
    for (const [name, value] of Object.entries(tenant.claims)) if (value === undefined) delete token.payload[name];
  });
  server.service.on('beforeResponse', (response: { statusCode: number; body: unknown }) => {
    const { id_token: idToken } = response.body as { id_token?: string };
    if (tenant.forge && idToken) Object.assign(response.body as object, { id_token: tenant.forge(idToken) });
    if (tenant.refuseCode) Object.assign(response, { statusCode: 400, body: { error: 'invalid_grant' } });
  });
  return tenant;
}

/** Follows a sign-on up to the return to the service: the address that the provider sends the browser to. */
export async function goToProvider(
  browser: Browser,
  callbackUrl: string,
  more: Record<string, string> = {},
): Promise<string> {
  const query = new URLSearchParams({ callbackURL: callbackUrl, ...more });
  const start = await browser.get(`/api/auth/sign-in/microsoft?${query}`);
  if (start.location === null) throw new Error(`no redirect but ${start.status}`);
  const authorized = await fetch(start.location, { redirect: 'manual' });
  return authorized.headers.get('location') ?? '';
}

/** Signs on and returns the answer with which the service sends the browser back to the portal. */
export async function signOn(browser: Browser, callbackUrl: string, more: Record<string, string> = {}): Promise<Page> {
  return browser.get(await goToProvider(browser, callbackUrl, more));
}

/** An ID token with another header or other claims, not signed by the provider. */
export const FORGERIES: [string, (token: string) => string][] = [
  ['an edited token', (token) => resigned(token, {}, (_text, signature) => signature, { oid: 'somebody-else' })],
  ['no signature', (token) => resigned(token, { alg: 'none' }, () => '')],
  ['half a signature', (token) => resigned(token, {}, (_text, signature) => signature.slice(0, 100))],
  ['a key of its own', (token) => resigned(token, {}, (text) => sign('sha256', text, OWN_KEY).toString('base64url'))],
  [
    'the secret of the application',
    (token) =>
      resigned(token, { alg: 'HS256' }, (text) =>
        createHmac('sha256', 'secret of the application').update(text).digest('base64url'),
      ),
  ],
];

/** Changes header or claims of a token and signs it again. */
export function resigned(
  token: string,
  header: object,
  signatureOf: (text: Buffer, signature: string) => string,
  claims: object = {},
): string {
  const [head = '', body = '', signature = ''] = token.split('.');
  const changed = (part: string, more: object) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...more })).toString(
      'base64url',
    );
  const text = `${changed(head, header)}.${changed(body, claims)}`;
  return `${text}.${signatureOf(Buffer.from(text), signature)}`;
}
