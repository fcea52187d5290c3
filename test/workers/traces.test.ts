// One trace from request to statement, as a collector receives it from an installation's processes.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import test from 'ava';
import { BIND_BODY, quotedSubmission } from '../faults/bind.ts';
import { type Platform, startPlatform } from '../faults/platform.ts';
import { ROOT } from '../scripts/run-script.ts';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/servers/collector.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';

const INSURED = 'Esperanza Quiñones Ferreteria';

let collector: Collector;
let database: TestDatabase;
let platform: Platform;
let client: TestClient;

const start = (variables: Record<string, string>) =>
  startPlatform({
    database,
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '',
    taskQueuePrefix: `traces-${randomBytes(5).toString('hex')}`,
    variables,
  });

test.before('a platform that sends its traces', async (t) => {
  database = await createTestDatabase(t);
  collector = await startCollector();
  platform = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=secret-of-the-collector',
  });
  const { body } = await platform.machine.post('/v1/organizations', { name: 'Traces' });
  client = await platform.as({ role: 'org_admin', org: body.id });
});

test.after.always('all is stopped', async () => {
  await platform?.stop();
  await collector?.stop();
});

/** A request's span, once it has arrived, and everything of its trace so far. */
const traceOf = (name: string, isComplete: (spans: CollectedSpan[]) => boolean) =>
  eventually(
    () => {
      const root = collector.spans.find((span) => span.name === name && span.parentSpanId === null);
      const spans = collector.spans.filter(({ traceId }) => traceId === root?.traceId);
      return root && isComplete(spans) && { root, spans };
    },
    { what: `the trace of ${name}` },
  );

/** The names of a span and its ancestors, from the request down. */
function path(span: CollectedSpan, spans: readonly CollectedSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? path(parent, spans) : []), `${span.service}: ${span.name}`];
}

test.serial(
  'a bind is one trace: the request, the update, the step and its statements, each below the one before',
  async (t) => {
    const submissionId = await quotedSubmission(client, INSURED);
    const bound = await client.post(`/v1/submissions/${submissionId}/bind`, BIND_BODY);
    t.is(bound.status, 201, bound.text);
    const isInsert = ({ name, service }: CollectedSpan) => name === 'INSERT' && service === 'bindery-worker';
    const { root, spans } = await traceOf(
      'POST /v1/submissions/:id/bind',
      (found) => found.some(isInsert) && found.some(({ name }) => name === 'update bind'),
    );
    const insert = spans.find(isInsert);
    t.deepEqual(insert && path(insert, spans), [
      'bindery-api: POST /v1/submissions/:id/bind',
      'bindery-api: send bind',
      'bindery-worker: update bind',
      'bindery-worker: activity bindPolicy',
      'bindery-worker: INSERT',
    ]);
    t.like(root.attributes, { 'http.route': '/v1/submissions/:id/bind', 'http.response.status_code': 201 });
    t.like(spans.find(({ name }) => name === 'update bind')?.attributes, {
      'temporal.workflow.type': 'submissionWorkflow',
    });
    t.true(
      spans.some(({ name, service }) => name === 'SELECT' && service === 'bindery-api'),
      'the api reads in it too',
    );
    for (const span of spans) t.true(span.endedMs >= span.startedMs, span.name);
  },
);

test.serial('a refusal is known by its status, and a trace that a caller names is not joined', async (t) => {
  const traceId = randomBytes(16).toString('hex');
  const submissionId = await quotedSubmission(client, INSURED);
  const headers = { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` };
  await client.post(`/v1/submissions/${submissionId}/decline`, { reason: INSURED }, { headers });
  const again = await client.post(`/v1/submissions/${submissionId}/bind`, BIND_BODY, { headers });
  t.is(again.status, 422, again.text);
  const refused = await eventually(
    () => collector.spans.find(({ attributes }) => attributes['http.response.status_code'] === 422),
    { what: 'the refusal' },
  );
  t.false(refused.isFailed, 'a refusal is no failure of ours');
  t.false(collector.spans.some((span) => span.traceId === traceId));
});

test.serial('statements have no values, spans no addresses, and nothing says a name or a secret', async (t) => {
  const submissionId = await quotedSubmission(client, INSURED);
  await client.get('/v1/submissions', { query: { insuredName: INSURED } });
  await client.post(`/v1/submissions/${submissionId}/decline`, { reason: `${INSURED} has closed` });
  await traceOf('POST /v1/submissions/:id/decline', (spans) => spans.some(({ name }) => name === 'update decline'));
  const texts = collector.spans.flatMap(({ attributes }) => attributes['db.query.text'] ?? []).map(String);
  t.true(
    texts.some((text) => /^insert into "submissions"/.test(text) && text.includes('$1')),
    'statements are there',
  );
  t.deepEqual(
    texts.filter((text) => text.includes("'") || text.includes(submissionId)),
    [],
  );
  const sent = collector.bodies.join('\n');
  const secrets = Object.values(platform.config.acceptedSecrets).flat();
  for (const word of [INSURED, 'Quiñones', 'has closed', '722511', ...secrets]) t.false(sent.includes(word), word);
  const named = collector.spans.filter(({ name }) => /sub_|pol_|org_|\?/.test(name));
  t.deepEqual(named, []);
  const allowed =
    /^(http\.(request\.method|route|response\.status_code)|bindery\.org_id|db\.(system\.name|query\.text)|error\.type|temporal\.[a-z_.]+)$/;
  t.deepEqual(
    [...new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)))].filter(
      (name) => !allowed.test(name),
    ),
    [],
  );
});

test.serial('requests to the collector carry our credentials', (t) => {
  t.true(collector.bodies.some((body) => body.includes('"x-collector-key":"secret-of-the-collector"')));
});

/** Prints whether API and worker code loads OpenTelemetry's SDK; its API alone, which others need, does not count. */
const LOADED = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  const resolve = (specifier, context, next) => {
    const found = next(specifier, context);
    if (/@opentelemetry\\/(sdk|exporter)/.test(found.url)) loaded.push(found.url);
    return found;
  };
  registerHooks({ resolve });
  await import('./api/app.ts');
  await import('./workers/create-workers.ts');
  await import('./workers/entity-engine.ts');
  const { startTracing } = await import('./providers/tracing/tracing.ts');
  await startTracing(null, 'api', {});
  const without = loaded.length;
  await startTracing({ url: 'http://127.0.0.1:9', headers: {}, ratio: 1 }, 'api', {});
  process.stdout.write(JSON.stringify({ without, with: loaded.length > 0 }));`;

test('nothing of OpenTelemetry is loaded without a collector', (t) => {
  const args = ['--input-type=module', '--eval', LOADED];
  const output = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', timeout: PATIENCE_MS });
  t.deepEqual(JSON.parse(output), { without: 0, with: true });
});

test.serial('everything is served while the collector is away', async (t) => {
  const away = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' });
  t.teardown(() => away.stop());
  const { body } = await away.machine.post('/v1/organizations', { name: 'Away' });
  const submissionId = await quotedSubmission(await away.as({ role: 'org_admin', org: body.id }), INSURED);
  t.regex(submissionId, /^sub_/);
});
