// The service as a process: it starts with a service's variables, reports that it is healthy, and stops cleanly.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';
import { variablesOf } from '../../config.ts';
import { testVariables } from '../support/config.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { freePort } from '../support/servers/free-port.ts';

const ENTRY = join(import.meta.dirname, '../../auth/server.ts');

test('it answers its health endpoint and ends with code 0 on SIGTERM, after the sign-up under way', async (t) => {
  const database = await createTestDatabase(t);
  const port = await freePort();
  const variables = { AUTH_PORT: String(port), LOG_LEVEL: 'warn' };
  const all = testVariables({ database, temporalAddress: '127.0.0.1:1', taskQueuePrefix: 'none', variables });
  const child = spawn(process.execPath, [ENTRY], {
    env: { PATH: process.env.PATH, ...variablesOf('auth', all) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const base = `http://localhost:${port}`;
  const health = await eventually(() => fetch(`${base}/healthz`).catch(() => null), { what: 'the service' });
  t.is(health.status, 200);
  t.deepEqual(await health.json(), { status: 'ok' });
  const signUp = fetch(`${base}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'someone@example.test', password: 'correct horse battery staple' }),
  });
  // The second health check is answered once the earlier sign-up has been received.
  await fetch(`${base}/healthz`);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  t.is((await signUp).status, 201);
  t.deepEqual(await exited, [0, null]);
});
