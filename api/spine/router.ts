// Builds the router from the route table, and the responses for anything not in it. Contract 1 "Order of checks".
import Router from '@koa/router';
import { DomainError } from '../../domain/errors.ts';
import type { RuntimeDeps } from './deps.ts';
import type { Gate } from './gate.ts';
import type { Middleware, RequestState } from './middleware/state.ts';
import { pipelineOf } from './pipeline.ts';
import type { Route } from './route.ts';
import { notFound } from './validation.ts';

/** The operations whose patterns begin the same way. */
interface Resource {
  router: Router<RequestState>;
  dispatch: Middleware;
}

/** `/v1/policies/:id` → `/v1/policies`: what a path begins with says which few operations it can be. */
const PAGE_WITH_SLASH = /^\/docs(?:\/guides(?:\/[a-z-]+)?)?\/$/;
const RESOURCE = /^\/[^/]*(\/[^/]*)?/;

/**
 * Builds the middleware that finds the operation of a request: 404 for an unknown path, then 405 with `Allow`, both
 * before any credential is looked at. A literal segment comes before a parameter.
 * @throws Error when two operations share a name, or a method and a path
 */
export function routerOf(routes: readonly Route[], deps: RuntimeDeps, gate: Gate): Middleware[] {
  ensureDistinct(routes);
  const resources = new Map<string, Resource>();
  for (const [resource, alike] of Map.groupBy(routes, ({ pattern }) => resourceOf(pattern))) {
    if (resource.includes(':')) throw new Error(`${resource} begins with a parameter`);
    const router = new Router<RequestState>({ exclusive: 'specificity', sensitive: true, strict: true });
    for (const route of alike) {
      router[route.method](route.pattern, pipelineOf(route, deps, gate) as Parameters<typeof router.get>[1]);
    }
    resources.set(resource, { router, dispatch: router.routes() as unknown as Middleware });
  }
  const find = (path: string) => resources.get(resourceOf(path));
  return [pointToPage, (ctx, next) => find(ctx.path)?.dispatch(ctx, next) ?? next(), refuseUnmatched(find)];
}

/**
 * Redirects people who add a trailing slash to the address of a page. The redirect is relative: a proxy may serve the
 * API below its own path.
 */
const pointToPage: Middleware = async (ctx, next) => {
  if (ctx.method !== 'GET' || !PAGE_WITH_SLASH.test(ctx.path)) {
    await next();
    return;
  }
  ctx.status = 308;
  ctx.set('Location', `../${ctx.path.split('/').at(-2)}`);
};

function resourceOf(path: string): string {
  return RESOURCE.exec(path)?.[0] ?? '';
}

function ensureDistinct(routes: readonly Route[]): void {
  const names = new Set<string>();
  for (const route of routes) {
    for (const name of [route.operationId, `${route.method} ${route.pattern}`]) {
      if (names.has(name)) throw new Error(`Two operations are named ${name}`);
      names.add(name);
    }
  }
}

function refuseUnmatched(find: (path: string) => Resource | undefined): Middleware {
  return (ctx) => {
    const matched = find(ctx.path)?.router.match(ctx.path, ctx.method).path ?? [];
    if (matched.length === 0) throw notFound('path');
    const allowed = [...new Set(matched.flatMap((layer) => layer.methods)), 'OPTIONS'].sort();
    ctx.set('Allow', allowed.join(', '));
    if (ctx.method !== 'OPTIONS') {
      throw new DomainError('method_not_allowed', `This path allows ${allowed.join(', ')}.`, { allowed });
    }
    ctx.status = 204;
  };
}
