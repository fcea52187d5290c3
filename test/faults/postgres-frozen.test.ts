// The database hangs without closing anything: callers are refused within their deadline, and what they retry
// afterwards is done once.
import test from 'ava';
import { answerForGood } from '../support/for-good.ts';
import { bodyOf, newHouse, risk } from '../support/house.ts';
import { startPlatform } from '../support/platform.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { startProxy } from '../support/servers/proxy.ts';
import { overTcp } from '../support/servers/servers.ts';

/** The default of an installation that sets none. */
const DEADLINE_MS = 15_000;
/** Three seconds allow a slow machine to write its answers. */
const REFUSED_WITHIN_MS = DEADLINE_MS + 3_000;
/** More callers than the pool has connections. */
const CALLERS = 25;

test('every call is refused with 503 in time while the database is frozen, and afterwards all goes on', async (t) => {
  const database = await createTestDatabase(t);
  const proxy = await startProxy(Number(new URL(database.appUrl).port));
  const behind = (url: string) => overTcp(url, proxy.port);
  const frozen = { ...database, appUrl: behind(database.appUrl), opsUrl: behind(database.opsUrl) };
  const variables = { COMMAND_DEADLINE_MS: String(DEADLINE_MS) };
  const platform = await startPlatform(t, { database: frozen, variables });
  t.teardown(() => {
    proxy.thaw();
    proxy.close();
  });
  const house = await newHouse(platform);
  const client = house.as('org_admin');
  const options = { headers: { 'idempotency-key': 'frozen' } };
  const body = risk();
  const list = () => answerForGood(() => client.get('/v1/submissions'));
  t.is((await list()).status, 200);

  proxy.freeze();
  const beganAtMs = performance.now();
  const calls = Array.from({ length: CALLERS }, () => client.get('/v1/submissions'));
  const answers = await Promise.all([
    ...[...calls, client.post('/v1/submissions', body, options)],
    client.get('/readyz'),
  ]);
  const tookMs = performance.now() - beganAtMs;
  t.true(tookMs < REFUSED_WITHIN_MS, `${tookMs} ms`);
  for (const { status, headers, text } of answers) {
    t.is(status, 503, text);
    t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }

  proxy.thaw();
  const made = await answerForGood(() => client.post('/v1/submissions', body, options));
  t.is(made.status, 201, made.text);
  t.is(bodyOf(await list()).data.length, 1);
});
