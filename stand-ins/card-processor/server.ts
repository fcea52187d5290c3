// The local card processor: a small stateful server that speaks the wire protocol of the real one, on the loopback
// address alone.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { serve } from './api.ts';
import { type CardProcessorControl, createControl } from './control.ts';
import { serveControl } from './control-routes.ts';
import { Deliverer } from './deliverer.ts';
import { Faults, refuseByFault } from './faults.ts';
import { newId } from './ids.ts';
import { Problem } from './problem.ts';
import { Store } from './store.ts';
import type { Answer } from './wire.ts';

export interface CardProcessorOptions {
  /** The key that callers must present. */
  secretKey: string;
  /** Signs the events. */
  webhookSecret: string;
  /** Default: any free one. */
  port?: number;
  /** File for its state; in memory by default. */
  databaseFile?: string;
  /** Where events are delivered; they wait until `deliverTo` names it. */
  endpoint?: string;
  /** The clock, in milliseconds since 1970; real time by default. Deliveries always use real time. */
  now?: () => number;
}

export interface LocalCardProcessor extends CardProcessorControl {
  /** Without a trailing slash; the API is under `/v1`. */
  url: string;
  close: () => Promise<void>;
}

type Served = Answer & { isReplay?: boolean; isCut?: boolean };

/** Starts the processor; the caller closes it. */
export async function startCardProcessor(options: CardProcessorOptions): Promise<LocalCardProcessor> {
  const { webhookSecret, endpoint = null, now = Date.now } = options;
  const store = new Store(options.databaseFile ?? null);
  const deliverer = new Deliverer({ store, webhookSecret, endpoint });
  const faults = new Faults();
  const { work, control } = createControl({ store, deliverer, faults, now });

  const answer = async (request: IncomingMessage): Promise<Served> => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const { method = 'GET', headers } = request;
    const body = await text(request);
    const isAuthorized = keyOf(headers.authorization ?? '') === options.secretKey;
    if (path === '/healthz') return { status: 200, body: { status: 'ok' } };
    if (path.startsWith('/_control/')) {
      if (!isAuthorized)
        throw new Problem(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
      return serveControl(control, method, path, body);
    }
    const effect = faults.next(method, path);
    if (effect === 'cut_before') return { status: 0, body: null, isCut: true };
    refuseByFault(effect);
    const idempotencyKey = headers['idempotency-key']?.toString() ?? null;
    const query = searchParams.toString();
    const served = serve({ method, path, query, body, idempotencyKey, isAuthorized }, work());
    deliverer.wake();
    return { ...served, isCut: effect === 'cut_after' };
  };

  const server = createServer((request, response) => {
    void answer(request)
      .catch((error: unknown) => answerOf(error))
      .then((served) => send(response, served));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  deliverer.wake();

  let closed: Promise<void> | null = null;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await deliverer.close();
    store.close();
  };
  return {
    ...control,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** The key of `Bearer <key>`, or the user of `Basic`, which has no password. */
function keyOf(authorization: string): string {
  const [scheme = '', value = ''] = authorization.split(' ');
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString().replace(/:$/, '');
  return value;
}

function answerOf(error: unknown): Served {
  if (error instanceof Problem) return error.answer;
  const message = error instanceof Error ? error.message : 'Something went wrong on our end.';
  return { status: 500, body: { error: { type: 'api_error', message } } };
}

function send(response: ServerResponse, { status, body, isReplay, isCut }: Served): void {
  if (isCut) {
    response.socket?.destroy();
    return;
  }
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': newId('req'),
    ...(status === 501 ? { 'stripe-should-retry': 'false' } : {}),
    ...(isReplay ? { 'idempotent-replayed': 'true' } : {}),
  });
  response.end(JSON.stringify(body));
}
