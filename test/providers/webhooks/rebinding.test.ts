// An attacker's name server: it first names a receiver that may be called, and this machine the next time.
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { resolveWith } from '../../../providers/webhooks/resolver.ts';
import { createWebhookSender } from '../../../providers/webhooks/sender.ts';
import { type Answers, startNameServer } from './name-server.ts';

const ALLOWED = '127.0.0.2';
const INSIDE = '127.0.0.1';
const POLICY = { allowsLoopback: false, allowedNetworks: [`${ALLOWED}/32`] };
const SENT = 10;

/** Sends to a name that resolves like this. Returns how each attempt ended, and what was reached on this machine. */
async function sendAll(t: ExecutionContext, answers: Answers) {
  const reached: string[] = [];
  const server = createServer((socket) => {
    reached.push((socket.localAddress ?? '').replace('::ffff:', ''));
    socket.destroy();
  }).listen({ port: 0, host: '::', ipv6Only: false });
  await once(server, 'listening');
  t.teardown(() => server.close());
  const names = await startNameServer(answers);
  t.teardown(names.close);
  const resolver = new Resolver();
  resolver.setServers([names.address]);
  const sender = createWebhookSender({
    ...POLICY,
    resolve: (hostname, _options, callback) => resolveWith(resolver, hostname, callback),
  });
  const url = `https://rebinding.example.com:${(server.address() as AddressInfo).port}/`;
  const faults: (string | null)[] = [];
  for (let n = 0; n < SENT; n += 1) {
    faults.push((await sender.send({ url, headers: {}, body: Buffer.from('{}') })).fault);
  }
  await sender.close();
  const [first, second] = [faults.filter((_, n) => n % 2 === 0), faults.filter((_, n) => n % 2 === 1)];
  return { first, second, reached, questions: names.questions() };
}

const ATTACKS: [what: string, answers: Answers][] = [
  ['IPv4 address', { ipv4: [ALLOWED, INSIDE] }],
  ['IPv6 address', { ipv4: [ALLOWED], ipv6: [null, '::1'] }],
  ['IPv4 address written as IPv6', { ipv4: [ALLOWED], ipv6: [null, `::ffff:${INSIDE}`] }],
  ['IPv6 address instead', { ipv4: [ALLOWED, null], ipv6: [null, '::1'] }],
];

for (const [what, answers] of ATTACKS) {
  test(`a name server that returns an internal ${what} every other time never leads there`, async (t) => {
    const { first, second, reached, questions } = await sendAll(t, answers);
    t.true(
      first.every((fault) => fault !== 'address_not_allowed'),
      String(first),
    );
    t.deepEqual(
      second,
      Array.from({ length: SENT / 2 }, () => 'address_not_allowed'),
    );
    t.deepEqual(
      reached,
      Array.from({ length: SENT / 2 }, () => ALLOWED),
    );
    // The address checked is the address called: there is no second lookup along the way.
    t.deepEqual(questions, { ipv4: SENT, ipv6: SENT });
  });
}
