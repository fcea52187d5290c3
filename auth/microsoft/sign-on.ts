// Corporate single sign-on, from the portal and back. A sign-on in progress is stored in the key-value store under the
// hash of its state, works once, and belongs to the browser holding the cookie. Spec 5.5, Contract 2.
import { createHash, randomBytes } from 'node:crypto';
import { type LinkKey, openLinkToken } from '../../db/queries/access/password-links.ts';
import { type Portal, vouchesFor } from '../../domain/access/portals.ts';
import { DomainError, validationError } from '../../domain/errors.ts';
import type { Role } from '../../domain/permissions.ts';
import { isSameSecret } from '../../providers/constant-time.ts';
import { signMemberToken } from '../../providers/signed-token.ts';
import { recordPersonAudit } from '../audit.ts';
import { readCookie, writeCookie } from '../cookies.ts';
import { identityOf } from '../directory.ts';
import type { AuthReply, AuthRequest, Endpoint } from '../http/state.ts';
import type { Member } from '../members.ts';
import { allowedCallbacks, unknownCallback } from '../portals.ts';
import type { AuthService } from '../service.ts';
import { openSession } from '../sessions.ts';
import { admit, personOfIdentity } from './admission.ts';
import { createMicrosoft, type Handshake, type Identity, type IdentityProvider, MICROSOFT } from './provider.ts';

const RETURN_PATH = '/api/auth/callback/microsoft';
const HANDSHAKE_SECONDS = 600;
const SECRET_BYTES = 32;
const PARAMETER_MAX_CHARACTERS = 4_000;

interface SignOn {
  service: AuthService;
  provider: IdentityProvider | null;
  portalOf: (address: string) => Portal | null;
}

/** Only the hash of an invitation is stored. */
type KeptHandshake = Pick<Handshake, 'nonce' | 'codeVerifier'> & { callbackUrl: string; invitation: LinkKey | null };

/** The two endpoints of single sign-on. */
export function microsoftEndpoints(service: AuthService): Endpoint[] {
  const { config } = service;
  const signOn: SignOn = {
    service,
    portalOf: allowedCallbacks(config),
    provider: config.microsoft && createMicrosoft(config.microsoft, `${config.authUrl}${RETURN_PATH}`),
  };
  return [
    { method: 'GET', path: '/api/auth/sign-in/microsoft', handler: (request) => start(signOn, request) },
    { method: 'GET', path: RETURN_PATH, handler: (request) => finish(signOn, request) },
  ];
}

/**
 * With `invitation`, an invitation token, the return accepts it.
 * @throws DomainError validation_failed for a callback that is not a portal's, not_found if it is not set up
 */
async function start({ service, provider, portalOf }: SignOn, { query }: AuthRequest): Promise<AuthReply> {
  const callbackUrl = query.get('callbackURL');
  if (callbackUrl === null) throw validationError('callbackURL', 'required', 'callbackURL is required.');
  if (portalOf(callbackUrl) === null) throw unknownCallback();
  if (provider === null) throw new DomainError('not_found', 'Single sign-on is not set up here.');
  const handshake: Handshake = { state: randomSecret(), nonce: randomSecret(), codeVerifier: randomSecret() };
  const { nonce, codeVerifier, state } = handshake;
  const invitation = openLinkToken(query.get('invitation') ?? '');
  const kept: KeptHandshake = { nonce, codeVerifier, callbackUrl, invitation };
  await service.kv.put(keyOf(state), kept, HANDSHAKE_SECONDS);
  return {
    status: 302,
    location: provider.authorizationUrl(handshake),
    cookies: [stateCookie(service, state, HANDSHAKE_SECONDS)],
  };
}

/**
 * Without a sign-on in progress there is nowhere to send the user, so this is an error. Otherwise they return to the
 * portal, with a token or with `?error=` and a code from the catalogue.
 */
async function finish(signOn: SignOn, request: AuthRequest): Promise<AuthReply> {
  const { service, portalOf } = signOn;
  const state = parameter(request, 'state');
  const cookie = readCookie(request.cookieHeader, cookieName(state));
  if (cookie === null || !isSameSecret(cookie, state)) throw notUnderWay();
  const kept = await service.kv.take<KeptHandshake>(keyOf(state));
  const portal = kept && portalOf(kept.callbackUrl);
  if (!kept || !portal) throw notUnderWay();
  const cleared = stateCookie(service, '', 0, state);
  let identity: Identity | null = null;
  try {
    identity = await identify(signOn, request, { ...kept, state });
    const { token, cookies } = await enter(service, request, { identity, portal, invitation: kept.invitation });
    return { status: 302, location: withParameter(kept.callbackUrl, 'token', token), cookies: [...cookies, cleared] };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await recordRefusal(service, request, identity, error);
    return { status: 302, location: withParameter(kept.callbackUrl, 'error', error.code), cookies: [cleared] };
  }
}

async function identify({ provider }: SignOn, request: AuthRequest, handshake: Handshake): Promise<Identity> {
  if (provider === null) throw new DomainError('not_found', 'Single sign-on is not set up here.');
  if (request.query.get('error') !== null)
    throw new DomainError('unauthenticated', 'The identity provider refused the sign-in.');
  return provider.identify(parameter(request, 'code'), handshake);
}

async function enter(
  service: AuthService,
  request: AuthRequest,
  { identity, portal, invitation }: { identity: Identity; portal: Portal; invitation: LinkKey | null },
): Promise<{ token: string; cookies: readonly string[] }> {
  const admits = (role: Role) => vouchesFor(portal.secret, role);
  const member = await admit(service.accounts, { identity, invitation, admits, requestId: request.requestId });
  if (!admits(member.role)) {
    throw new DomainError('forbidden', `The portal ${portal.name} does not let users with this role sign in.`);
  }
  return openFor(service, request, { member, portal });
}

/** Recorded in each organization of the person named by the provider; only counted if that person is unknown. */
async function recordRefusal(
  { accounts, refusals }: AuthService,
  { requestId, client }: AuthRequest,
  identity: Identity | null,
  { code, message }: DomainError,
): Promise<void> {
  const person = identity && (await personOfIdentity(accounts, identity));
  if (person === null) return refusals.add({ orgId: null, client, reason: `sign-on: ${code}` });
  await recordPersonAudit(accounts, person, { action: 'sign_on:refused', requestId, changes: { reason: message } });
}

async function openFor(
  service: AuthService,
  request: AuthRequest,
  { member, portal }: { member: Member; portal: Portal },
): Promise<{ token: string; cookies: readonly string[] }> {
  const credential = await identityOf(service.accounts, member.personId, MICROSOFT);
  const { body, cookies = [] } = await openSession(service, request, { member, credential, status: 200 });
  const { session } = body as { session: { id: string } };
  const { config, now } = service;
  const facts = { id: session.id, issuedAtMs: now() };
  const token = await signMemberToken(config[portal.secret], { ...member, userId: member.id }, facts);
  return { token, cookies };
}

/** A parameter of the address the user came back to. @throws DomainError validation_failed */
function parameter({ query }: AuthRequest, name: string): string {
  const value = query.get(name) ?? '';
  if (value === '') throw validationError(name, 'required', `${name} is required.`);
  if (value.length > PARAMETER_MAX_CHARACTERS) throw validationError(name, 'max', `${name} is too long.`);
  return value;
}

function notUnderWay(): DomainError {
  return new DomainError(
    'unauthenticated',
    'This browser has no sign-in in progress. It was already used or has expired.',
  );
}

function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.toString();
}

function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}

function keyOf(state: string): string {
  return `sign-on:${hashOf(state)}`;
}

/** Two sign-ons in two windows each have a cookie. */
function cookieName(state: string): string {
  return `svc_sign_on_${hashOf(state).slice(0, 8)}`;
}

function stateCookie({ config }: AuthService, value: string, maxAgeSeconds: number, state = value): string {
  const secure = config.environment !== 'local';
  return writeCookie({ name: cookieName(state), value, path: RETURN_PATH, maxAgeSeconds, secure });
}
