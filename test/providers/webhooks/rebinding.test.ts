// An attacker's name server: it first names a receiver that may be called, and this machine the next time.
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test from 'ava';
import { resolveWith } from '../../../providers/webhooks/resolver.ts';
import { createWebhookSender } from '../../../providers/webhooks/sender.ts';
import { startNameServer } from './name-server.ts';

const ALLOWED = '127.0.0.2';
const INSIDE = '127.0.0.1';
const POLICY = { allowsLoopback: false, allowedNetworks: [`${ALLOWED}/32`] };

test('a name server that returns an internal address every other time never leads there', async (t) => {
  const reached: string[] = [];
  const server = createServer((socket) => {
    reached.push(socket.localAddress ?? '');
    socket.destroy();
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const names = await startNameServer([ALLOWED, INSIDE]);
  const resolver = new Resolver();
  resolver.setServers([names.address]);
  const sender = createWebhookSender({
    ...POLICY,
    resolve: (hostname, _options, callback) => resolveWith(resolver, hostname, callback),
  });
  const url = `https://rebinding.example.com:${(server.address() as AddressInfo).port}/`;
  const faults: (string | null)[] = [];
  for (let n = 0; n < 10; n += 1) {
    faults.push((await sender.send({ url, headers: {}, body: Buffer.from('{}') })).fault);
  }
  await sender.close();
  names.close();
  server.close();
  const [first, second] = [faults.filter((_, n) => n % 2 === 0), faults.filter((_, n) => n % 2 === 1)];
  t.true(
    first.every((fault) => fault !== 'address_not_allowed'),
    String(first),
  );
  t.true(
    second.every((fault) => fault === 'address_not_allowed'),
    String(second),
  );
  t.deepEqual(
    reached,
    Array.from({ length: 5 }, () => ALLOWED),
  );
  // The address checked is the address called: there is no second lookup along the way.
  t.is(names.questions(), 10);
});
