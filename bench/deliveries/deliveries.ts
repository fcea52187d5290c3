// How many events per second reach receivers, compared with bare posts of the same bodies; how long an event takes
// from commit to receivers; and how many Actions deliveries cost.
import { Pool } from 'undici';
import { WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';
import { eventually } from '../../test/support/eventually.ts';
import { countActions, type HistoryEvent } from '../actions.ts';
import { cpuBetween, usedCpu } from '../cpu.ts';
import { measure, quantile, type Round, summarize } from '../measure.ts';
import type { Organization, Setting } from '../setting.ts';
import type { Comparison } from '../table.ts';
import { startTarget, subscribe, type Target, writeEvents } from './receivers.ts';

const RECEIVERS = 8;
const EVENTS = 5_000;
const ROUNDS = 3;
const SINGLE_EVENTS = 60;
const CONNECTIONS = 80;

export async function compareDeliveries(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  const target = await startTarget();
  const organization = await setting.createOrganization('Deliveries');
  for (let n = 0; n < RECEIVERS; n += 1) await subscribe(setting, organization, `${target.origin}/${n}`);
  progress(`delivering ${ROUNDS} times ${EVENTS} events to ${RECEIVERS} receivers`);
  const ours: Round[] = [];
  const bare: Round[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [delivered, posted] = [await deliver(setting, organization, target), await post(target)];
    if (round === 0) continue;
    ours.push(delivered);
    bare.push(posted);
  }
  const actions = await actionsOf(setting, organization);
  progress('delivering events one by one');
  const delays = await delaysOf(setting, organization, target);
  target.server.close();
  const figures = { ours: summarize(ours), bare: summarize(bare) };
  return [
    {
      title: `Deliveries to ${RECEIVERS} receivers`,
      lines: [
        { name: 'events, from their commit to the last receiver', figures: figures.ours },
        { name: 'bare posts of the same bodies', figures: figures.bare },
      ],
      verdicts: [
        { what: 'throughput ratio', value: figures.ours.perSecond / figures.bare.perSecond, aim: { least: 0.5 } },
        { what: 'Actions for an event and receiver', value: actions, aim: { most: 1 } },
      ],
    },
    {
      title: 'One event, from its commit to all receivers',
      lines: [{ name: 'delay', figures: summarize([delays]) }],
      verdicts: [{ what: 'p99 in milliseconds', value: quantile(delays.latenciesMs, 0.99), aim: { most: 2_000 } }],
    },
  ];
}

/** From the commit until the last receiver has the last event. */
async function deliver(setting: Setting, organization: Organization, target: Target): Promise<Round> {
  const wanted = target.arrived() + EVENTS * RECEIVERS;
  await writeEvents(setting, organization, EVENTS);
  const [begunAt, before] = [performance.now(), usedCpu()];
  await eventually(() => target.arrived() >= wanted, { what: 'the deliveries' });
  const elapsedMs = performance.now() - begunAt;
  const deliveries = EVENTS * RECEIVERS;
  const cpu = cpuBetween(before, usedCpu(), deliveries);
  return { elapsedMs, latenciesMs: Array.from({ length: deliveries }, () => elapsedMs), cpu };
}

async function post(target: Target): Promise<Round> {
  const pool = new Pool(target.origin, { connections: CONNECTIONS });
  const body = target.lastBody();
  const headers = { 'content-type': 'application/json' };
  const round = await measure(Array.from({ length: EVENTS * RECEIVERS }), CONNECTIONS, async () => {
    const answer = await pool.request({ method: 'POST', path: '/', headers, body });
    await answer.body.dump();
  });
  await pool.close();
  return round;
}

/** Until every receiver has the event, one event after another. */
async function delaysOf(setting: Setting, organization: Organization, target: Target): Promise<Round> {
  return measure(Array.from({ length: SINGLE_EVENTS }), 1, async () => {
    const wanted = target.arrived() + RECEIVERS;
    await writeEvents(setting, organization, 1);
    await eventually(() => target.arrived() >= wanted, { what: 'an event' });
  });
}

/** Over all of the organization's deliveries so far. */
async function actionsOf({ temporal }: Setting, { id }: Organization): Promise<number> {
  const runs: number[] = [];
  const query = `WorkflowType = '${WORKFLOW_TYPES.eventDelivery}' and OrgId = '${id}'`;
  for await (const { workflowId, runId } of temporal.workflow.list({ query })) {
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    runs.push(countActions((events ?? []) as HistoryEvent[]).total);
  }
  return runs.reduce((sum, actions) => sum + actions, 0) / ((ROUNDS + 1) * EVENTS * RECEIVERS);
}
