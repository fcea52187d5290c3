// How one organization's renewal batch affects a caller of another: payment intents alone, and during the batch.
import { cpuBetween, usedCpu } from './cpu.ts';
import { measure, type Round, summarize, take } from './measure.ts';
import { type Open, openInvoices } from './payments.ts';
import { fill } from './renewals.ts';
import { call, type Organization, type Setting } from './setting.ts';
import { quotedSubmissions } from './submissions.ts';
import type { Comparison } from './table.ts';

const ROUNDS = 3;
const INTENTS = 40;
const WARM_UP = 20;
const IN_FLIGHT = 2;

/** Number of policies in the batch; any other number is only for trying out the comparison. */
const POLICIES = Number(process.env.BENCH_NEIGHBOUR ?? '10000');

/** Compares the payment intents of one organization with and without the batch of another. */
export async function compareNeighbours(setting: Setting, progress: (line: string) => void): Promise<Comparison> {
  const payer = await setting.createOrganization('Collects');
  const renewing = await setting.createOrganization('Renews beside it');
  progress(`making ${POLICIES} policies and invoices`);
  await fill(setting, renewing, POLICIES);
  const [quoted] = await quotedSubmissions(setting, payer, 1);
  const count = WARM_UP + 2 * ROUNDS * INTENTS;
  const invoices = await openInvoices(setting, payer, { submissionId: quoted?.submissionId ?? '', count, series: 8 });
  const rounds = async () => {
    const made: Round[] = [];
    for (let i = 0; i < ROUNDS; i += 1) made.push(await intents(setting, payer, take(invoices, INTENTS)));
    return summarize(made);
  };
  await intents(setting, payer, take(invoices, WARM_UP));
  progress('payment intents alone');
  const alone = await rounds();
  const authorization = await renewing.authorization();
  const { batchId } = await call(setting.http, 'POST', '/v1/renewals/batch', authorization, 202, {
    expiringWithinDays: 30,
  });
  const { status, renewed } = await untilUnderWay(setting, authorization, String(batchId));
  progress(`payment intents beside a batch that is ${status}, ${renewed} renewed`);
  const beside = await rounds();
  const after = await call(setting.http, 'GET', `/v1/renewals/batch/${batchId}?limit=1`, authorization, 200);
  if (after.status !== 'running') throw new Error('The batch was over too soon: more policies are needed');
  progress(`${after.renewed} renewed meanwhile`);
  return {
    title: `Payment intents beside a batch of ${POLICIES}, ${IN_FLIGHT} at a time`,
    lines: [
      { name: 'alone', figures: alone },
      { name: 'while another organization renews', figures: beside },
    ],
    verdicts: [{ what: 'p95 ratio', value: beside.p95Ms / alone.p95Ms, aim: { most: 1.5 } }],
  };
}

/** Waits until a first renewal is done: by then the batch is running. */
async function untilUnderWay({ http }: Setting, authorization: string, batchId: string) {
  for (;;) {
    const batch = await call(http, 'GET', `/v1/renewals/batch/${batchId}?limit=1`, authorization, 200);
    if (batch.status !== 'running' || Number(batch.renewed) > 0) return batch;
  }
}

async function intents({ http }: Setting, payer: Organization, invoices: Open[]): Promise<Round> {
  const authorization = await payer.authorization();
  const before = usedCpu();
  const round = await measure(invoices, IN_FLIGHT, async ({ id }) => {
    await call(http, 'POST', `/v1/invoices/${id}/payment-intent`, authorization, 201, {});
  });
  return { ...round, cpu: cpuBetween(before, usedCpu(), invoices.length) };
}
