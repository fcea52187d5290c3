// The rules for tenant-supplied addresses, tried with every spelling known to have led inside somewhere.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { receiverConfig, receiverFault } from '../../../config/receivers.ts';
import { DomainError } from '../../../domain/errors.ts';
import {
  type AddressFault,
  type AddressPolicy,
  ensureCallable,
  isCallable,
  urlFault,
} from '../../../providers/webhooks/addresses.ts';
import { createWebhookSender } from '../../../providers/webhooks/sender.ts';

const PRODUCTION: AddressPolicy = { allowsLoopback: false, allowedNetworks: [] };
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
const LOCAL: AddressPolicy = { allowsLoopback: true, allowedNetworks: [] };

/** Hosts of https addresses that lead to this machine, its network, or nowhere. */
const INSIDE = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.255.255.254',
  ],
  ...[
    '0',
    '0.0.0.0',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    '%6cocalhost',
    '１２７.０.０.１',
    '127。0。0。1',
  ],
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '100.64.0.1',
  ],
  ...['168.63.129.16', '2822734096', '0xa83f8110', '[::ffff:168.63.129.16]'],
  ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
  ...[
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
  ],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2001::1]', '[2001:db8::1]'],
  ...[
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[100::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[4000::1]',
  ],
];

test('no spelling of an internal address is called', (t) => {
  t.true(INSIDE.length >= 40);
  for (const host of INSIDE) t.is(urlFault(`https://${host}/hook`, PRODUCTION), 'address', host);
});

test('only https without credentials is called, on its own port or one from 1024 on', (t) => {
  const faults: Record<string, AddressFault | null> = {
    'https://hooks.example.com/a?b=c': null,
    'https://hooks.example.com:443/': null,
    'https://hooks.example.com:1024/': null,
    'https://hooks.example.com:65535/': null,
    'https://8.8.8.8/': null,
    'https://[2606:4700::1111]/': null,
    'https://hooks.example.com:444/': 'port',
    'https://hooks.example.com:1023/': 'port',
    'https://hooks.example.com:25/': 'port',
    'https://hooks.example.com:0/': 'port',
    'http://hooks.example.com/': 'scheme',
    'http://127.0.0.1:8080/': 'scheme',
    'ftp://hooks.example.com/': 'scheme',
    'file:///etc/passwd': 'scheme',
    'gopher://hooks.example.com/': 'scheme',
    'javascript:alert(1)': 'scheme',
    'https://user@hooks.example.com/': 'credentials',
    'https://user:pass@hooks.example.com/': 'credentials',
    'https://:pass@hooks.example.com/': 'credentials',
    'https://hooks.example.com\\@127.0.0.1/': null,
    'https://127.0.0.1\\@hooks.example.com/': 'address',
    'https://[fe80::1%25eth0]/': 'not_a_url',
    '//hooks.example.com/': 'not_a_url',
    'hooks.example.com': 'not_a_url',
    'https://': 'not_a_url',
    'https://127.0.0.1:99999/': 'not_a_url',
  };
  for (const [url, fault] of Object.entries(faults)) t.is(urlFault(url, PRODUCTION), fault, url);
});

test('this machine is called by its own names outside production, also by http, and nothing else internal is', (t) => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1', 'a.localhost']) {
    t.is(urlFault(`http://${host}:8080/`, LOCAL), null, host);
    t.is(urlFault(`https://${host}:8443/`, LOCAL), null, host);
    t.is(urlFault(`http://${host}/`, LOCAL), null, host);
  }
  for (const host of ['10.0.0.1', '169.254.169.254', '0.0.0.0', '[fe80::1]']) {
    t.is(urlFault(`https://${host}/`, LOCAL), 'address', host);
    t.is(urlFault(`http://${host}:8080/`, LOCAL), 'scheme', host);
  }
});

test('a private network is called where the installation allows it, and no other', (t) => {
  const policy = { allowsLoopback: false, allowedNetworks: ['10.1.0.0/16', 'fd00:1::/32'] };
  t.is(urlFault('https://10.1.2.3/', policy), null);
  t.is(urlFault('https://[::ffff:10.1.2.3]/', policy), null);
  t.is(urlFault('https://[fd00:1::5]/', policy), null);
  t.is(urlFault('https://10.2.0.1/', policy), 'address');
  t.is(urlFault('https://[fd00:2::5]/', policy), 'address');
  t.is(urlFault('http://10.1.2.3:8080/', policy), 'scheme');
  for (const text of ['', 'nonsense', '10.1.0.0/16', 'hooks.example.com']) t.false(isCallable(text, policy), text);
});

test('a name of this machine is refused as it resolves, and one that does not resolve is left to the delivery', async (t) => {
  await t.throwsAsync(ensureCallable('https://localhost/', 'url', PRODUCTION), { message: /public address/ });
  await t.notThrowsAsync(ensureCallable('https://no-such-name.invalid/', 'url', PRODUCTION));
  await t.notThrowsAsync(ensureCallable('http://localhost:9999/', 'url', LOCAL));
});

type Address = { address: string; family: number };

test('a name that changes its mind reaches nothing inside: the address that was checked is the one that is called', async (t) => {
  let reached = 0;
  const inside = createServer((_request, response) => {
    reached += 1;
    response.end();
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  const { port } = inside.address() as AddressInfo;
  t.teardown(() => inside.close());
  const own = { address: '127.0.0.1', family: 4 };
  // Nothing answers at this address, which is reserved for that.
  const elsewhere = { address: '198.51.100.1', family: 4 };
  const answers: Address[][] = [
    [own],
    [elsewhere, own],
    [own, elsewhere],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
    [],
  ];
  for (const policy of [PRODUCTION, LOCAL]) {
    for (const addresses of answers) {
      const resolved: string[] = [];
      const resolve = (host: string, _options: object, callback: (error: null, found: Address[]) => void) => {
        resolved.push(host);
        callback(null, addresses);
      };
      const sender = createWebhookSender({ ...policy, resolve: resolve as never, attemptMs: 5_000 });
      const url = `https://rebinding.example.com:${port}/`;
      const { fault } = await sender.send({ url, headers: {}, body: Buffer.from('{}') });
      t.is(fault, 'address_not_allowed', JSON.stringify(addresses));
      t.deepEqual(resolved, ['rebinding.example.com']);
      await sender.close();
    }
  }
  t.is(reached, 0);
});

/** Listens on every address of this machine. Returns the port and how many have connected. */
async function everywhere(t: ExecutionContext): Promise<{ port: number; reached: () => number }> {
  let reached = 0;
  const server = createTcpServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '::', ipv6Only: false }, resolve));
  t.teardown(() => server.close());
  return { port: (server.address() as AddressInfo).port, reached: () => reached };
}

test('no spelling of an internal address is registered or sent to, and nothing on this machine is reached', async (t) => {
  const { port, reached } = await everywhere(t);
  const body = Buffer.from('{}');
  const sender = createWebhookSender(PRODUCTION);
  for (const host of INSIDE) {
    const url = `https://${host}:${port}/hook`;
    const refusal = await t.throwsAsync(ensureCallable(url, 'url', PRODUCTION), { instanceOf: DomainError }, host);
    t.like(refusal, { code: 'validation_failed', details: { field: 'url', reason: 'address' } }, host);
    t.is((await sender.send({ url, headers: {}, body })).fault, 'address_not_allowed', host);
  }
  const { fault } = await sender.send({ url: 'https://hooks.example.com:25/', headers: {}, body });
  t.is(fault, 'address_not_allowed');
  t.is(reached(), 0);
  const local = createWebhookSender(LOCAL);
  for (const host of ['127.0.0.1', '[::1]'])
    await local.send({ url: `http://${host}:${port}/hook`, headers: {}, body });
  t.is(reached(), 2, 'it listens');
  await Promise.all([sender.close(), local.close()]);
});

test('private networks are opened by a variable, which is refused in production', (t) => {
  const given = { WEBHOOK_ALLOWED_NETWORKS: ['10.1.0.0/16'] };
  t.deepEqual(receiverConfig({ ...given, ENVIRONMENT: 'sandbox' }).outboundPolicy, {
    allowsLoopback: true,
    allowedNetworks: ['10.1.0.0/16'],
  });
  t.is(receiverFault({ ...given, ENVIRONMENT: 'sandbox' }), null);
  t.regex(receiverFault({ ...given, ENVIRONMENT: 'production' }) ?? '', /must not be set in production/);
  t.is(receiverFault({ ENVIRONMENT: 'production' }), null);
  t.deepEqual(receiverConfig({ ENVIRONMENT: 'production' }).outboundPolicy, PRODUCTION);
});

/** Starts a server that counts its calls and tunnel connections. */
async function counted(t: ExecutionContext): Promise<{ url: string; calls: () => number }> {
  let calls = 0;
  const server: Server = createServer((_request, response) => {
    calls += 1;
    response.end();
  }).on('connect', (_request, socket) => {
    calls += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls };
}

test.serial('a proxy of the environment sees no delivery', async (t) => {
  const [proxy, target] = [await counted(t), await counted(t)];
  const before = { ...process.env };
  t.teardown(() => {
    for (const name of PROXY_VARIABLES) delete process.env[name];
    Object.assign(process.env, before);
  });
  for (const name of PROXY_VARIABLES) process.env[name] = proxy.url;
  const sender = createWebhookSender(LOCAL);
  const { isAccepted } = await sender.send({ url: target.url, headers: {}, body: Buffer.from('{}') });
  await sender.close();
  t.deepEqual([isAccepted, target.calls(), proxy.calls()], [true, 1, 0]);
});
