// The authentication service with KV_CACHE: guesses are counted in a real Valkey or Redis, and while that is away no
// one may guess.
import test from 'ava';
import { SIGN_IN_ATTEMPTS } from '../../auth/lock-out.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { hasValkey, NO_VALKEY, testValkey } from '../support/servers/valkey.ts';
import { runAuth } from './run-auth.ts';
import { runMicrosoft, signOn } from './run-microsoft.ts';

const PASSWORD = 'correct horse battery staple';
const WRONG = 'a wrong password';

const withServer = hasValkey ? test : test.skip;
const where = hasValkey ? '' : ` (${NO_VALKEY})`;

withServer(
  `wrong passwords at two processes are counted together, and a right one opens the way again${where}`,
  async (t) => {
    const server = await testValkey();
    t.teardown(server.stop);
    const database = await createTestDatabase(t);
    const [one, other] = [
      await runAuth({ KV_CACHE: server.url }, { database }),
      await runAuth({ KV_CACHE: server.url }, { database }),
    ];
    t.teardown(() => Promise.all([one.close(), other.close()]));
    await one.createOrg({ isDemo: true });
    const email = 'someone@example.test';
    t.is((await one.browser().post('/api/auth/sign-up/email', { email, password: PASSWORD })).status, 201);
    const signIn = async (process: typeof one, password: string) =>
      (await process.browser().post('/api/auth/sign-in/email', { email, password })).status;
    const guess = async (times: number) => {
      for (let i = 0; i < times; i += 1) t.is(await signIn(i % 2 === 0 ? one : other, WRONG), 401);
    };
    await guess(SIGN_IN_ATTEMPTS - 1);
    t.is(await signIn(one, PASSWORD), 200);
    await guess(SIGN_IN_ATTEMPTS);
    t.is(await signIn(one, PASSWORD), 429);
    t.is(await signIn(other, PASSWORD), 429);
    t.deepEqual((await one.sql.query(`select key from kv_entries where key not like 'set-password:%'`)).rows, []);
  },
);

withServer(`a single sign-on that began at one process ends at another${where}`, async (t) => {
  const server = await testValkey();
  const microsoft = await runMicrosoft();
  const auth = await runAuth({ ...microsoft.variables, KV_CACHE: server.url });
  t.teardown(async () => {
    await auth.close();
    await microsoft.stop();
    await server.stop();
  });
  await auth.createOrg({ emailDomains: ['corp.test'] });
  microsoft.claims = { oid: 'one', name: 'One', email: 'one@corp.test', xms_edov: true };
  const callback = `${auth.url}/portals/admin/api/auth/callback`;
  const page = await signOn(auth.browser(), callback);
  t.true(page.location?.startsWith(`${callback}?token=`), page.location ?? 'no address');
});

test('nobody signs in or gets a link while the store is down, even with the right password: 503', async (t) => {
  const auth = await runAuth({ KV_CACHE: 'redis://127.0.0.1:1' });
  t.teardown(() => auth.close());
  await auth.createOrg({ isDemo: true });
  const account = { email: 'someone@example.test', password: PASSWORD };
  const browser = auth.browser();
  t.is((await browser.post('/api/auth/sign-up/email', account)).status, 201);
  const cookie = `svc_session=${browser.cookie('svc_session')}`;
  for (const page of [
    await auth.browser().post('/api/auth/sign-in/email', account),
    await auth.browser().post('/api/auth/sign-in/email', { ...account, password: WRONG }),
    await auth.browser().post('/api/auth/request-password-reset', { email: account.email }),
  ]) {
    t.is(page.status, 503);
    t.is(page.body.error, 'service_unavailable');
    t.truthy(page.headers.get('retry-after'));
    t.deepEqual(page.setCookies, []);
  }
  t.is((await auth.browser().get('/api/auth/get-session', { cookie })).status, 200, 'who is signed in stays so');
});
