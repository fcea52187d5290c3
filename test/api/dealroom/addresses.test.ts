import test from 'ava';
import { ensureOrigin, socketOrigin } from '../../../api/sockets/addresses.ts';

const baseUrl = 'https://api.example.com';
const direct = { baseUrl, trustProxy: false };
const proxied = { baseUrl, trustProxy: true };

test('the address of a socket is the one under which the caller reached the api', (t) => {
  t.is(socketOrigin({ host: '127.0.0.1:8787' }, direct), 'ws://127.0.0.1:8787');
  t.is(socketOrigin({ host: 'api.example.com' }, direct), 'wss://api.example.com');
  t.is(socketOrigin({}, direct), 'wss://api.example.com');
  const forwarded = { host: '10.0.0.7:8787', 'x-forwarded-host': 'mga.example.com', 'x-forwarded-proto': 'https' };
  t.is(socketOrigin(forwarded, proxied), 'wss://mga.example.com');
  t.is(socketOrigin(forwarded, direct), 'ws://10.0.0.7:8787');
  t.is(socketOrigin({ ...forwarded, 'x-forwarded-proto': 'http' }, proxied), 'ws://mga.example.com');
  t.is(socketOrigin({ host: 'api.example.com/evil?' }, direct), 'wss://api.example.com');
});

test('a browser opens a socket in production only from the pages that are listed and from the api itself', (t) => {
  const corsOrigins = ['https://desk.example.com'];
  const production = { ...direct, corsOrigins, environment: 'production' } as const;
  const host = 'api.example.com';
  t.notThrows(() => ensureOrigin({ host }, production));
  t.notThrows(() => ensureOrigin({ host, origin: 'https://desk.example.com' }, production));
  t.notThrows(() => ensureOrigin({ host, origin: 'https://api.example.com' }, production));
  for (const origin of ['https://evil.example.com', 'null']) {
    t.like(
      t.throws(() => ensureOrigin({ host, origin }, production)),
      { code: 'forbidden' },
    );
    t.notThrows(() => ensureOrigin({ host, origin }, { ...production, environment: 'local' }));
  }
});
