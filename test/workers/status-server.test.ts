// The worker's status server, on the process that an installation runs.
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { Registry } from 'prom-client';
import { startStatusServer } from '../../workers/status-server.ts';
import { type Platform, startPlatform } from '../faults/platform.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { type CuttableLine, cuttableLine } from '../support/servers/cuttable-line.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';

let line: CuttableLine;
let platform: Platform;

test.before('a platform whose line to PostgreSQL can be cut', async (t) => {
  line = await cuttableLine(await createTestDatabase(t));
  platform = await startPlatform({
    database: line.database,
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '',
    taskQueuePrefix: `status-${randomBytes(5).toString('hex')}`,
    // Unreachable parts are logged, as they should be.
    variables: { LOG_LEVEL: 'silent' },
  });
});

test.after.always('the platform is stopped', () => platform?.stop());

const WHOLE = { polling: true, temporal: true, database: true };

const ask = async (path: string, base = platform.workerUrl) => {
  const response = await fetch(`${base}${path}`);
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
};

/** Waits for an answer about the parts. On a busy machine a part that is up may be late to say so. */
const readiness = (status: number, parts: object) =>
  eventually(
    async () => {
      const answer = await ask('/readyz').catch(() => null);
      return answer?.status === status && isDeepStrictEqual(JSON.parse(answer.text), parts);
    },
    { what: `readiness ${status} ${JSON.stringify(parts)}` },
  );

test.serial(
  'a worker is ready when it polls and reaches Temporal and PostgreSQL, and alive whatever it reaches',
  async (t) => {
    await readiness(200, WHOLE);
    line.cut();
    await readiness(503, { ...WHOLE, database: false });
    t.is((await ask('/healthz')).text, '{"status":"ok"}');
    line.mend();
    await readiness(200, WHOLE);
  },
);

/** A series' value, null where there is none. */
const valueIn = (text: string, series: string) => {
  const found = text.split('\n').find((each) => each.startsWith(`${series} `));
  return found === undefined ? null : Number(found.slice(series.length + 1));
};

test.serial('one endpoint has the measurements of the process, of the SDK and of the business', async (t) => {
  await readiness(200, WHOLE);
  const { status, type, text } = await ask('/metrics');
  t.is(status, 200);
  t.regex(type, /^text\/plain; version=0\.0\.4/);
  t.true((valueIn(text, 'process_resident_memory_bytes') ?? 0) > 0);
  t.is(valueIn(text, 'bindery_trust_disagreements'), 0);
  t.is(valueIn(text, 'bindery_waiting_workflows{type="paymentWorkflow"}'), 0);
  t.true(text.includes('\ntemporal_worker_task_slots_available{'), 'the slots of the SDK');
  isWellFormed(t, text);
});

/** Each line is a comment or a sample, and no family is described twice, which a scraper would refuse. */
function isWellFormed(t: ExecutionContext, text: string): void {
  const described = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  t.deepEqual(described, [...new Set(described)]);
  const odd = text.split('\n').filter((each) => each !== '' && !/^(# (HELP|TYPE) |[a-z_]\w*(\{.*\})? \S+$)/.test(each));
  t.deepEqual(odd, []);
}

test.serial('every other request is 404, and no body is accepted', async (t) => {
  await readiness(200, WHOLE);
  for (const path of ['/', '/metrics/', '/metrics?x=1', '/readyz/..', '/v1/policies', '/__proto__', '/constructor'])
    t.is((await ask(path)).status, 404, path);
  t.is((await fetch(`${platform.workerUrl}/metrics`, { method: 'POST', body: 'x' })).status, 404);
});

test('a worker whose parts are not there yet is alive and not ready, and gives its own measurements without those of the SDK', async (t) => {
  const registry = new Registry();
  registry.setDefaultLabels({ of: 'us' });
  const sdkMetrics = () => Promise.reject(new Error('nobody listens'));
  const server = await startStatusServer({ port: 0, registry, sdkMetrics, logger: silentLogger });
  t.teardown(() => server.stop(0));
  const base = `http://127.0.0.1:${server.port}`;
  t.is((await ask('/healthz', base)).status, 200);
  t.deepEqual(await ask('/readyz', base), {
    status: 503,
    type: 'application/json; charset=utf-8',
    text: '{"polling":false,"temporal":false,"database":false}',
  });
  t.is((await ask('/metrics', base)).status, 200);
});
