// A single attempt: once it is over, nothing more is sent for it.
import type { LookupAddress } from 'node:dns';
import { getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import test from 'ava';
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
