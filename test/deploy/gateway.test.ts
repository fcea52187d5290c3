// The gateway of Docker Compose before two api processes that die, hang up and return. Runs where there is a Caddy.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { type Gateway, hasCaddy, NO_CADDY, startGateway } from '../support/servers/caddy.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type NameServer, startNameServer } from '../support/servers/name-server.ts';

const ADDRESSES = ['127.0.0.1', '127.0.0.2'] as const;
/** Nearly what the gateway keeps of a body in order to send it again. */
const LARGE = 'x'.repeat(1_000_000);

const services = new Map<string, Server>();
/** The calls that reached a service, in order. */
const reached: { by: string; method: string; path: string }[] = [];
/** The service that hangs up on its callers; `next` is the one that takes the next call, null none. */
let hangsUp: string | null = null;
let port: number;
let names: NameServer;
let gateway: Gateway;

const guarantee = hasCaddy
  ? test.serial
  : (title: string, _: unknown) => test.skip(`${title} (${NO_CADDY})`, (t) => t.fail());

test.before(async () => {
  if (!hasCaddy) return;
  port = await freePort();
  names = await startNameServer(ADDRESSES);
  gateway = await startGateway({ nameServer: names.address, servicePort: port });
});

test.beforeEach(async () => {
  if (!hasCaddy) return;
  hangsUp = null;
  for (const address of ADDRESSES) if (!services.has(address)) await start(address);
  await eventually(servesFromBoth, { what: 'calls to reach both processes' });
  reached.length = 0;
});

test.after.always(async () => {
  for (const address of services.keys()) await end(address);
  await gateway?.stop();
  names?.stop();
});

guarantee('a process that has ended is left out: no call fails, and bodies up to the limit arrive whole', async (t) => {
  await end(ADDRESSES[0]);
  for (let call = 0; call < 10; call += 1) {
    const { status, body } = await send('/v1/claims', { method: 'POST', body: LARGE });
    t.deepEqual({ status, by: body.by, bytes: body.bytes }, { status: 200, by: ADDRESSES[1], bytes: LARGE.length });
  }
  t.is(reached.length, 10, 'each once');
});

guarantee('a process that returns gets calls again', async (t) => {
  await end(ADDRESSES[1]);
  t.is((await send('/v1/claims')).body.by, ADDRESSES[0]);
  await start(ADDRESSES[1]);
  await t.notThrowsAsync(eventually(servesFromBoth, { what: 'calls to reach both processes' }));
});

guarantee('a POST that a process took and did not answer is not sent again; its outcome is unknown', async (t) => {
  hangsUp = 'next';
  const { status, headers, body } = await send('/v1/claims', { method: 'POST', body: '{}' });
  t.is(status, 503);
  t.like(body, { error: 'service_unavailable', details: { outcome: 'unknown' } });
  t.is(body.requestId, headers.get('x-request-id'));
  t.is(headers.get('retry-after'), '2');
  t.is(reached.length, 1);
});

guarantee('a GET that a process took and did not answer is sent to the other one', async (t) => {
  hangsUp = 'next';
  const { status, body } = await send('/v1/claims');
  t.is(status, 200);
  t.is(reached[0]?.by, hangsUp);
  t.not(body.by, hangsUp);
});

guarantee('when no process is there, the refusal reads like one of the API', async (t) => {
  for (const address of ADDRESSES) await end(address);
  const { status, headers, body } = await send('/v1/claims');
  t.is(status, 503);
  t.deepEqual(Object.keys(body), ['error', 'message', 'details', 'requestId']);
  t.is(headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(headers.get('cache-control'), 'no-store');
});

guarantee('metrics stay inside', async (t) => {
  for (const path of ['/metrics', '/metrics/x']) {
    const { status, body } = await send(path);
    t.is(status, 404);
    t.is(body.error, 'not_found');
  }
  t.deepEqual(reached, []);
});

guarantee(
  "a client cannot name another address as its own, nor a request id that would break a log's line",
  async (t) => {
    const forged = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'a b"c' };
    const { body, headers } = await send('/v1/claims', { headers: forged });
    t.is(body.client, '127.0.0.1');
    t.regex(body.requestId, /^req_[0-9a-f-]{36}$/);
    t.is(headers.get('x-request-id'), body.requestId);
    t.is((await send('/v1/claims', { headers: { 'x-request-id': 'their-own-id' } })).body.requestId, 'their-own-id');
  },
);

async function send(path: string, options: RequestInit = {}) {
  const response = await fetch(`${gateway.apiUrl}${path}`, options);
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

async function servesFromBoth(): Promise<boolean> {
  const answers = [await send('/v1/claims'), await send('/v1/claims')];
  return answers.every(({ status }) => status === 200) && new Set(answers.map(({ body }) => body.by)).size === 2;
}

async function start(address: string): Promise<void> {
  const server = createServer((request, response) => void serve(address, request, response));
  server.listen(port, address);
  await once(server, 'listening');
  services.set(address, server);
}

async function end(address: string): Promise<void> {
  const server = services.get(address);
  services.delete(address);
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(null));
}

/** Answers with what arrived. */
async function serve(by: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '', headers } = request;
  reached.push({ by, method, path });
  const { length: bytes } = await text(request);
  if (hangsUp === 'next') hangsUp = by;
  if (hangsUp === by) {
    request.socket.destroy();
    return;
  }
  const requestId = headers['x-request-id'];
  response.setHeader('content-type', 'application/json').setHeader('x-request-id', String(requestId));
  response.end(JSON.stringify({ by, bytes, client: headers['x-forwarded-for'], requestId }));
}
