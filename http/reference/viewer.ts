// The API document viewer: Scalar's single file, extracted from its package, and the page that starts it. Nothing in it
// comes from elsewhere. Decision 0089.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assetOf } from './asset.ts';

const CARRIER = '@scalar/fastify-api-reference';
const BEGIN = 'var standalone_default = ';
const END = ';\n//#endregion';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** The names by which the page requests its files. */
export const VIEWER_FILES = ['viewer.js', 'start.js'] as const;

export type ViewerFile = (typeof VIEWER_FILES)[number];

/** The files of the page, shared by both services. */
export const VIEWER = {
  'viewer.js': assetOf(JAVASCRIPT, viewerText),
  'start.js': assetOf(JAVASCRIPT, () => readFileSync(join(import.meta.dirname, 'start.js'), 'utf8')),
} as const satisfies Record<ViewerFile, unknown>;

export interface ViewerPage {
  html: string;
  /** `Content-Security-Policy` of this response: each has its own nonce for the style that the viewer adds. */
  policy: string;
}

export interface ViewerFacts {
  title: string;
  /** Where the page finds its files and the document, as seen from the page. */
  files: string;
  document: string;
  /** Related pages: name and address as seen from the page. */
  links: readonly { name: string; href: string }[];
}

/** Makes the viewer page. Its facts are ours: nothing in them comes from a caller. */
export function viewerPage({ title, files, document, links }: ViewerFacts): ViewerPage {
  const nonce = randomBytes(18).toString('base64');
  const anchors = links.map(({ name, href }) => `<a href="${href}">${name}</a>`).join('\n');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" nonce="${nonce}" content="${nonce}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">
.beside { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; padding: 0.6rem 1rem; font: 14px system-ui, sans-serif; }
.beside a { color: inherit; }
</style>
</head>
<body>
<nav class="beside" aria-label="Guides">
${anchors}
</nav>
<div id="reference" data-document="${document}"></div>
<noscript><p>This page needs JavaScript. The document itself is <a href="${document}">here</a>.</p></noscript>
<script src="${files}/start.js"></script>
<script src="${files}/viewer.js"></script>
</body>
</html>
`;
  return { html, policy: policyWith(nonce) };
}

/**
 * The page runs its own files, talks only to its own service and shows embedded pictures. The viewer also sets `style`
 * attributes: they cannot load anything, since nothing may be loaded.
 */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    'img-src data: blob:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The package has the file as one literal in its source. The lock file pins its checksum. */
function viewerText(): string {
  const source = readFileSync(fileURLToPath(import.meta.resolve(CARRIER)), 'utf8');
  const begin = source.indexOf(BEGIN) + BEGIN.length;
  const end = source.indexOf(END, begin);
  if (begin < BEGIN.length || end === -1) throw new Error(`${CARRIER} does not hold the viewer where it used to`);
  // A JavaScript literal may contain raw control characters; a JSON one may not.
  const literal = source.slice(begin, end).replaceAll(/\p{Cc}/gu, escapedControl);
  return JSON.parse(literal) as string;
}

function escapedControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
