// The headers that protect answers of both services. JSON is never a page: nothing of it may be loaded, framed or run,
// and browsers that came over TLS once come over TLS only. What concerns pages alone is left out.
import helmet from 'koa-helmet';

/** Makes the middleware that sets them. `Strict-Transport-Security` is sent always: without TLS browsers ignore it. */
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
