// While the database is away the service says so, ends no session in appearance only, and works again by itself.
import { connect, createServer, type Server, type Socket } from 'node:net';
import test from 'ava';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';

test('every answer that needs the database is 503 while it is down, signing out too, and the session lives on', async (t) => {
  const testDatabase = await createTestDatabase(t);
  const line = await openLine(new URL(testDatabase.ownerUrl));
  const database = throughLine(testDatabase, line.port);
  const auth = await runAuth({}, { database });
  t.teardown(async () => {
    await auth.close();
    line.cut();
  });
  await auth.createOrg({ isDemo: true });
  const browser = auth.browser();
  const account = { email: 'someone@example.test', password: PASSWORD };
  t.is((await browser.post('/api/auth/sign-up/email', account)).status, 201);
  const cookie = `svc_session=${browser.cookie('svc_session')}`;
  line.cut();
  for (const page of [
    await auth.browser().post('/api/auth/sign-in/email', account),
    await auth.browser().post('/api/auth/sign-up/email', account),
    await auth.browser().post('/api/auth/sign-out', undefined, { cookie }),
    await auth.browser().get('/api/auth/get-session', { cookie }),
    await auth.browser().post('/api/auth/request-password-reset', { email: account.email }),
  ]) {
    t.is(page.status, 503);
    t.is(page.body.error, 'service_unavailable');
    t.truthy(page.headers.get('retry-after'));
    t.deepEqual(page.setCookies, []);
  }
  t.is((await auth.browser().get('/healthz')).status, 200);
  await line.mend();
  t.is((await auth.browser().get('/api/auth/get-session', { cookie })).status, 200);
});

/** A line to the server that can be cut and mended. */
async function openLine({ hostname, port }: URL) {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
    return undefined;
  });
  const listen = (at: number) =>
    new Promise<Server>((resolve) => server.listen(at, '127.0.0.1', () => resolve(server)));
  await listen(0);
  const { port: own } = server.address() as { port: number };
  return {
    port: own,
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
      server.close();
    },
    mend: async () => {
      isCut = false;
      await listen(own);
    },
  };
}

function throughLine(database: TestDatabase, port: number): TestDatabase {
  const via = (address: string) => {
    const url = new URL(address);
    url.hostname = '127.0.0.1';
    url.port = String(port);
    return url.toString();
  };
  const { appUrl, opsUrl, authUrl } = database;
  return { ...database, appUrl: via(appUrl), opsUrl: via(opsUrl), authUrl: via(authUrl) };
}
