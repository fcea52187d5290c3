// Provider calls, against a server that answers in every bad way.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { CallFault, callProvider, jsonOf, sendCall } from '../../providers/provider-call.ts';

let answer: (response: ServerResponse) => void = () => {};
const server = createServer((request, response) => {
  request.resume().on('end', () => answer(response));
});
let url: URL;

test.before('a server', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
test.after.always(() => {
  server.closeAllConnections();
  server.close();
});

const call = (changes = {}) => sendCall({ url, method: 'POST', headers: {}, body: { a: 1 }, ...changes });
const provided = (changes = {}) => callProvider({ provider: 'It', url, method: 'GET', headers: {}, ...changes });

test.serial('a response is whole, bounded in size and in time', async (t) => {
  answer = (response) => response.end('{"b":2}');
  t.deepEqual(await jsonOf('It', await provided()), { b: 2 });
  answer = (response) => response.writeHead(204).end();
  t.is((await call()).status, 204);
  answer = (response) => response.end('x'.repeat(11));
  t.is((await t.throwsAsync<CallFault>(call({ maxBytes: 10 }), { instanceOf: CallFault }))?.reason, 'too_large');
  t.is((await call({ maxBytes: 11 })).status, 200);
  // The headers arrive in time, but the rest does not.
  answer = (response) => response.write('{');
  t.is((await t.throwsAsync<CallFault>(call({ timeoutMs: 200 }), { instanceOf: CallFault }))?.reason, 'too_slow');
  answer = (response) => response.destroy();
  t.is((await t.throwsAsync<CallFault>(call(), { instanceOf: CallFault }))?.reason, 'away');
  answer = (response) => response.writeHead(302, { location: 'https://example.com' }).end();
  t.is((await t.throwsAsync<CallFault>(call(), { instanceOf: CallFault }))?.reason, 'away');
});

test.serial('the unread part of a response is given up, however long it is', async (t) => {
  let isGivenUp = Promise.withResolvers<void>();
  answer = (response) => {
    response.on('close', () => isGivenUp.resolve()).writeHead(500);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  t.is((await call()).status, 500);
  await isGivenUp.promise;
  isGivenUp = Promise.withResolvers();
  await t.throwsAsync(provided(), { message: 'It is not available.' });
  await isGivenUp.promise;
});

test.serial('a permanent status is a refusal, and a transient one is unavailable', async (t) => {
  for (const [status, code] of [
    [422, 'validation_failed'],
    [404, 'validation_failed'],
    [429, 'service_unavailable'],
    [503, 'service_unavailable'],
  ] as const) {
    answer = (response) => response.writeHead(status).end('{}');
    await t.throwsAsync(provided(), { code }, String(status));
  }
  answer = (response) => response.writeHead(404).end('{"gone":true}');
  t.deepEqual(await (await provided({ also: [404] })).json(), { gone: true });
});
