// The authentication service as a Koa application: middleware in order, and a table of endpoints. Only endpoints in the
// table exist, whatever else the library could serve. Spec 4.1, Contract 1, 3.8.
import cors from '@koa/cors';
import Koa from 'koa';
import type { AuthConfig } from '../config.ts';
import { withinDeadline } from '../db/deadline.ts';
import { DomainError } from '../domain/errors.ts';
import { isKnown } from '../http/known-answer.ts';
import { createProbeLimiter, createRateLimiter } from '../http/rate-counters.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { AuthDeps } from './deps.ts';
import { readJson } from './http/body.ts';
import { answerErrors, keepNothing, logRequests, nameRequests } from './http/middleware.ts';
import { limitRates } from './http/rate-limit.ts';
import type { AuthReply, AuthRequest, Endpoint, RequestContext, RequestState } from './http/state.ts';
import { microsoftEndpoints } from './microsoft/sign-on.ts';
import { acceptInvitation, listOrganizations, switchOrganization } from './organizations.ts';
import { requestPasswordReset, resetPassword } from './passwords.ts';
import { portalEndpoints } from './portals.ts';
import { withReference } from './reference/endpoints.ts';
import { type AuthService, createAuthService } from './service.ts';
import { getSession, signIn, signOut, signUp } from './sessions.ts';

/** How long a caller waits for the database before a 503. */
const CALLER_WAITS_MS = 15_000;
const USER_AGENT_MAX_CHARACTERS = 300;
const PREFLIGHT_MAX_AGE_SECONDS = 600;
const LOOPBACK_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

export interface AuthApp {
  app: Koa<RequestState>;
  /** Closes what the application itself opened. */
  close: () => Promise<void>;
}

/** Builds the application. It opens no port and no database. */
export function createAuthApp(deps: AuthDeps): AuthApp {
  const service = createAuthService(deps);
  const { config, logger } = deps;
  const limiter = createRateLimiter({ kvCache: config.kvCache, logger });
  const isAllowed = allowedOrigins(config);
  // Behind a proxy the last entry of X-Forwarded-For comes from the proxy; everything before it, from the client.
  const app = new Koa<RequestState>({ proxy: config.trustProxy, maxIpsCount: 1 });
  app.on('error', (error: Error) => logger.warn({ err: error }, 'an answer could not be sent'));
  app.use(nameRequests());
  app.use(logRequests(logger));
  app.use(keepNothing());
  app.use(securityHeaders());
  app.use(answerErrors(logger));
  app.use(
    cors({
      origin: (ctx) => (isAllowed(ctx.get('origin')) ? ctx.get('origin') : ''),
      credentials: true,
      allowMethods: 'GET,POST',
      maxAge: PREFLIGHT_MAX_AGE_SECONDS,
      keepHeadersOnError: false,
    }),
  );
  app.use(limitRates(config, limiter, createProbeLimiter(logger)));
  app.use(dispatch(endpointsOf(service), isAllowed));
  const close = async () => {
    await service.refusals.close();
    await limiter.close();
  };
  return { app, close };
}

/** The table of endpoints that the service serves and the tests walk. */
export function endpointsOf(service: AuthService): Endpoint[] {
  const endpoints: Endpoint[] = [
    { method: 'GET', path: '/healthz', handler: async () => ({ status: 200, body: { status: 'ok' } }) },
    { method: 'POST', path: '/api/auth/sign-up/email', handler: (request) => signUp(service, request) },
    { method: 'POST', path: '/api/auth/sign-in/email', handler: (request) => signIn(service, request) },
    { method: 'POST', path: '/api/auth/sign-out', handler: (request) => signOut(service, request) },
    { method: 'GET', path: '/api/auth/get-session', handler: (request) => getSession(service, request) },
    {
      method: 'POST',
      path: '/api/auth/request-password-reset',
      handler: (request) => requestPasswordReset(service, request),
    },
    { method: 'POST', path: '/api/auth/reset-password', handler: (request) => resetPassword(service, request) },
    {
      method: 'POST',
      path: '/api/auth/accept-invitation',
      handler: (request) => acceptInvitation(service, request),
    },
    { method: 'GET', path: '/api/auth/organizations', handler: (request) => listOrganizations(service, request) },
    { method: 'POST', path: '/api/auth/switch', handler: (request) => switchOrganization(service, request) },
    ...microsoftEndpoints(service),
    ...portalEndpoints(service),
  ];
  return withReference(endpoints, service.config.authUrl);
}

/** The origins that may call with the user's cookies: the portals, and local pages in a local installation. */
function allowedOrigins({ authUrl, environment, portalOrigins }: AuthConfig): (origin: string) => boolean {
  const origins = new Set([new URL(authUrl).origin, ...portalOrigins.values()]);
  return (origin) => origins.has(origin) || (environment === 'local' && LOOPBACK_ORIGIN.test(origin));
}

/** Finds the endpoint, and ensures that a write comes from one of our own pages or no page at all. */
function dispatch(endpoints: readonly Endpoint[], isAllowed: (origin: string) => boolean) {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  return async (ctx: RequestContext): Promise<void> => {
    const found = byPath.get(ctx.path) ?? [];
    if (found.length === 0) throw new DomainError('not_found', 'There is nothing at this address.');
    ctx.state.pattern = ctx.path;
    const endpoint = found.find(({ method }) => method === (ctx.method === 'HEAD' ? 'GET' : ctx.method));
    if (endpoint === undefined) {
      const allowed = found.map(({ method }) => method);
      ctx.set('Allow', allowed.join(', '));
      throw new DomainError('method_not_allowed', `${ctx.method} is not possible here.`, { allowed });
    }
    const origin = ctx.get('origin');
    if (endpoint.method === 'POST' && origin !== '' && !isAllowed(origin)) {
      throw new DomainError('forbidden', 'Pages from this origin may not call this service.', { permission: 'origin' });
    }
    const request = await readRequest(ctx, endpoint);
    send(ctx, await withinDeadline(CALLER_WAITS_MS, () => endpoint.handler(request)));
  };
}

async function readRequest(ctx: RequestContext, { method }: Endpoint): Promise<AuthRequest> {
  return {
    requestId: ctx.state.requestId,
    body: method === 'POST' ? await readJson(ctx.req) : undefined,
    query: new URLSearchParams(ctx.querystring),
    cookieHeader: ctx.get('cookie'),
    acceptEncoding: ctx.req.headers['accept-encoding'],
    userAgent: ctx.get('user-agent').slice(0, USER_AGENT_MAX_CHARACTERS),
    clientAddress: ctx.ip,
    client: ctx.state.client,
  };
}

function send(ctx: RequestContext, { status, body, headers = {}, cookies = [], location }: AuthReply): void {
  ctx.set(headers);
  if (cookies.length > 0) ctx.set('Set-Cookie', [...cookies]);
  if (location !== undefined) ctx.set('Location', location);
  ctx.body = body ?? '';
  ctx.status = status;
  if (isKnown(ctx.req.headers['if-none-match'], headers.ETag)) ctx.status = 304;
}
