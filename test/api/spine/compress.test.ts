// Which answers are compressed, and which are sent as they are.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import test from 'ava';
import Koa from 'koa';
import { compressAnswers } from '../../../api/spine/middleware/compress.ts';
import type { Middleware, RequestState } from '../../../api/spine/middleware/state.ts';

const LARGE = { data: Array.from({ length: 500 }, (_, number) => ({ number, name: 'Lone Star Diner LLC' })) };

const ANSWERS: Record<string, Middleware> = {
  '/large': (ctx) => {
    ctx.body = LARGE;
  },
  '/small': (ctx) => {
    ctx.body = { data: [] };
  },
  '/row': (ctx) => {
    ctx.set('ETag', '"pol_1.1"');
    ctx.body = LARGE;
  },
  '/file': (ctx) => {
    ctx.type = 'text/csv';
    ctx.body = Readable.from([JSON.stringify(LARGE)]);
  },
  '/picture': (ctx) => {
    ctx.type = 'image/png';
    ctx.body = Buffer.from(JSON.stringify(LARGE));
  },
};

test('large responses to reads are compressed; rows with a tag, files and responses to commands are not', async (t) => {
  const app = new Koa<RequestState>();
  app.use(compressAnswers());
  app.use((ctx, next) => ANSWERS[ctx.path]?.(ctx, next));
  const server = app.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const ask = async (method: string, path: string, accepted: string) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const answer = await fetch(url, { method, headers: { 'accept-encoding': accepted } });
    return {
      encoding: answer.headers.get('content-encoding'),
      vary: answer.headers.get('vary'),
      body: await answer.text(),
    };
  };
  const body = JSON.stringify(LARGE);
  t.deepEqual(await ask('GET', '/large', 'gzip, deflate'), { encoding: 'gzip', vary: 'Accept-Encoding', body });
  t.deepEqual(await ask('GET', '/large', 'gzip, br'), { encoding: 'br', vary: 'Accept-Encoding', body });
  t.deepEqual(await ask('GET', '/large', 'identity'), { encoding: null, vary: 'Accept-Encoding', body });
  for (const path of ['/row', '/file', '/picture'])
    t.deepEqual(await ask('GET', path, 'gzip'), { encoding: null, vary: null, body });
  t.is((await ask('GET', '/small', 'gzip')).encoding, null);
  t.is((await ask('POST', '/large', 'gzip')).encoding, null);
});
