// Everything named by the dashboard, the alert rules and docs/operations.md is present when an API and a worker are
// scraped.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { BIND_BODY, quotedSubmission } from '../faults/bind.ts';
import { type Platform, startPlatform } from '../faults/platform.ts';
import { emptyFolder } from '../scripts/run-script.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';
import { documentedMetrics, labelsOf, namesIn, queries } from './observed-names.ts';

/** Prometheus itself adds these, and puts these labels on everything that it scrapes. */
const OF_PROMETHEUS = { metrics: ['up', 'ALERTS'], labels: ['job', 'instance', 'alertstate'] };

/**
 * What the SDK adds with the first event of its kind, with its labels: none of these events occurs on a healthy
 * platform.
 */
const OF_EVENTS: Readonly<Record<string, { event: string; labels: string[] }>> = {
  temporal_workflow_task_execution_failed_total: {
    event: 'workflow code threw, or did not fit its history',
    labels: ['workflow_type', 'task_queue'],
  },
  temporal_activity_execution_failed_total: {
    event: 'an attempt of an activity failed',
    labels: ['activity_type', 'task_queue'],
  },
  temporal_local_activity_execution_failed_total: {
    event: 'an attempt of a local activity failed',
    labels: ['activity_type', 'task_queue'],
  },
  temporal_sticky_cache_miss_total: {
    event: 'a workflow had left the memory of its worker',
    labels: ['workflow_type', 'task_queue'],
  },
};

/**
 * How many tasks of each kind a worker with ten connections runs at a time, by queue: a batch has one connection, a
 * report one, entities all ten, and calls to others, which wait for external services, have a hundred.
 */
const SLOTS: Readonly<Record<string, Record<string, number>>> = {
  lifecycle: { WorkflowWorker: 15, LocalActivityWorker: 10, ActivityWorker: 100 },
  outside: { ActivityWorker: 100 },
  batch: { WorkflowWorker: 2, LocalActivityWorker: 1, ActivityWorker: 1 },
  documents: { WorkflowWorker: 9, LocalActivityWorker: 3, ActivityWorker: 2 },
  reports: { ActivityWorker: 1 },
  events: { WorkflowWorker: 10, LocalActivityWorker: 100, ActivityWorker: 2_000 },
  email: { WorkflowWorker: 2, LocalActivityWorker: 2, ActivityWorker: 100 },
};
const FREE_OR_TAKEN = /^temporal_worker_task_slots_(?:available|used)\{(?<labels>[^}]*)\} (?<count>\d+)$/gm;

/** Every name that the tests below look for. */
const WANTED = [...queries().flatMap(({ text }) => namesIn(text).metrics), ...documentedMetrics()].filter(
  (name) => !OF_PROMETHEUS.metrics.includes(name) && !(name in OF_EVENTS),
);
/** A metric that could not be read is left out for half a minute. */
const SCRAPED_EVERY_MS = 1_000;

let platform: Platform;
let scraped: Map<string, Set<string>>;

test.before('an api and a worker that have carried out a bind and a payment are scraped', async (t) => {
  platform = await startPlatform({
    database: await createTestDatabase(t),
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '',
    taskQueuePrefix: `observed-${randomBytes(5).toString('hex')}`,
    variables: { DATA_DIR: emptyFolder() },
  });
  const { body } = await platform.machine.post('/v1/organizations', { name: 'Observed' });
  const client = await platform.as({ role: 'org_admin', org: body.id });
  const submissionId = await quotedSubmission(client, 'Observed Bakery LLC');
  const bound = await client.post(`/v1/submissions/${submissionId}/bind`, BIND_BODY);
  t.is(bound.status, 201, bound.text);
  // Its receipt is an activity on a queue, so that both kinds of task have waited.
  const [first] = bound.body.invoices as { id: string; total: number }[];
  const payment = { amount: first?.total, method: 'check', reference: 'check 1001' };
  const paid = await client.post(`/v1/invoices/${first?.id}/pay`, payment);
  t.is(paid.status, 201, paid.text);
  const isWhole = async () => {
    scraped = await scrape();
    return WANTED.every(isThere);
  };
  // The tests below name whatever is missing.
  await eventually(isWhole, { what: 'every name', everyMs: SCRAPED_EVERY_MS }).catch((error) => t.log(error.message));
});

test.after.always('the platform is stopped', () => platform?.stop());

async function scrape(): Promise<Map<string, Set<string>>> {
  const texts = await Promise.all(
    [platform.baseUrl, platform.workerUrl].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  return labelsOf(texts.join('\n'));
}

/** A histogram is identified by the prefix of its parts. */
const isThere = (name: string) => scraped.has(name) || scraped.has(`${name}_bucket`);

test('the names in a query are found, and the words of its language are not', (t) => {
  t.deepEqual(
    namesIn(
      'sum by (le, a) (rate(x_bucket{b="c{}", d=~"(e|f)"}[$__rate_interval])) / y > 0 or (z unless z offset 30m)',
    ),
    {
      metrics: ['x_bucket', 'y', 'z'],
      labels: ['b', 'd', 'le', 'a'],
    },
  );
});

test('every measurement and label that the dashboard and the alert rules query is in a scrape', (t) => {
  const all = queries();
  t.true(
    all.some(({ where }) => where.startsWith('bindery.json')) && all.some(({ where }) => where.startsWith('alerts')),
  );
  for (const { where, text } of all) {
    const { metrics, labels } = namesIn(text);
    t.not(metrics.length, 0, where);
    const known = metrics.filter((name) => !OF_PROMETHEUS.metrics.includes(name));
    t.deepEqual(
      known.filter((name) => !scraped.has(name) && !(name in OF_EVENTS)),
      [],
      where,
    );
    const carried = known.flatMap((name) => [...(scraped.get(name) ?? []), ...(OF_EVENTS[name]?.labels ?? [])]);
    t.deepEqual(
      labels.filter((label) => ![...carried, ...OF_PROMETHEUS.labels].includes(label)),
      [],
      where,
    );
  }
});

test('every measurement that the operations document names is in a scrape', (t) => {
  const named = documentedMetrics();
  t.true(named.length > 10);
  t.deepEqual(
    named.filter((name) => !isThere(name) && !(name in OF_EVENTS)),
    [],
  );
});

test('every queue has slots of its own, so that no batch, report or slow provider takes those of callers', async (t) => {
  const text = await (await fetch(`${platform.workerUrl}/metrics`)).text();
  const slots: Record<string, Record<string, number>> = {};
  for (const { groups = {} } of text.matchAll(FREE_OR_TAKEN)) {
    const [, queue = ''] = /task_queue="[^"]*?-([a-z]+)"/.exec(groups.labels ?? '') ?? [];
    const [, kind = ''] = /worker_type="(\w+)"/.exec(groups.labels ?? '') ?? [];
    const ofQueue = slots[queue] ?? {};
    slots[queue] = { ...ofQueue, [kind]: (ofQueue[kind] ?? 0) + Number(groups.count) };
  }
  t.deepEqual(slots, SLOTS);
});

test('a measurement excused from the scrape comes with an event, is queried, and has this name in the SDK', (t) => {
  const queried = queries().flatMap(({ text }) => namesIn(text).metrics);
  const sdk = nativeSdk();
  for (const name of Object.keys(OF_EVENTS)) {
    t.true(queried.includes(name), name);
    t.true(sdk.includes(name.replace(/^temporal_/, '').replace(/_total$/, '')), name);
  }
  t.false(sdk.includes('sticky_cache_forgotten'), 'a name that it does not have is not found');
});

/** The SDK's native part, which contains its metric names as text. */
function nativeSdk(): Buffer {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('@temporalio/core-bridge'))), 'releases');
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const target = readdirSync(folder).find((name) => name.startsWith(machine) && name.includes(process.platform));
  return readFileSync(join(folder, target ?? '', 'index.node'));
}

test('the alert rules cover failures, waiting tasks, faults of workflows, waiting workflows, trust and absence', (t) => {
  const rules = queries().filter(({ where }) => where.startsWith('alerts.yml'));
  const about = (metric: string) => rules.some(({ text }) => namesIn(text).metrics.includes(metric));
  for (const metric of [
    'http_request_duration_seconds_count',
    'temporal_workflow_task_schedule_to_start_latency_seconds_bucket',
    'temporal_activity_schedule_to_start_latency_seconds_bucket',
    'temporal_workflow_task_execution_failed_total',
    'bindery_waiting_workflows',
    'bindery_trust_disagreements',
    'bindery_unmade_documents',
  ]) {
    t.true(about(metric), metric);
  }
  for (const gauge of ['up', 'bindery_waiting_workflows', 'bindery_trust_disagreements']) {
    t.true(
      rules.some(({ text }) => text.includes(`absent(${gauge}{`)),
      `absence of ${gauge}`,
    );
  }
});
