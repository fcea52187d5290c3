// Clients that trickle: they are disconnected, and hold nobody else up.
import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { readBytes } from '../../http/body.ts';
import { listen } from '../../http/http-server.ts';
import { PATIENCE_MS } from '../support/patience.ts';

/** The shortest that the bound on headers leaves room for. */
const REQUEST_TIMEOUT_MS = 15_000;
const TRICKLE_MS = 250;

/** Sends the beginning, then one letter after the other, until it is disconnected; gives what it was answered. */
async function trickle(port: number, beginning: string, letter: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(beginning);
  const timer = setInterval(() => socket.writable && socket.write(letter), TRICKLE_MS);
  await once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) }).finally(() => clearInterval(timer));
  return answer;
}

test('a client that trickles its headers or its body is disconnected, and others are served meanwhile', async (t) => {
  const server = await listen(
    (request, response) =>
      void readBytes(request, { maxBytes: 1_000_000, drainMaxBytes: 1_000_000 }).then(
        () => response.end('read'),
        () => response.end('broken'),
      ),
    { port: 0, host: '127.0.0.1', requestTimeoutMs: REQUEST_TIMEOUT_MS },
  );
  t.teardown(() => server.stop(0));
  const head = 'POST / HTTP/1.1\r\nHost: x\r\n';
  const slow = Promise.all([
    trickle(server.port, `${head}X-Long: `, 'a'),
    trickle(server.port, `${head}Content-Length: 900000\r\n\r\n`, 'a'),
  ]);
  const served = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: 'x' });
  t.is(await served.text(), 'read');
  for (const answer of await slow) t.regex(answer, /^HTTP\/1\.1 408 /);
});
