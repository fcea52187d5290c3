// What the API says about itself: its document, the page to browse it, the guides. Built on the first request.

import { type Asset, assetOf } from '../../http/reference/asset.ts';
import { viewerPage } from '../../http/reference/viewer.ts';
import manifest from '../../package.json' with { type: 'json' };
import { openApiDocument } from '../openapi/document.ts';
import type { Route } from '../spine/route.ts';
import type { Facts, Front, Reference } from './contents.ts';
import { apiFacts, frontFacts, frontPage } from './front.ts';
import { GUIDES, guideListPage, guidePage } from './guides.ts';

const HTML = 'text/html; charset=utf-8';

/** Prepares the reference of these operations. */
export function createReference(routes: readonly Route[], serverUrl: string): Reference {
  const { version } = manifest;
  const guides = new Map(GUIDES.map(({ name }) => [name, assetOf(HTML, () => guidePage(name))]));
  const front = (json: Facts): Front => ({ json, html: assetOf(HTML, () => frontPage(json)) });
  return {
    document: assetOf('application/json', () => JSON.stringify(openApiDocument(routes, { version, serverUrl }))),
    page: () => viewerPage(VIEWED),
    guides: assetOf(HTML, guideListPage),
    guide: (name) => guides.get(name) as Asset,
    front: front(frontFacts(serverUrl, version)),
    api: front(apiFacts(routes, serverUrl, version)),
  };
}

/** Addresses are relative, so that the page works behind a prefix. */
const VIEWED = {
  title: 'Bindery API',
  files: 'docs/files',
  document: 'openapi.json',
  links: GUIDES.map(({ name, title }) => ({ name: title, href: `docs/guides/${name}` })),
};
