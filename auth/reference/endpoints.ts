// The reference of the authentication service: its document, and the page to browse it.
import { type Asset, assetOf } from '../../http/reference/asset.ts';
import { VIEWER, VIEWER_FILES, viewerPage } from '../../http/reference/viewer.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { AuthReply, Endpoint } from '../http/state.ts';
import { authDocument } from './document.ts';

const { version } = manifest;

/** Adds the endpoints that describe the others, and themselves. */
export function withReference(endpoints: readonly Endpoint[], serverUrl: string): Endpoint[] {
  const document = assetOf('application/json', () => JSON.stringify(authDocument(all, serverUrl)));
  const all: Endpoint[] = [
    ...endpoints,
    { method: 'GET', path: '/', handler: async () => ({ status: 200, body: frontFacts(serverUrl) }) },
    { method: 'GET', path: '/openapi.json', handler: served(document) },
    { method: 'GET', path: '/docs', handler: async () => page() },
    ...VIEWER_FILES.map(
      (file): Endpoint => ({ method: 'GET', path: `/docs/files/${file}`, handler: served(VIEWER[file]) }),
    ),
  ];
  return all;
}

/** The page at the address a newcomer tries first: what this is, and where to go from here. */
function frontFacts(serverUrl: string) {
  const at = (path: string) => new URL(path, serverUrl).href;
  return {
    name: 'Bindery authentication',
    version,
    description: 'Who signs in, and the token with which they call the API. Start with the reference.',
    links: { reference: at('/docs'), openapi: at('/openapi.json'), health: at('/healthz') },
  };
}

function served(asset: Asset): Endpoint['handler'] {
  return async ({ acceptEncoding }) => {
    const { body, headers, etag } = await asset(acceptEncoding);
    return { status: 200, body, headers: { ...headers, ETag: `"${etag}"` } };
  };
}

function page(): AuthReply {
  const { html, policy } = viewerPage({
    ...{ title: 'Bindery authentication', files: 'docs/files', document: 'openapi.json', links: [] },
  });
  return {
    status: 200,
    body: html,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
  };
}
