// Where single sign-on may send a token, and the callback with which a portal turns it into its own cookie. Spec 5.5.2,
// 5.6, Contract 2, 3.8.
import type { AuthConfig } from '../config.ts';
import { PORTALS, type Portal } from '../domain/access/portals.ts';
import { DomainError, validationError } from '../domain/errors.ts';
import { readCookie, writeCookie } from './cookies.ts';
import type { AuthReply, AuthRequest, Endpoint } from './http/state.ts';
import type { AuthService } from './service.ts';
import { verifyPortalToken } from './tokens.ts';

const CALLBACK_PATH = '/api/auth/callback';

/** Returns the path of a portal's callback at this service. */
function portalCallbackPath(portal: Portal): string {
  return `${portalPath(portal)}${CALLBACK_PATH}`;
}

/**
 * Builds the lookup of the portal for an address. Addresses are compared in full as text, so that no parsing trick can
 * fool it.
 */
export function allowedCallbacks(
  config: Pick<AuthConfig, 'authUrl' | 'portalOrigins'>,
): (address: string) => Portal | null {
  const portals = new Map<string, Portal>();
  const authUrl = config.authUrl.replace(/\/+$/, '');
  for (const portal of PORTALS) {
    portals.set(`${authUrl}${portalCallbackPath(portal)}`, portal);
    const origin = config.portalOrigins.get(portal.name);
    if (origin !== undefined) portals.set(`${origin}${CALLBACK_PATH}`, portal);
  }
  return (address) => portals.get(address) ?? null;
}

/** Builds the refusal of an address outside every portal. */
export function unknownCallback(): DomainError {
  return validationError('callbackURL', 'enum', 'callbackURL is not the callback of a portal that is registered here.');
}

/** The endpoints of every portal: the callback, and a dashboard to land on that shows who is signed in. */
export function portalEndpoints(service: AuthService): Endpoint[] {
  return PORTALS.flatMap((portal): Endpoint[] => [
    { method: 'GET', path: portalCallbackPath(portal), handler: (request) => receiveToken(service, portal, request) },
    {
      method: 'GET',
      path: `${portalPath(portal)}/dashboard`,
      handler: (request) => dashboard(service, portal, request),
    },
  ]);
}

/** @throws DomainError unauthenticated, forbidden when single sign-on says so */
async function receiveToken(service: AuthService, portal: Portal, request: AuthRequest): Promise<AuthReply> {
  const { query } = request;
  const error = query.get('error');
  if (error === 'forbidden') throw new DomainError('forbidden', 'This account has no access to the portal.');
  if (error !== null) throw new DomainError('unauthenticated', 'The sign-in did not succeed.');
  const token = query.get('token');
  if (token === null) throw new DomainError('unauthenticated', 'The request has no token.');
  const { config, now } = service;
  const { expiresAtSeconds } = await verifyPortalToken(service, portal, token, request);
  const cookie = writeCookie({
    name: portal.cookie,
    value: token,
    path: portalPath(portal),
    maxAgeSeconds: Math.max(0, expiresAtSeconds - Math.floor(now() / 1000)),
    secure: config.environment !== 'local',
  });
  return { status: 302, cookies: [cookie], location: `${portalPath(portal)}/dashboard` };
}

/** @throws DomainError unauthenticated */
async function dashboard(service: AuthService, portal: Portal, request: AuthRequest): Promise<AuthReply> {
  const token = readCookie(request.cookieHeader, portal.cookie);
  if (token === null) throw new DomainError('unauthenticated', 'Nobody is signed in to this portal.');
  const { subject, orgId, role, expiresAtSeconds } = await verifyPortalToken(service, portal, token, request);
  const expiresAt = new Date(expiresAtSeconds * 1000).toISOString();
  return { status: 200, body: { portal: portal.name, sub: subject, orgId, role, expiresAt } };
}

function portalPath({ name }: Portal): string {
  return `/portals/${name}`;
}
