// What the clients promise besides types: retried calls, pages, deliveries, and packages that others can use.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { BinderyClient, BinderyError, WebhookError, webhookEvent } from '../../clients/typescript/src/index.ts';
import { signedHeaders } from '../../providers/webhooks/signature.ts';
import { signingKey } from '../../providers/webhooks/signing-keys.ts';
import { python, pythonFault } from './python.ts';

const ROOT = join(import.meta.dirname, '../..');
const POLICY = 'pol_01jz8k3v5ne0rbx4q2mw7t6yha';

interface Sent {
  url: string;
  method: string;
  headers: Headers;
}

type Step = Error | { status: number; body: object | string; headers?: Record<string, string> };

/** A client whose calls are answered by these steps in turn, and what it sent. */
function scripted(...steps: Step[]) {
  const sent: Sent[] = [];
  const answer: typeof fetch = async (url, { method = '', headers } = {}) => {
    sent.push({ url: String(url), method, headers: new Headers(headers) });
    const step = steps[sent.length - 1];
    if (step === undefined) throw new Error('The script has ended.');
    if (step instanceof Error) throw step;
    const { status, body, headers: given = {} } = step;
    return typeof body === 'string' ? new Response(body) : Response.json(body, { status, headers: given });
  };
  const credential = { token: 'token' };
  return { sent, client: new BinderyClient({ baseUrl: 'http://localhost:1', credential, fetch: answer }) };
}

const refusal = (status: number, error: string, details = {}): Step => ({
  ...{ status, body: { error, message: 'No.', details, requestId: 'req_1' } },
  headers: { 'retry-after': '0' },
});
const bind = (client: BinderyClient) =>
  client.call('bindSubmission', { path: { id: 'sub_1' }, body: { installmentPlan: 'PAY_IN_FULL' } });

test('a POST is repeated under one Idempotency-Key after the network broke, and while the platform is busy', async (t) => {
  const steps = [new TypeError('fetch failed'), refusal(409, 'idempotency_in_progress'), refusal(503, 'x')];
  const { client, sent } = scripted(...steps, { status: 201, body: { policyId: POLICY } });
  t.is((await bind(client)).policyId, POLICY);
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  t.is(keys.length, 4);
  t.is(new Set(keys).size, 1);
  t.truthy(keys[0]);
});

test.serial(
  'an operation that may need minutes gets them, every other one a minute, and all the time the caller sets',
  async (t) => {
    const bounds: number[] = [];
    const bound = AbortSignal.timeout;
    AbortSignal.timeout = (ms) => {
      bounds.push(ms);
      return bound.call(AbortSignal, 60_000);
    };
    t.teardown(() => {
      AbortSignal.timeout = bound;
    });
    const answer: typeof fetch = async () => Response.json({});
    const parts = { baseUrl: 'http://localhost:1', fetch: answer };
    for (const client of [new BinderyClient(parts), new BinderyClient({ ...parts, timeoutMs: 5_000 })]) {
      await client.call('advanceTestClock', { body: { advanceTo: '2027-01-01' } });
      await client.call('getPolicy', { path: { id: POLICY } });
    }
    // Moving the clock gets 300 seconds, plus half a minute for the engine and the network.
    t.deepEqual(bounds, [330_000, 60_000, 5_000, 5_000]);
  },
);

test('two calls have two keys', async (t) => {
  const done: Step = { status: 201, body: {} };
  const { client, sent } = scripted(done, done);
  await bind(client);
  await bind(client);
  t.is(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size, 2);
});

test('a call that could take effect twice is repeated only after a rate limit refuses it', async (t) => {
  const change = { path: { id: POLICY }, body: { insuredPhone: '+1 512 555 0100' } };
  const broken = scripted(new TypeError('fetch failed'));
  await t.throwsAsync(broken.client.call('changePolicyContact', change), { message: 'fetch failed' });
  t.is(broken.sent.length, 1);
  const busy = scripted(refusal(503, 'service_unavailable'));
  await t.throwsAsync(busy.client.call('changePolicyContact', change), { instanceOf: BinderyError });
  const fast = scripted(refusal(429, 'rate_limited'), { status: 200, body: {} });
  await fast.client.call('changePolicyContact', change);
  t.is(fast.sent.length, 2);
});

test('the client gives up after its attempts with the last refusal, its code, details and request id', async (t) => {
  const busy = refusal(503, 'service_unavailable', { retryAfterSeconds: 0 });
  const { client, sent } = scripted(busy, busy, busy, busy, busy);
  const error = await t.throwsAsync(bind(client), { instanceOf: BinderyError });
  t.is(sent.length, 4);
  t.true(BinderyError.is(error, 'service_unavailable') && error.details.retryAfterSeconds === 0);
  t.like(error, { status: 503, requestId: 'req_1', message: 'No.' });
});

test('a list is read page by page until its last', async (t) => {
  const page = (ids: string[], nextCursor: string | null): Step => ({
    status: 200,
    body: { data: ids.map((id) => ({ id })), nextCursor },
  });
  const { client, sent } = scripted(page(['a', 'b'], 'next'), page(['c'], null));
  const ids: string[] = [];
  for await (const { id } of client.list('listInvoices', { query: { policyId: POLICY } })) ids.push(id);
  t.deepEqual(ids, ['a', 'b', 'c']);
  t.true(sent[1]?.url.endsWith(`/v1/invoices?policyId=${POLICY}&cursor=next`));
});

test('a table is read as CSV, and a change says which version it is of', async (t) => {
  const { client, sent } = scripted({ status: 200, body: 'bucket,count\r\n' }, { status: 200, body: {} });
  t.is(await client.csv('readReceivables', { path: { orgId: 'org_1' } }), 'bucket,count\r\n');
  await client.call('changePolicyContact', { path: { id: POLICY }, body: {}, ifMatch: '"pol_1-3"' });
  t.is(sent[0]?.headers.get('accept'), 'text/csv');
  t.is(sent[1]?.headers.get('if-match'), '"pol_1-3"');
});

const SECRET = 'c'.repeat(64);
const SENT_AT = 1_772_366_400;
const BODY = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'policy.bound', data: { policyNumber: 'GL–1' } }));
const HEADERS = signedHeaders({
  ...{ deliveryUuid: '0197f43d-8e00-7000-8000-000000000001', eventId: 'evt_1', eventType: 'policy.bound' },
  ...{ body: BODY, sentAt: SENT_AT, key: signingKey('d'.repeat(64)), previousKeys: [signingKey(SECRET)] },
});

test('a delivery is known by the new and the replaced secret, and no other, altered or old one is', async (t) => {
  const now = SENT_AT * 1000;
  const event = await webhookEvent(BODY, HEADERS, SECRET, { now });
  t.is(event.type === 'policy.bound' && event.data.policyNumber, 'GL–1');
  t.is((await webhookEvent(BODY, new Headers(HEADERS), ['x', 'd'.repeat(64)], { now })).id, 'evt_1');
  const refused = { instanceOf: WebhookError };
  await t.throwsAsync(webhookEvent(BODY, HEADERS, 'another', { now }), refused);
  await t.throwsAsync(webhookEvent(`${BODY} `, HEADERS, SECRET, { now }), refused);
  await t.throwsAsync(webhookEvent(BODY, HEADERS, SECRET, { now: now + 301_000 }), refused);
  await t.throwsAsync(webhookEvent(BODY, { ...HEADERS, 'webhook-timestamp': '' }, SECRET, { now }), refused);
});

const ifPython = pythonFault === null ? test : test.skip;
ifPython(`the Python client takes and refuses the same deliveries${pythonFault ?? ''}`, (t) => {
  const program = `
import json, sys
from bindery_client import WebhookError, webhook_event
given = json.load(sys.stdin)
body, headers, now = given["body"].encode(), given["headers"], given["now"]
assert webhook_event(body, headers, given["secret"], now=now)["id"] == "evt_1"
for case in [(body, "another", now), (body + b" ", given["secret"], now), (body, given["secret"], now + 301)]:
    try:
        webhook_event(case[0], headers, case[1], now=case[2])
    except WebhookError:
        continue
    sys.exit(f"taken: {case}")
`;
  const input = JSON.stringify({ body: BODY.toString(), headers: HEADERS, secret: SECRET, now: SENT_AT });
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stderr } = spawnSync(python, ['-c', program], { input, env, encoding: 'utf8' });
  t.is(status, 0, stderr);
});

test('the TypeScript package compiles by itself, and plain JavaScript can use it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-client-'));
  try {
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const built = spawnSync(tsc, ['--project', join(ROOT, 'clients/typescript'), '--outDir', folder], {
      encoding: 'utf8',
    });
    t.is(built.status, 0, built.stdout);
    t.regex(readFileSync(join(folder, 'index.d.ts'), 'utf8'), /BinderyClient/);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    const program = `import { BinderyClient } from '${join(folder, 'index.js')}'; new BinderyClient({ baseUrl: 'http://x' });`;
    const used = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    t.is(used.status, 0, used.stderr);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

ifPython(`the Python client and its example program pass a strict type check${pythonFault ?? ''}`, (t) => {
  const pyright = join(ROOT, 'node_modules/pyright/index.js');
  const args = [pyright, '--project', join(ROOT, 'clients/python')];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  t.is(status, 0, stdout);
});
