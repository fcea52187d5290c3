// Files at a self-authenticating address: anyone who has it can download the file until it expires. The address is
// ours, not the store's, which need not be reachable from outside. Contract 3.3 "downloadUrl".
import { createHmac } from 'node:crypto';
import { extname } from 'node:path';
import { z } from 'zod';
import { DOWNLOAD_LIFETIME_SECONDS } from '../../../domain/limits.ts';
import { isSameSecret } from '../../../providers/constant-time.ts';
import { open } from '../../spine/access.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { notFound } from '../../spine/validation.ts';

const TOKEN_MAX_CHARACTERS = 1_000;

/** What an address leads to. */
interface Download {
  path: string;
  fileName: string;
  contentType: string;
  size: number;
  expiresAtMs: number;
}

/**
 * Makes the address of an object. The address contains the given name, so the name must not contain anything protected.
 */
export function downloadAddress(
  { config, now }: Pick<RuntimeDeps, 'config' | 'now'>,
  object: Omit<Download, 'expiresAtMs'>,
): { downloadUrl: string; expiresAt: string } {
  const expiresAtMs = now() + DOWNLOAD_LIFETIME_SECONDS * 1_000;
  const token = sealed({ ...object, expiresAtMs }, config.authSecret);
  return { downloadUrl: `${config.baseUrl}/v1/downloads/${token}`, expiresAt: new Date(expiresAtMs).toISOString() };
}

/** Names a file by its id: people put personal names in file names, and many people see addresses. */
export function plainName(id: string, fileName: string): string {
  const extension = extname(fileName).toLowerCase();
  return /^\.[a-z0-9]{1,5}$/.test(extension) ? `${id}${extension}` : id;
}

const download = route({
  method: 'get',
  path: '/downloads/:token',
  operationId: 'download',
  tag: 'Documents',
  spec: 'Contract 3.3',
  summary: 'Download a file by its address',
  description: 'The address is a `downloadUrl` of another answer. It needs no credential and expires after 15 minutes.',
  access: open('the address is signed and expires'),
  params: z.strictObject({ token: z.string().max(TOKEN_MAX_CHARACTERS) }),
  response: { status: 200, body: z.string(), contentType: 'application/octet-stream', description: 'The file.' },
  errors: ['not_found', 'service_unavailable'],
  handler: async ({ params: { token }, deps: { config, storage, now } }) => {
    const found = opened(token, config.acceptedSecrets.authSecret);
    if (found === null || found.expiresAtMs <= now()) throw notFound('file');
    const content = await storage.getStream(found.path);
    if (content === null) throw notFound('file');
    const headers = {
      'Content-Type': found.contentType,
      'Content-Length': String(found.size),
      'Content-Disposition': `attachment; filename="${found.fileName}"`,
    };
    return reply({ body: content, headers });
  },
});

export const downloadRoutes = [download];

function sealed(content: Download, secret: string): string {
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${payload}.${signatureOf(payload, secret)}`;
}

/** The contents of a token; null for one we did not make. */
function opened(token: string, secrets: readonly string[]): Download | null {
  const [payload = '', signature = ''] = token.split('.');
  const expected = secrets.map((secret) => signatureOf(payload, secret));
  if (!isSameSecret(signature, ...expected)) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

function signatureOf(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(`download:${payload}`).digest('base64url');
}
