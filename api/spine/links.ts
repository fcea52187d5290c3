// The addresses in response headers: of what a POST created, and of the next page. RFC 9110, RFC 8288.
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { DetailPaths } from './deps.ts';
import type { Route } from './route.ts';

/** Finds the operations that read one resource. */
export function detailPathsOf(routes: readonly Route[]): DetailPaths {
  const prefixes: Readonly<Record<string, string>> = ID_PREFIXES;
  const details = routes.filter(({ method, path }) => method === 'get' && /^(\/[\w-]+){1,2}\/:id$/.test(path));
  const upToId = ({ pattern }: Route) => pattern.slice(0, -':id'.length);
  const ofIds = details.flatMap((route): [string, string][] => {
    const name = route.access.kind === 'organization' ? route.access.resource?.name : undefined;
    const prefix = name === undefined ? undefined : prefixes[name];
    return prefix === undefined || !/^\/[\w-]+\/:id$/.test(route.path) ? [] : [[prefix, upToId(route)]];
  });
  return {
    ofCollections: new Map(details.map((route) => [route.path.slice(0, -'/:id'.length), upToId(route)])),
    ofIds: new Map(ofIds),
  };
}

/**
 * Returns the `Location` of what a body identifies by `id`, or after a bind by `policyId`: below the collection it was
 * added to, or where others of its kind are read. Null if it has none.
 */
export function locationOf(body: unknown, path: string, { ofCollections, ofIds }: DetailPaths): string | null {
  const { id, policyId } = (body ?? {}) as { id?: unknown; policyId?: unknown };
  const made = id ?? policyId;
  if (typeof made !== 'string') return null;
  const place = ofCollections.get(path) ?? ofIds.get(made.slice(0, made.indexOf('_')));
  return place === undefined ? null : `${place}${made}`;
}

/** Returns the `Link` to the next page of a list, with the filters of the current one; null on the last page. */
export function nextPageLink(path: string, search: string, body: unknown): string | null {
  const cursor = (body as { nextCursor?: unknown } | null)?.nextCursor;
  if (typeof cursor !== 'string') return null;
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return `<${path}?${query}>; rel="next"`;
}
