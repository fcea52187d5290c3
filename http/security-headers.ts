// The headers that protect answers of both services. JSON is never a page: it may not load, be framed or run, and
// browsers that came over TLS once must stay on TLS. Headers that only concern pages are left out.
import helmet from 'koa-helmet';

/**
 * Makes the middleware that sets the headers. `Strict-Transport-Security` is sent always: without TLS browsers ignore
 * it.
 */
export function securityHeaders() {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}
