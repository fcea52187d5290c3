// The local email provider: a small server, on the loopback address alone, that speaks the protocol of Resend and
// sends its events as Svix signs them. What happens to an e-mail is controlled under `/_control/`. It keeps
// everything in memory.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const ANSWER_TIMEOUT_MS = 20_000;

export interface EmailProviderOptions {
  /** The key that callers must present. */
  apiKey: string;
  /** Signs the events: `whsec_` and base64. */
  webhookSecret: string;
  /** Default: any free one. */
  port?: number;
  /** Where events are delivered; none are sent until `deliverTo` sets it. */
  endpoint?: string;
}

/** An e-mail that the provider has accepted. */
export interface TakenEmail {
  id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  headers: Record<string, string>;
}

export type EmailEventType = 'email.sent' | 'email.delivered' | 'email.opened' | 'email.bounced' | 'email.complained';

export interface LocalEmailProvider {
  /** Without a trailing slash. */
  url: string;
  /** By id. */
  emails: ReadonlyMap<string, TakenEmail>;
  deliverTo(endpoint: string): void;
  /** Makes something happen to an e-mail; returns the response status of its event, null without an endpoint. */
  happen(emailId: string, type: EmailEventType): Promise<number | null>;
  /** Answers every call with this status; null ends it. */
  failWith(status: number | null): void;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: object;
}

/** Starts the provider; the caller closes it. */
export async function startEmailProvider(options: EmailProviderOptions): Promise<LocalEmailProvider> {
  const emails = new Map<string, TakenEmail>();
  const keys = new Map<string, string>();
  let endpoint = options.endpoint ?? null;
  let fault: number | null = null;
  const happen = async (emailId: string, type: EmailEventType): Promise<number | null> => {
    const email = emails.get(emailId);
    if (email === undefined) throw new Error('There is no such e-mail');
    return endpoint === null ? null : deliver(endpoint, options.webhookSecret, eventOf(email, type));
  };
  const serve = async (request: IncomingMessage): Promise<Answer> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const body = await text(request);
    if (path === '/healthz') return { status: 200, body: { status: 'ok' } };
    const { authorization, 'idempotency-key': key } = request.headers;
    if (authorization !== `Bearer ${options.apiKey}`) return refusal(401, 'invalid_api_key');
    if (fault !== null) return refusal(fault, 'application_error');
    const [, emailId] = /^\/_control\/emails\/([\w-]+)$/.exec(path) ?? [];
    if (emailId !== undefined) {
      const { type } = JSON.parse(body) as { type: EmailEventType };
      return { status: 200, body: { delivered: await happen(emailId, type) } };
    }
    if (request.method !== 'POST' || path !== '/emails') return refusal(404, 'not_found');
    return { status: 200, body: { id: take(JSON.parse(body), String(key ?? randomUUID()), { emails, keys }) } };
  };
  const server = createServer((request, response) => {
    void serve(request)
      .catch(() => refusal(422, 'validation_error'))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ emails, happen },
    deliverTo: (given) => {
      endpoint = given;
    },
    failWith: (status) => {
      fault = status;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refusal(statusCode: number, name: string): Answer {
  return { status: statusCode, body: { statusCode, name, message: 'Refused' } };
}

/** An e-mail is accepted once per idempotency key. */
function take(
  { from, to, subject, text: content, headers = {} }: Omit<TakenEmail, 'id'>,
  key: string,
  { emails, keys }: { emails: Map<string, TakenEmail>; keys: Map<string, string> },
): string {
  const taken = keys.get(key);
  if (taken !== undefined) return taken;
  if (![from, subject, content, ...to].every((each) => typeof each === 'string' && each !== '')) throw new Error('Bad');
  const id = randomUUID();
  keys.set(key, id);
  emails.set(id, { id, from, to, subject, text: content, headers });
  return id;
}

function eventOf({ id, from, to, subject }: TakenEmail, type: EmailEventType): object {
  const at = new Date().toISOString();
  const bounce = { message: 'There is no such mailbox.', type: 'Permanent', subType: 'General' };
  const data = { created_at: at, email_id: id, from, to, subject, ...(type === 'email.bounced' ? { bounce } : {}) };
  return { type, created_at: at, data };
}

/** One attempt, signed as Svix signs. */
async function deliver(endpoint: string, secret: string, event: object): Promise<number | null> {
  const [id, sentAt, body] = [`msg_${randomUUID()}`, Math.floor(Date.now() / 1_000), JSON.stringify(event)];
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64');
  const signed = { 'svix-id': id, 'svix-timestamp': String(sentAt), 'svix-signature': `v1,${signature}` };
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed },
    ...{ body, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) },
  }).catch(() => null);
  await response?.arrayBuffer();
  return response?.status ?? null;
}
