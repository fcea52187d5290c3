// The addresses that answers carry in their headers: of what a POST has made, and of the next page. RFC 9110, RFC 8288.
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { Route } from './route.ts';

/** Finds the operations that read one resource: prefix of its id → path up to the id. */
export function detailPathsOf(routes: readonly Route[]): ReadonlyMap<string, string> {
  const prefixes: Readonly<Record<string, string>> = ID_PREFIXES;
  const details = routes.flatMap(({ method, path, pattern, access }): [string, string][] => {
    const name = access.kind === 'organization' ? access.resource?.name : undefined;
    const prefix = name === undefined ? undefined : prefixes[name];
    const isDetail = method === 'get' && /^\/[\w-]+\/:id$/.test(path) && prefix !== undefined;
    return isDetail ? [[prefix, pattern.slice(0, -':id'.length)]] : [];
  });
  return new Map(details);
}

/** Gives the `Location` of what a body names by its `id`, or after a bind by its `policyId`; null if it has none. */
export function locationOf(body: unknown, paths: ReadonlyMap<string, string>): string | null {
  const { id, policyId } = (body ?? {}) as { id?: unknown; policyId?: unknown };
  const made = id ?? policyId;
  const path = typeof made === 'string' ? paths.get(made.slice(0, made.indexOf('_'))) : undefined;
  return path === undefined ? null : `${path}${made}`;
}

/** Gives the `Link` to the next page of a list, with the filters of the present one; null on the last page. */
export function nextPageLink(path: string, search: string, body: unknown): string | null {
  const cursor = (body as { nextCursor?: unknown } | null)?.nextCursor;
  if (typeof cursor !== 'string') return null;
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return `<${path}?${query}>; rel="next"`;
}
