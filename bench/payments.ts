// Card events through the webhook until every saga is done, compared with bare workflows with as many local and
// regular activities; a check payment compared with a bind; and what one payment costs in Actions.
import { join } from 'node:path';
import { inboundWorkflowId, paymentWorkflowId } from '../contracts/machinery/start.ts';
import { launch } from '../scripts/start/child.ts';
import { processorId, sign, succeeded } from '../test/support/card-events.ts';
import { eventually } from '../test/support/eventually.ts';
import { countActions, type HistoryEvent } from './actions.ts';
import { cloneId, cloneIdOf, cloneRow } from './clone-rows.ts';
import { measure, type Round, summarize, take } from './measure.ts';
import { call, type Organization, type Setting } from './setting.ts';
import { bind, quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const FLOOR_WORKER = join(import.meta.dirname, 'floor/worker.ts');
const FLOOR_QUEUE = 'bench-payment-floor';
const ROUNDS = 5;
const EVENTS = 40;
const WARM_UP = 40;
const BY_CHECK = 40;
const IN_FLIGHT = 8;
const MANY_MS = 120_000;

/** An open invoice. */
export interface Open {
  id: string;
  totalCents: number;
}

export async function comparePayments(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  const organization = await setting.createOrganization('Measured Payments');
  progress('making invoices');
  const binds = (await quotedSubmissions(setting, organization, BY_CHECK + 1)).map(({ submissionId }) => submissionId);
  const count = WARM_UP + ROUNDS * EVENTS + 2 * BY_CHECK + 1;
  const invoices = await openInvoices(setting, organization, {
    submissionId: take(binds, 1)[0] ?? '',
    count,
    series: 7,
  });
  progress('card events');
  const events = await compareEvents(setting, organization, invoices);
  progress('payments by check');
  const checks = await compareChecks(setting, organization, { invoices, binds });
  return [events, checks, await countPaymentActions(setting, organization, take(invoices, 1)[0])];
}

/** Copies one invoice of a policy, so that no other invoices come between the copies. */
export async function openInvoices(
  setting: Setting,
  organization: Organization,
  { submissionId, count, series }: { submissionId: string; count: number; series: number },
): Promise<Open[]> {
  const { policyId } = await bind(setting, await organization.authorization(), submissionId);
  const { rows } = await setting.owner.query<{ id: string; total: string }>(
    'select id, total_cents as total from invoices where policy_id = $1 order by installment_number limit 1',
    [policyId],
  );
  const columns = { id: cloneId('inv', series), invoice_number: `'INV-BENCH-${series}-' || i` };
  await cloneRow(setting.owner, { table: 'invoices', sourceId: rows[0]?.id ?? '', count, columns });
  return Array.from({ length: count }, (_, i) => ({
    id: cloneIdOf('inv', series, i + 1),
    totalCents: Number(rows[0]?.total),
  }));
}

async function compareEvents(setting: Setting, organization: Organization, invoices: Open[]): Promise<Comparison> {
  const floor = await startFloor(setting);
  const ours = (count: number) => cardEvents(setting, organization, take(invoices, count));
  const bare = (count: number) => bareSagas(setting, count);
  const rounds: { ours: Round[]; bare: Round[] } = { ours: [], bare: [] };
  try {
    await ours(WARM_UP);
    await bare(WARM_UP);
    for (let i = 0; i < ROUNDS; i += 1) {
      rounds.ours.push(await ours(EVENTS));
      rounds.bare.push(await bare(EVENTS));
    }
  } finally {
    await floor.stop(5_000);
  }
  const [us, least] = [summarize(rounds.ours), summarize(rounds.bare)];
  return {
    title: `Card events to the end of their sagas, ${IN_FLIGHT} at a time`,
    lines: [
      { name: 'Bindery, through the webhook', figures: us },
      { name: 'bare workflows, 1 local, 4 regular activities', figures: least },
    ],
    verdicts: [{ what: 'throughput ratio', value: us.perSecond / least.perSecond, aim: { least: 0.8 } }],
  };
}

/** Latency is the webhook's response time; the round ends when every saga has recorded its last event. */
async function cardEvents({ http, owner }: Setting, { id: orgId }: Organization, invoices: Open[]): Promise<Round> {
  const paid = async () => {
    const paidEvents = "select count(*)::int as n from events where org_id = $1 and type = 'invoice.paid'";
    return (await owner.query<{ n: number }>(paidEvents, [orgId])).rows[0]?.n ?? 0;
  };
  const before = await paid();
  return untilAll(
    invoices,
    async ({ id: invoiceId, totalCents }) => {
      const event = succeeded({ intentId: processorId('pi'), amountCents: totalCents, orgId, invoiceId });
      const { body, headers } = sign(JSON.stringify(event));
      const { statusCode, body: answer } = await http.request({
        method: 'POST',
        path: '/v1/webhooks/stripe',
        headers,
        body,
      });
      const text = await answer.text();
      if (statusCode !== 200) throw new Error(`The webhook answered ${statusCode} ${text}`);
    },
    async () => (await paid()) - before === invoices.length,
  );
}

async function startFloor({ owner, temporalAddress, database }: Setting) {
  await owner.query('create table if not exists bench_steps (id text primary key)');
  const args = [FLOOR_WORKER, 'payment-workflow.ts', temporalAddress, FLOOR_QUEUE, database.ownerUrl];
  const onLine = (line: string) => process.stderr.write(`floor: ${line}\n`);
  return launch({ name: 'floor', command: process.execPath, args, onLine });
}

async function bareSagas({ temporal, owner }: Setting, count: number): Promise<Round> {
  const ids = Array.from({ length: count }, () => processorId('pi'));
  const last = async () => {
    const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from bench_steps where id = any($1)', [
      ids.map((id) => `${id}/4`),
    ]);
    return rows[0]?.n === count;
  };
  const start = async (paymentId: string) => {
    const options = { workflowId: `event-${paymentId}`, taskQueue: FLOOR_QUEUE, args: [{ paymentId }] };
    await temporal.workflow.execute('floorEventWorkflow', options);
  };
  return untilAll(ids, start, last);
}

async function untilAll<T>(items: readonly T[], work: (item: T) => Promise<void>, isDone: () => Promise<boolean>) {
  const begunAt = performance.now();
  const { latenciesMs } = await measure(items, IN_FLIGHT, work);
  await eventually(isDone, { what: 'every saga to end', withinMs: MANY_MS });
  return { latenciesMs, elapsedMs: performance.now() - begunAt };
}

async function compareChecks(
  setting: Setting,
  organization: Organization,
  { invoices, binds }: { invoices: Open[]; binds: string[] },
): Promise<Comparison> {
  const authorization = await organization.authorization();
  const pay = async ({ id, totalCents }: Open) => {
    const body = { amount: totalCents / 100, method: 'check', reference: `bench-${id}` };
    await call(setting.http, 'POST', `/v1/invoices/${id}/pay`, authorization, 201, body);
  };
  await measure(take(invoices, BY_CHECK), 1, pay);
  const paid = summarize([await measure(take(invoices, BY_CHECK), 1, pay)]);
  const bound = summarize([await measure(binds, 1, async (id) => void (await bind(setting, authorization, id)))]);
  return {
    title: 'A payment by check, one at a time',
    lines: [
      { name: 'payment by check', figures: paid },
      { name: 'bind', figures: bound },
    ],
    verdicts: [{ what: 'p50 ratio', value: paid.p50Ms / bound.p50Ms, aim: { most: 1 } }],
  };
}

/** One card payment of a full invoice, from the event's workflow to the end of its saga. */
async function countPaymentActions(setting: Setting, { id: orgId }: Organization, invoice?: Open): Promise<Comparison> {
  if (!invoice) throw new Error('There is no invoice left');
  const eventId = processorId('evt');
  const facts = { intentId: processorId('pi'), amountCents: invoice.totalCents, orgId, invoiceId: invoice.id, eventId };
  const { body, headers } = sign(JSON.stringify(succeeded(facts)));
  const answer = await setting.http.request({ method: 'POST', path: '/v1/webhooks/stripe', headers, body });
  await answer.body.dump();
  const { rows } = await setting.owner.query<{ id: string }>('select id from payments where reference = $1', [
    facts.intentId,
  ]);
  const ids = [inboundWorkflowId('card-processor', eventId), paymentWorkflowId(orgId, rows[0]?.id ?? '')];
  const counts = await Promise.all(ids.map((id) => actionsOf(setting, id)));
  const by = counts.map((count) =>
    Object.entries(count.by)
      .map(([name, n]) => `${name} ${n}`)
      .join(', '),
  );
  return {
    title: `Actions of one card payment (event: ${by[0]}; payment: ${by[1]})`,
    lines: [],
    verdicts: [{ what: 'actions', value: counts.reduce((sum, { total }) => sum + total, 0), aim: { most: 10 } }],
  };
}

async function actionsOf({ temporal }: Setting, workflowId: string) {
  const handle = temporal.workflow.getHandle(workflowId);
  await handle.result();
  return countActions(((await handle.fetchHistory()).events ?? []) as HistoryEvent[]);
}
