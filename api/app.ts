// The application: middleware in order, then the operations of the route table. Opens and listens to nothing.
import cors from '@koa/cors';
import Koa from 'koa';
import { Registry } from 'prom-client';
import { remainingMs } from '../db/deadline.ts';
import { watchFlags } from '../db/flag-cache.ts';
import { createKvTable } from '../db/kv-store.ts';
import { listenTo } from '../db/listener.ts';
import { showPresence } from '../db/presence.ts';
import { sanctionsList } from '../db/queries/submission/sanctions.ts';
import { createRateLimiter } from '../http/rate-counters.ts';
import { createRefusalTally } from '../http/refusals.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { createCardProcessor } from '../providers/card-processor.ts';
import { createAnalyst } from '../providers/classifier/analyst.ts';
import { createIdentityVerifier } from '../providers/identity/persona.ts';
import { createKvStore } from '../providers/kv.ts';
import { createMail } from '../providers/mail.ts';
import { createDocumentReader } from '../providers/reading/reader.ts';
import { createStorage } from '../providers/storage.ts';
import { createTableScreening } from '../providers/table-screening.ts';
import { createTypesetter } from '../providers/typesetting/typesetter.ts';
import { createWebhookSender } from '../providers/webhooks/sender.ts';
import { callRecorder, refusalRecorder } from './credentials/audit.ts';
import { createAuthenticator } from './credentials/caller.ts';
import { createOrganizationDirectory } from './credentials/organizations.ts';
import { createTokenVerifier } from './credentials/tokens.ts';
import { createUserStanding } from './credentials/user-standing.ts';
import { createReference } from './reference/reference.ts';
import { ROUTES } from './routes/index.ts';
import { createHandshake } from './sockets/handshake.ts';
import { type HubParts, RoomHub } from './sockets/room-hub.ts';
import { createTicketIssuer, orByTicket } from './sockets/tickets.ts';
import { Background } from './spine/background.ts';
import type { AppDeps, RuntimeDeps } from './spine/deps.ts';
import { createGate } from './spine/gate.ts';
import { detailPathsOf } from './spine/links.ts';
import { compressAnswers } from './spine/middleware/compress.ts';
import { answerErrors } from './spine/middleware/errors.ts';
import { keepRequests } from './spine/middleware/keep-requests.ts';
import { observeRequests } from './spine/middleware/observe.ts';
import { rateTheRest } from './spine/middleware/rate-limit.ts';
import { nameRequests } from './spine/middleware/request-id.ts';
import type { Middleware, RequestState } from './spine/middleware/state.ts';
import { traceRequests } from './spine/middleware/trace.ts';
import { createRequestLog } from './spine/request-log.ts';
import type { Route } from './spine/route.ts';
import { routerOf } from './spine/router.ts';

/** How stale a caller's organization may be. The test clock moves it, so it is kept fresher outside production. */
const ORGANIZATION_KEEP_MS = { production: 5_000, sandbox: 1_000, local: 1_000 } as const;

const CORS_MAX_AGE_SECONDS = 600;
const EXPOSED_HEADERS = [
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Retry-After',
  'Sunset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** What the application is built from; it has every platform operation by default. */
export interface AppParts extends AppDeps {
  routes?: readonly Route[];
}

export interface App {
  /** Returns the listener for an HTTP server. */
  callback: Koa['callback'];
  /** Closes the open sockets; otherwise the server would wait for their clients. */
  endSockets: () => Promise<void>;
  /** Lets background work finish and closes what the application itself opened. */
  close: () => Promise<void>;
}

/** Builds the application from its parts. */
export function createApp(deps: AppParts): App {
  const { config, database, logger, now } = deps;
  const { environment } = config;
  const limiter = createRateLimiter({ kvCache: config.kvCache, logger });
  const background = new Background(logger);
  const inBackground = (what: string, work: Promise<unknown>) => background.add(what, work);
  const organizations = createOrganizationDirectory({ database, now, keepMs: ORGANIZATION_KEEP_MS[environment] });
  const adapters = adaptersOf(deps);
  const metrics = deps.metrics ?? new Registry();
  const authenticate = authenticatorOf(deps, { organizations, inBackground, kv: adapters.kv });
  const listen: HubParts['listen'] = (hear) => listenTo(config.databaseAppUrl, 'deal_rooms', hear);
  const flags = watchFlags(database, config.databaseAppUrl);
  const routes = (deps.routes ?? ROUTES).filter(({ environments }) => environments?.includes(environment) ?? true);
  const runtime: RuntimeDeps = {
    ...deps,
    metrics,
    organizations,
    inBackground,
    recordCall: callRecorder(database),
    requests: createRequestLog({ database, logger }),
    refusals: createRefusalTally({ record: refusalRecorder(database), logger }),
    ...adapters,
    presence: showPresence(config.databaseAppUrl),
    detailPaths: detailPathsOf(routes),
    reference: createReference(routes, config.baseUrl),
    rooms: new RoomHub({ database, listen, logger, registry: metrics, now }),
    handshake: createHandshake(),
    issueTicket: createTicketIssuer({ config, now }),
  };
  const app = new Koa<RequestState>({ proxy: config.trustProxy, maxIpsCount: 1 });
  app.on('error', (error: Error) => logger.warn({ err: error }, 'an answer could not be sent'));
  app.use(nameRequests());
  app.use(observeRequests({ logger, registry: runtime.metrics }));
  if (deps.tracing) app.use(traceRequests(deps.tracing));
  app.use(compressAnswers());
  if (deps.observe) app.use(showAnswers(deps.observe));
  app.use(keepRequests(runtime.requests, now));
  app.use(rateTheRest(limiter));
  app.use(answerErrors({ logger }));
  app.use(securityHeaders());
  if (deps.corsOrigins?.length) app.use(allowOrigins(deps.corsOrigins));
  for (const step of routerOf(routes, runtime, createGate(runtime, authenticate, limiter))) app.use(step);
  return {
    callback: () => app.callback(),
    endSockets: () => runtime.rooms.close(),
    close: async () => {
      await background.end();
      await flags.close();
      await closeParts(runtime);
      await limiter.close();
    },
  };
}

/** Identifies the caller by the request headers, or by a socket ticket. */
function authenticatorOf(
  { config, database, now }: AppParts,
  parts: Pick<RuntimeDeps, 'organizations' | 'inBackground' | 'kv'>,
) {
  const ensureServed = createUserStanding({ database, now });
  const verifyToken = createTokenVerifier({ secrets: config.acceptedSecrets, now });
  const { organizations, inBackground, kv } = parts;
  const byHeaders = createAuthenticator({
    ...{ config, database, organizations, verifyToken, now, inBackground, ensureServed },
  });
  return orByTicket(byHeaders, { config, kv, organizations, ensureServed, now });
}

async function closeParts(parts: RuntimeDeps): Promise<void> {
  const { requests, refusals, mail, kv, webhooks, reader, typesetter, presence } = parts;
  await requests.close();
  await refusals.close();
  await mail.close();
  await kv.close();
  await webhooks.close();
  await reader.close();
  await typesetter.close();
  await presence.close();
}

/** The providers, as passed in or as configured. */
function adaptersOf(deps: AppParts) {
  const { config, database, logger, now } = deps;
  const kv = deps.kv ?? createKvStore({ kvCache: config.kvCache, table: createKvTable(database), logger });
  return {
    identityVerifier: deps.identityVerifier ?? createIdentityVerifier(config.identityVerifier),
    mail: deps.mail ?? createMail(config),
    card: deps.card ?? createCardProcessor(config.cardProcessor),
    kv,
    webhooks: deps.webhooks ?? createWebhookSender(config.outboundPolicy),
    storage: deps.storage ?? createStorage(config),
    analyst: deps.analyst ?? createAnalyst(config.languageModel, { kv, logger, now }),
    reader: deps.reader ?? createDocumentReader(),
    screening: deps.screening ?? createTableScreening({ loadEntries: () => sanctionsList(database) }),
    typesetter: deps.typesetter ?? createTypesetter({ remainingMs }),
  };
}

function allowOrigins(origins: readonly string[]): Middleware {
  return cors({
    // Koa sets no header for an empty origin.
    origin: (ctx) => (origins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    exposeHeaders: EXPOSED_HEADERS,
    keepHeadersOnError: false,
    maxAge: CORS_MAX_AGE_SECONDS,
  });
}

/** A hook for tests: a response that breaks its contract becomes a 500 that no test overlooks. */
function showAnswers(observe: NonNullable<AppDeps['observe']>): Middleware {
  return async (ctx, next) => {
    await next();
    const { method, status, body } = ctx;
    observe({ method, pattern: ctx.state.pattern, status, isJson: ctx.response.is('json') !== false, body });
  };
}
