// A single attempt: once it is over, nothing more is sent for it.
import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer, getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createWebhookSender } from '../../../providers/webhooks/sender.ts';
import { startReceiver } from '../../support/servers/receiver.ts';

const OWN: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];
/** Long enough to post on a busy machine. */
const ATTEMPT_MS = 2_000;
const MORE = 5;
const NODE_WAITS_MS = getDefaultAutoSelectFamilyAttemptTimeout();

test('a delivery that had no connection when its time was over is not sent when there is one', async (t) => {
  const receiver = await startReceiver();
  const { promise: isLate, resolve: answerLate } = Promise.withResolvers<void>();
  let isFirst = true;
  const sender = createWebhookSender({
    ...{ allowsLoopback: true, allowedNetworks: [], attemptMs: ATTEMPT_MS },
    resolve: (_host, _options, callback) => {
      if (isFirst) void isLate.then(() => callback(null, OWN));
      else callback(null, OWN);
      isFirst = false;
    },
  });
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  const send = (id: string) => sender.send({ url, headers: {}, body: Buffer.from(JSON.stringify({ id })) });
  try {
    t.like(await send('late'), { isAccepted: false, statusCode: null, response: null, fault: 'timeout' });
    answerLate();
    for (let n = 0; n < MORE; n += 1) t.like(await send('next'), { isAccepted: true, statusCode: 200 });
    t.deepEqual(
      receiver.received.map(({ event }) => event.id),
      Array.from({ length: MORE }, () => 'next'),
    );
  } finally {
    await sender.close();
    await receiver.close();
  }
});

test('a receiver whose host has other addresses, too, is reached while this process is busy', async (t) => {
  const receiver = await startReceiver();
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const sender = createWebhookSender({
    ...{ allowsLoopback: true, allowedNetworks: [] },
    resolve: (_host, _options, callback) => {
      callback(null, [...OWN, { address: '::1', family: 6 }]);
      // The handshake ends in time, but the busy process does not notice.
      setImmediate(() => Atomics.wait(busy, 0, 0, 2 * NODE_WAITS_MS));
    },
  });
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  try {
    t.like(await sender.send({ url, headers: {}, body: Buffer.from('{}') }), { isAccepted: true, statusCode: 200 });
  } finally {
    await sender.close();
    await receiver.close();
  }
});

/** A receiver that begins its answer like this, and goes on without ever ending it. Returns its URL. */
async function endless(t: ExecutionContext, { begin, more }: { begin: string; more: string }): Promise<string> {
  const server = createServer((socket) => {
    socket.write(begin);
    const dripping = setInterval(() => socket.write(more), DRIP_MS);
    socket.on('error', () => {}).on('close', () => clearInterval(dripping));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const DRIP_MS = 250;

test('an attempt ends after ten seconds in all, whatever still comes', async (t) => {
  const sender = createWebhookSender({ allowsLoopback: true, allowedNetworks: [] });
  const begin = 'HTTP/1.1 200 OK\r\n';
  const body = 'transfer-encoding: chunked\r\n\r\n';
  const urls = [
    await endless(t, { begin, more: 'x-more: 1\r\n' }),
    await endless(t, { begin: begin + body, more: '1\r\nx\r\n' }),
  ];
  const attempts = urls.map(async (url) => {
    const startedAt = performance.now();
    const attempt = await sender.send({ url, headers: {}, body: Buffer.from('{}') });
    return { ...attempt, elapsedMs: performance.now() - startedAt };
  });
  const [headers, answer] = await Promise.all(attempts);
  await sender.close();
  t.like(headers, { isAccepted: false, statusCode: null, response: null, fault: 'timeout' });
  t.like(answer, { isAccepted: true, statusCode: 200, fault: null });
  t.regex(answer?.response ?? '', /^x+$/);
  for (const { elapsedMs, latencyMs } of [headers!, answer!]) {
    t.true(elapsedMs > 9_000 && elapsedMs < 11_000, `${elapsedMs}`);
    t.true(Math.abs(latencyMs - elapsedMs) < 100, `${latencyMs} of ${elapsedMs}`);
  }
});
