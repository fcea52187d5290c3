// The guides for callers and the changelog: Markdown from `docs/` and beside it, as pages beside the reference.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Marked } from 'marked';
import { errorCatalogue } from './error-catalogue.ts';
import { framed } from './frame.ts';
import { asIs, html } from './html.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const CATALOGUE_PLACE = '<!-- error catalogue -->';

/** In the order a newcomer should read them. `file` is relative to `docs/`. */
export const GUIDES = [
  { name: 'getting-started', title: 'Getting started', file: 'guides/getting-started.md' },
  { name: 'authentication', title: 'Authentication', file: 'guides/authentication.md' },
  { name: 'money-and-idempotency', title: 'Money and idempotency', file: 'guides/money-and-idempotency.md' },
  { name: 'paging', title: 'Lists and paging', file: 'guides/paging.md' },
  { name: 'errors', title: 'Errors', file: 'guides/errors.md' },
  { name: 'after-the-answer', title: 'Accepted, but not yet in the ledger', file: 'guides/after-the-answer.md' },
  { name: 'test-clock', title: 'The test clock', file: 'guides/test-clock.md' },
  { name: 'webhooks', title: 'Webhooks', file: 'webhooks.md' },
  { name: 'deal-rooms', title: 'Deal rooms', file: 'deal-rooms.md' },
  { name: 'portal', title: 'The policyholder portal', file: 'portal.md' },
  { name: 'changelog', title: 'Changelog', file: '../CHANGELOG.md' },
] as const;

export type GuideName = (typeof GUIDES)[number]['name'];

export const GUIDE_NAMES = GUIDES.map(({ name }) => name) as [GuideName, ...GuideName[]];

/** Renders a guide. We write the guides, so their content is as trusted as the code. */
export function guidePage(name: GuideName): string {
  const guide = GUIDES.find((each) => each.name === name);
  if (guide === undefined) throw new Error(`There is no guide ${name}`);
  const text = readFileSync(join(DOCS, guide.file), 'utf8').replace(CATALOGUE_PLACE, () => errorCatalogue());
  const content = new Marked({ walkTokens: pointToPages, renderer: { heading: anchoredHeading } }).parse(text);
  const way = html`<nav><a href="../../docs">Reference</a> · <a href="../guides">Guides</a></nav>`;
  return framed(`${guide.title} · Bindery API`, html`${way}${asIs(content as string)}`);
}

/** Renders the list of guides. */
export function guideListPage(): string {
  const items = GUIDES.map(({ name, title }) => html`<li><a href="guides/${name}">${title}</a></li>`);
  const content = html`<nav><a href="../docs">Reference</a></nav><h1>Guides</h1><ol>${items}</ol>`;
  return framed('Guides · Bindery API', content);
}

/** Links between files become links between pages; `openapi.json` is served at the root. */
function pointToPages(token: { type: string; href?: string }): void {
  if (token.type !== 'link' || token.href === undefined || /^[a-z]+:|^#/.test(token.href)) return;
  const [path = '', fragment] = token.href.split('#');
  const page = GUIDES.find(({ file }) => basename(file) === basename(path));
  if (page !== undefined) token.href = fragment === undefined ? page.name : `${page.name}#${fragment}`;
  if (basename(path) === 'openapi.json') token.href = '../../openapi.json';
}

/** Makes headings linkable, by their words. */
function anchoredHeading(this: { parser: { parseInline: (tokens: never) => string } }, heading: unknown): string {
  const { tokens, depth, text } = heading as { tokens: never; depth: number; text: string };
  const id = text
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');
  return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
}
