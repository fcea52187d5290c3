// The description of the API: for programs, for browsing, and as guides. Spec 9.2, Contract 3.8.
import { z } from 'zod';
import { VIEWER, VIEWER_FILES } from '../../../http/reference/viewer.ts';
import type { Front } from '../../reference/contents.ts';
import { FRAME_POLICY } from '../../reference/frame.ts';
import { GUIDE_NAMES } from '../../reference/guides.ts';
import { open } from '../../spine/access.ts';
import { prefers } from '../../spine/preference.ts';
import { type Reply, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';

const HTML = 'text/html; charset=utf-8';

const facts = {
  method: 'get',
  mount: 'root',
  tag: 'Operations',
  spec: 'Contract 3.8',
  access: open('it shows only public information'),
  errors: [],
} as const;

const page = { status: 200, body: z.string(), contentType: HTML } as const;

const FrontSchema = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    links: z.record(z.string(), z.url()),
  })
  .meta({ id: 'Front' });

const readFront = route({
  ...facts,
  path: '/',
  operationId: 'readFront',
  isTagged: true,
  summary: 'Describe this service',
  description:
    'With `Accept: text/html`, as browsers send it, the response is a page. It names the addresses of the API, its reference and its document.',
  response: { status: 200, body: FrontSchema, html: true },
  handler: ({ deps, headers }) => frontReply(deps.reference.front, headers),
});

const readApiFront = route({
  ...facts,
  mount: 'v1',
  path: '',
  operationId: 'readApiFront',
  isTagged: true,
  summary: 'List the addresses of the API',
  description: 'It links to every list. With `Accept: text/html` the response is a web page.',
  response: { status: 200, body: FrontSchema, html: true },
  handler: ({ deps, headers }) => frontReply(deps.reference.api, headers),
});

const openapi = route({
  ...facts,
  path: '/openapi.json',
  operationId: 'readOpenApi',
  isTagged: true,
  summary: 'Get the OpenAPI 3.1 document',
  description:
    'Generate a client from it, or load it into your own reader. It changes only with the version of the platform, so keep its `ETag`.',
  response: { status: 200, body: z.record(z.string(), z.unknown()), contentType: 'application/json' },
  handler: async ({ deps, headers }) => reply(await deps.reference.document(headers['accept-encoding'])),
});

const docs = route({
  ...facts,
  path: '/docs',
  operationId: 'readDocs',
  summary: 'Browse this description',
  description:
    'The page shows every operation with samples and lets you try it with a key of your own. It works without access to the internet.',
  response: page,
  handler: ({ deps }) => {
    const { html: body, policy } = deps.reference.page();
    return reply({ body, headers: { 'Content-Security-Policy': policy } });
  },
});

const docsFile = route({
  ...facts,
  path: '/docs/files/:file',
  operationId: 'readDocsFile',
  isTagged: true,
  summary: 'Read a file of the page at /docs',
  description:
    'They are the scripts of the reference and are served from here, so that the page works offline. They change only with the version of the platform.',
  params: z.object({ file: z.enum(VIEWER_FILES) }),
  response: { status: 200, body: z.string(), contentType: 'text/javascript; charset=utf-8' },
  handler: async ({ params, headers }) => reply(await VIEWER[params.file](headers['accept-encoding'])),
});

const listGuides = route({
  ...facts,
  path: '/docs/guides',
  operationId: 'listGuides',
  isTagged: true,
  summary: 'Read the list of guides',
  description:
    'Guides say what no single operation can: how to authenticate, page, repeat a call safely and read webhooks. Each is a page of its own.',
  response: page,
  handler: async ({ deps, headers }) => framedReply(await deps.reference.guides(headers['accept-encoding'])),
});

const readGuide = route({
  ...facts,
  path: '/docs/guides/:guide',
  operationId: 'readGuide',
  isTagged: true,
  summary: 'Read a guide',
  description: 'The page is made from the text in `docs/guides`. The list at `/docs/guides` names them all.',
  params: z.object({ guide: z.enum(GUIDE_NAMES) }),
  response: page,
  handler: async ({ deps, params, headers }) =>
    framedReply(await deps.reference.guide(params.guide)(headers['accept-encoding'])),
});

async function frontReply(
  { json, html }: Front,
  headers: { accept?: string; 'accept-encoding'?: string },
): Promise<Reply> {
  if (!prefers(headers.accept, 'text/html')) return reply({ body: json, headers: { Vary: 'Accept' } });
  const { headers: own, ...asset } = await html(headers['accept-encoding']);
  return framedReply({ ...asset, headers: { ...own, Vary: 'Accept, Accept-Encoding' } });
}

function framedReply({ headers, ...asset }: { body: Buffer; headers: Record<string, string>; etag: string }): Reply {
  return reply({ ...asset, headers: { ...headers, 'Content-Security-Policy': FRAME_POLICY } });
}

export const referenceRoutes = [readFront, readApiFront, openapi, docs, docsFile, listGuides, readGuide];
