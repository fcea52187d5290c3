// Renewal batches of a thousand and of ten thousand policies: the cost per policy in each, compared with a bare
// fan-out of child workflows, and how long the longest history gets. The policies are copies of a bound one, so their
// workflows are started from their rows.
import { join } from 'node:path';
import { launch } from '../scripts/start/child.ts';
import { copyExpiring } from '../test/support/expiring.ts';
import { type Cpu, cpuBetween, totalCpu, usedCpu } from './cpu.ts';
import { call, type Organization, type Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison, Line } from './table.ts';

const FLOOR_WORKER = join(import.meta.dirname, 'floor/worker.ts');
const FLOOR_QUEUE = 'bench-renewal-floor';
const WARM_UP = 50;

/** Numbers of policies in the two batches; any other numbers are only for trying out the comparison. */
const [FEW, MANY] = (process.env.BENCH_RENEWALS ?? '1000,10000').split(',').map(Number) as [number, number];

export async function compareRenewals(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  progress('renewing a few to warm up');
  await batch(setting, WARM_UP);
  progress(`renewing ${FEW}`);
  const few = await batch(setting, FEW);
  progress(`renewing ${MANY}`);
  const many = await batch(setting, MANY);
  progress(`a bare fan-out of ${FEW}`);
  const bare = await fanOut(setting, FEW);
  const line = (name: string, count: number, { elapsedMs, cpu }: Measured): Line => {
    const eachMs = elapsedMs / count;
    return { name, figures: { p50Ms: eachMs, p95Ms: eachMs, perSecond: 1_000 / eachMs, cpu } };
  };
  return [
    {
      title: 'Renewal batch, per policy (mean)',
      lines: [
        line(`${FEW} policies`, FEW, few),
        line(`${MANY} policies`, MANY, many),
        line(`bare child workflows, ${FEW} of them`, FEW, bare),
      ],
      verdicts: [
        { what: 'cost ratio of many to few', value: many.elapsedMs / MANY / (few.elapsedMs / FEW), aim: { most: 1.1 } },
        { what: 'the same, by processor time', value: totalCpu(many.cpu) / totalCpu(few.cpu), aim: { most: 1.1 } },
        { what: 'throughput ratio to bare', value: bare.elapsedMs / few.elapsedMs, aim: { least: 0.9 } },
        { what: 'events of the longest history', value: many.events, aim: { most: 4_096 } },
      ],
    },
  ];
}

interface Measured {
  elapsedMs: number;
  /** Per policy. */
  cpu: Cpu;
}

interface MeasuredBatch extends Measured {
  /** Events in the longest run. */
  events: number;
}

/** One batch in an organization of its own, from the request to the last outcome. */
async function batch(setting: Setting, count: number): Promise<MeasuredBatch> {
  const organization = await setting.createOrganization(`Renews ${count}`);
  await fill(setting, organization, count);
  const authorization = await organization.authorization();
  const before = usedCpu();
  const begunAt = performance.now();
  const body = { expiringWithinDays: 30 };
  const started = await call(setting.http, 'POST', '/v1/renewals/batch', authorization, 202, body);
  if (started.matched !== count) throw new Error(`${started.matched} policies are due in place of ${count}`);
  await setting.temporal.workflow.getHandle(String(started.workflowId)).result();
  const elapsedMs = performance.now() - begunAt;
  const cpu = cpuBetween(before, usedCpu(), count);
  const path = `/v1/renewals/batch/${started.batchId}?limit=1`;
  const { renewed } = await call(setting.http, 'GET', path, authorization, 200);
  if (renewed !== count) throw new Error(`${renewed} of ${count} policies were renewed`);
  return { elapsedMs, cpu, events: await longestHistory(setting, String(started.workflowId)) };
}

/** Fills an organization with policies that expire soon. */
export async function fill(setting: Setting, organization: Organization, count: number): Promise<void> {
  const [quoted] = await quotedSubmissions(setting, organization, 1);
  if (!quoted) throw new Error('No submission was quoted');
  const { policyId: sourceId } = await bind(setting, await organization.authorization(), quoted.submissionId);
  const today = new Date().toISOString().slice(0, 10);
  await copyExpiring({ ownerUrl: setting.database.ownerUrl, sourceId, today, count });
  await setting.owner.query('analyze policies');
}

/** The most events in any run of the batch. */
async function longestHistory({ temporal }: Setting, workflowId: string): Promise<number> {
  const lengths: number[] = [];
  let runId: string | undefined = await firstRun(temporal, workflowId);
  while (runId) {
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    lengths.push(events?.length ?? 0);
    const next = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    runId = next || undefined;
  }
  return Math.max(...lengths);
}

/** The current run's first event names the first run of the chain. */
async function firstRun(temporal: Setting['temporal'], workflowId: string): Promise<string | undefined> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  return events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId ?? undefined;
}

/** One child workflow per policy, each with one local activity of one statement. */
async function fanOut({ temporal, owner, temporalAddress, database }: Setting, count: number): Promise<Measured> {
  await owner.query('create table if not exists bench_steps (id text primary key)');
  const args = [FLOOR_WORKER, 'renewal-workflow.ts', temporalAddress, FLOOR_QUEUE, database.ownerUrl];
  const onLine = (line: string) => process.stderr.write(`floor: ${line}\n`);
  const floor = await launch({ name: 'floor', command: process.execPath, args, onLine });
  const run = async (name: string, children: number) => {
    const ids = Array.from({ length: children }, (_, i) => `${name}-${i}`);
    const begunAt = performance.now();
    const options = { workflowId: `floor-fan-out/${name}`, taskQueue: FLOOR_QUEUE, args: [{ ids }] };
    await temporal.workflow.execute('floorFanOutWorkflow', options);
    return performance.now() - begunAt;
  };
  try {
    await run('warm-up', WARM_UP);
    const before = usedCpu();
    const elapsedMs = await run('measured', count);
    return { elapsedMs, cpu: cpuBetween(before, usedCpu(), count) };
  } finally {
    await floor.stop(5_000);
  }
}
