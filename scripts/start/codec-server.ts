// Decrypts payloads for the web interface of the local Temporal server, which sends no credential. So it answers only
// on this machine, under an unguessable path, and only to that interface's pages. Production installations use the
// API's operations, which require a credential.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PayloadKey } from '../../config.ts';
import { readBytes } from '../../http/body.ts';
import { listen } from '../../http/http-server.ts';
import { isSameSecret } from '../../providers/constant-time.ts';
import { recode, type WirePayload } from '../../providers/payload-wire.ts';
import { payloadCodecs } from '../../providers/temporal.ts';

const TOKEN_BYTES = 32;
const BODY_MAX_BYTES = 32 * 1024 * 1024;
const PATH = /^\/([\w-]+)\/(decode|encode)$/;

export interface CodecServer {
  /** The codec endpoint to give to the web interface. */
  url: string;
  stop: () => Promise<void>;
}

/** Starts the server on a free port of the loopback interface, for the pages of `uiPort`. */
export async function startCodecServer(keys: readonly PayloadKey[], uiPort: number): Promise<CodecServer> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const origins = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${uiPort}`);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, given = '', direction] = PATH.exec(request.url ?? '') ?? [];
    const { origin } = request.headers;
    const isAllowed = isSameSecret(given, token) && (origin === undefined || origins.includes(origin));
    if (!isAllowed) return void response.writeHead(404).end();
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin).setHeader('Vary', 'Origin');
    if (request.method === 'OPTIONS') return void response.writeHead(204, preflight(request)).end();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const bytes = await readBytes(request, { maxBytes: BODY_MAX_BYTES, drainMaxBytes: BODY_MAX_BYTES });
    const { payloads } = JSON.parse(bytes.toString()) as { payloads: WirePayload[] };
    const body = { payloads: await recode(payloads, payloadCodecs(keys), direction as 'decode' | 'encode') };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  };
  const server = await listen(
    (request, response) => void answer(request, response).catch(() => response.writeHead(400).end()),
    { port: 0, host: '127.0.0.1' },
  );
  return { url: `http://127.0.0.1:${server.port}/${token}`, stop: () => server.stop(0) };
}

function preflight(request: IncomingMessage): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? '',
  };
}
