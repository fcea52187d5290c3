// While the database is away the service says so, does not pretend to end sessions, and recovers on its own.
import test from 'ava';
import { cuttableLine } from '../support/servers/cuttable-line.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { runAuth } from './run-auth.ts';

const PASSWORD = 'correct horse battery staple';

test('every request that needs the database is 503 while it is down, sign-out too, and the session lives on', async (t) => {
  const line = await cuttableLine(await createTestDatabase(t));
  const auth = await runAuth({}, { database: line.database });
  t.teardown(() => auth.close());
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
  line.mend();
  t.is((await auth.browser().get('/api/auth/get-session', { cookie })).status, 200);
});
