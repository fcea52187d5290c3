// Slow clients: how long a request may take to arrive before its connection is closed.
import { connect } from 'node:net';
import test from 'ava';
import { expectFile } from '../../http/arrival.ts';
import { ARRIVAL, type ArrivalBounds, listen } from '../../http/http-server.ts';
import { eventually } from '../support/eventually.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const BRIEF: ArrivalBounds = { headersMs: 100, requestMs: 200, fileMs: 2_000, checkEveryMs: 10 };
const A_BYTE_EVERY_MS = 10;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';

/** Sends the beginning of a request, then a byte at a time for as long as allowed; returns what came back. */
async function trickle(beginning: string, port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  // The server may close its end between two bytes: the next byte then fails.
  socket.on('error', () => undefined);
  socket.write(beginning);
  const bytes = setInterval(() => socket.write('x'), A_BYTE_EVERY_MS);
  try {
    await eventually(() => socket.closed, { what: 'the end of the connection' });
  } finally {
    clearInterval(bytes);
    socket.destroy();
  }
  return answer;
}

for (const [what, beginning] of [
  ['a body', `${HEAD}Content-Length: 100000\r\n\r\n`],
  ['a body without a length', `${HEAD}Transfer-Encoding: chunked\r\n\r\n186a0\r\n`],
  ['headers', `${HEAD}X-Slow: `],
] as const) {
  test(`a client that sends ${what} a byte at a time is disconnected, although each byte comes soon`, async (t) => {
    const server = await listen((request) => request.resume().on('error', () => undefined), {
      ...{ port: 0, host: '127.0.0.1' },
      arrival: BRIEF,
    });
    t.teardown(() => server.stop(0));
    // An answer that crosses paths with a byte may be lost.
    t.regex(await trickle(beginning, server.port), /^(HTTP\/1\.1 408 |$)/);
  });
}

test('a file that is expected may take longer than another body, and not for ever', async (t) => {
  const tookMs: number[] = [];
  // Wide enough for headers that a busy process reads late.
  const bounds = { ...BRIEF, headersMs: 6_000, fileMs: 6_000 };
  const server = await listen(
    (request) => {
      expectFile(request);
      const begun = performance.now();
      request.resume().on('error', () => tookMs.push(performance.now() - begun));
    },
    { port: 0, host: '127.0.0.1', arrival: bounds },
  );
  t.teardown(() => server.stop(0));
  t.regex(await trickle(`${HEAD}Content-Length: 100000\r\n\r\n`, server.port), /^(HTTP\/1\.1 408 |$)/);
  const [took = 0] = tookMs;
  t.true(took > bounds.fileMs / 2, `${took} ms`);
});

/** Sends raw bytes and returns what comes back. */
async function exchange(bytes: string, port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await eventually(() => socket.closed, { what: 'the end of the connection' });
  return answer;
}

/** The browser headers on every answer of both services. */
const SECURE = [
  "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy: cross-origin',
  'Referrer-Policy: no-referrer',
  'Strict-Transport-Security: max-age=31536000; includeSubDomains',
  'X-Content-Type-Options: nosniff',
  'X-Frame-Options: SAMEORIGIN',
];

for (const [what, bytes, status, error] of [
  ['is no HTTP', 'HELLO THERE\r\n\r\n', 400, 'malformed_request'],
  ['names two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'malformed_request'],
  ['has large headers', `${HEAD}X-Large: ${'x'.repeat(16_400)}\r\n\r\n`, 431, 'headers_too_large'],
  ['stops in its headers', HEAD, 408, 'request_timeout'],
  ['stops in its body', `${HEAD}Content-Length: 9\r\n\r\n`, 408, 'request_timeout'],
] as const) {
  test(`a request that ${what} returns ${status} in the shape of every error`, async (t) => {
    const server = await listen((request) => request.resume().on('error', () => undefined), {
      ...{ port: 0, host: '127.0.0.1' },
      // A request that is refused for its content must not run into the time limit before it is read.
      arrival: status === 408 ? BRIEF : ARRIVAL,
    });
    t.teardown(() => server.stop(0));
    const [head = '', body = ''] = (await exchange(bytes, server.port)).split('\r\n\r\n');
    t.true(head.startsWith(`HTTP/1.1 ${status} `), head);
    const sent = JSON.parse(body);
    t.deepEqual(Object.keys(sent), ['error', 'message', 'details', 'requestId']);
    t.is(sent.error, error);
    t.true(head.includes(`X-Request-Id: ${sent.requestId}`));
    t.true(head.includes('Content-Type: application/json'));
    for (const line of SECURE) t.true(head.includes(line), line);
  });
}

test('a response may take longer than its request', async (t) => {
  const patient = { headersMs: 2_000, requestMs: 2_000, fileMs: 2_000, checkEveryMs: 10 };
  const server = await listen(
    (_request, response) => {
      const answered = setInterval(() => {
        if (performance.now() - begun < 2 * patient.requestMs) return;
        clearInterval(answered);
        response.end('late');
      }, patient.checkEveryMs);
    },
    { port: 0, host: '127.0.0.1', arrival: patient },
  );
  t.teardown(() => server.stop(0));
  const begun = performance.now();
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  t.is(await answer.text(), 'late');
});

test('no client of a service keeps its connection by a slow request for more than 40 seconds, unless it may send a file', (t) => {
  const { headersMs, requestMs, fileMs, checkEveryMs } = ARRIVAL;
  t.true(headersMs <= requestMs);
  t.true(requestMs + checkEveryMs < 40_000);
  t.is(fileMs, 300_000);
});
