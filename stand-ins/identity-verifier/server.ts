// The local identity verifier: a small server, on the loopback address alone, that speaks the protocol of Persona and
// sends its signed events. `/_control/complete` finishes an inquiry. It keeps everything in memory.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { deliverSigned } from '../signed-event.ts';

export interface LocalVerifierOptions {
  /** The key that callers must present. */
  apiKey: string;
  /** Signs the events. */
  webhookSecret: string;
  /** Default: any free one. */
  port?: number;
  /** Where events are delivered; none are sent until `deliverTo` sets it. */
  endpoint?: string;
}

export interface LocalVerifier {
  /** Without a trailing slash. */
  url: string;
  deliverTo(endpoint: string): void;
  /** Finishes an inquiry; returns the response status of its event, null without an endpoint. */
  complete(inquiryId: string): Promise<number | null>;
  close(): Promise<void>;
}

interface Inquiry {
  id: string;
  referenceId: string | null;
}

interface Answer {
  status: number;
  body: object;
}

/** Starts the verifier; the caller closes it. */
export async function startIdentityVerifier(options: LocalVerifierOptions): Promise<LocalVerifier> {
  const inquiries = new Map<string, Inquiry>();
  let endpoint = options.endpoint ?? null;
  const complete = async (inquiryId: string): Promise<number | null> => {
    const inquiry = inquiries.get(inquiryId);
    if (inquiry === undefined) throw new Error('There is no such inquiry');
    return endpoint === null ? null : deliverCompletion(endpoint, options.webhookSecret, inquiry);
  };
  const serve = async (request: IncomingMessage): Promise<Answer> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const body = await text(request);
    if (path === '/healthz') return { status: 200, body: { status: 'ok' } };
    const { authorization, 'idempotency-key': key } = request.headers;
    if (authorization !== `Bearer ${options.apiKey}`) return refusal(401);
    if (path === '/api/v1/inquiries') return { status: 201, body: { data: toWire(created(inquiries, key, body)) } };
    const [, inquiryId = ''] = /^\/(?:api\/v1\/inquiries|_control\/complete)\/([\w-]+)/.exec(path) ?? [];
    const inquiry = inquiries.get(inquiryId);
    if (inquiry === undefined) return refusal(404);
    if (path.startsWith('/_control/')) return { status: 200, body: { delivered: await complete(inquiryId) } };
    const link = `http://${request.headers.host}/verify/${inquiryId}`;
    return { status: 200, body: { data: toWire(inquiry), meta: { 'one-time-link': link } } };
  };
  const server = createServer((request, response) => {
    void serve(request)
      .catch(() => refusal(400))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    complete,
    deliverTo: (given) => {
      endpoint = given;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refusal(status: number): Answer {
  return { status, body: { errors: [{ title: 'Refused' }] } };
}

/** The same key returns the same inquiry. */
function created(inquiries: Map<string, Inquiry>, key: string | string[] | undefined, body: string): Inquiry {
  const id = `inq_${(typeof key === 'string' ? key : randomUUID()).replaceAll(/\W/g, '').slice(0, 60)}`;
  const { data } = JSON.parse(body) as { data: { attributes: { 'reference-id'?: string } } };
  const inquiry = inquiries.get(id) ?? { id, referenceId: data.attributes['reference-id'] ?? null };
  inquiries.set(id, inquiry);
  return inquiry;
}

function toWire({ id, referenceId }: Inquiry): object {
  return { type: 'inquiry', id, attributes: { status: 'created', 'reference-id': referenceId } };
}

function completed({ id, referenceId }: Inquiry): object {
  const at = new Date().toISOString();
  const attributes = { status: 'completed', 'reference-id': referenceId, 'completed-at': at };
  const payload = { data: { type: 'inquiry', id, attributes }, included: [] };
  const facts = { name: 'inquiry.completed', 'created-at': at, payload };
  return { data: { type: 'event', id: `evt_${randomUUID().replaceAll('-', '')}`, attributes: facts } };
}

/** Sends the signed event for a finished inquiry. Returns the response status, or null if there was no response. */
export function deliverCompletion(endpoint: string, secret: string, inquiry: Inquiry): Promise<number | null> {
  const value = (sentAt: number, signature: string) => `t=${sentAt},v1=${signature}`;
  return deliverSigned({ endpoint, secret, event: completed(inquiry), header: { name: 'persona-signature', value } });
}
