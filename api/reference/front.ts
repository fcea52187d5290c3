// The pages at the two addresses a newcomer tries first: `/` and `/v1`.
import type { Route } from '../spine/route.ts';
import type { Facts } from './contents.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';

/** What this service is, and where to go from here. */
export function frontFacts(serverUrl: string, version: string): Facts {
  const at = (path: string) => new URL(path, serverUrl).href;
  return {
    name: 'Bindery',
    version,
    description:
      'The backend of a managing general agent: from a submission to a bound policy, and everything after it.',
    links: {
      api: at('/v1'),
      reference: at('/docs'),
      guides: at('/docs/guides'),
      openapi: at('/openapi.json'),
      health: at('/healthz'),
      readiness: at('/readyz'),
    },
  };
}

/** What is below `/v1`: its lists, by name. */
export function apiFacts(routes: readonly Route[], serverUrl: string, version: string): Facts {
  const lists = routes.filter(
    ({ method, mount, path }) => method === 'get' && mount === 'v1' && /^\/[\w-]+$/.test(path),
  );
  const links = lists.map(({ path, pattern }) => [path.slice(1), new URL(pattern, serverUrl).href]);
  return {
    name: 'Bindery API',
    version: `v1 of ${version}`,
    description:
      'Every call below needs a credential: `Authorization: Bearer <token or API key>`. Start with the reference.',
    links: {
      reference: new URL('/docs', serverUrl).href,
      openapi: new URL('/openapi.json', serverUrl).href,
      ...Object.fromEntries(links),
    },
  };
}

/** Shows the facts as a page. */
export function frontPage({ name, version, description, links }: Facts): string {
  const items = Object.entries(links).map(([title, href]) => html`<li><a href="${href}">${title}</a></li>`);
  return framed(name, html`<h1>${name}</h1><p>${description}</p><ul>${items}</ul><p>Version ${version}</p>`);
}
