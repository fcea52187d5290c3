// A refund of an invoice whose split an operator skipped: it waits where operators see it, until a journal makes up for
// the split. The sample: 7,750.00 is the carrier's, 1,250.00 the agent's, 1,000.00 ours; fee 250.00, tax 497.13,
// stamping fee 4.10.
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { paymentWorkflowId, refundWorkflowId } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import { decide, listWaiting } from '../../../scripts/ops/waiting.ts';
import { postedJournal, SPLIT_OF_SAMPLE } from '../../activities/billing/journals/posted-journal.ts';
import { eventually } from '../../support/eventually.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { bill, books, insure, payment, SAMPLE_TOTAL_CENTS as TOTAL } from './billed.ts';
import { refund, refundSaga, sagaOf } from './returned.ts';

const SPLIT = 'fiduciary ledger';
/** The payments whose split cannot be posted. */
const failing = new Set<string>();

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t, { interfere });
});

async function interfere(activity: string, run: () => Promise<unknown>, argument: unknown): Promise<unknown> {
  const { entityId = '' } = argument as { entityId?: string };
  if (activity !== 'postFiduciarySplit' || !failing.has(entityId)) return run();
  throw ApplicationFailure.nonRetryable('injected', 'internal_error');
}

/** What operators see within a minute of a workflow that waits. */
const listed = ({ orgId }: Tenant, id: string) =>
  eventually(
    async () => (await listWaiting(engine.temporal.client, orgId)).find(({ workflowId }) => workflowId === id),
    { what: `${id} in the list of those that wait`, withinMs: 60_000 },
  );

/** What the reconciliation finds of skipped steps and missing splits. */
async function foundIn({ orgId, database }: Tenant) {
  const { results } = await database.forOrg(orgId, (em) => checkBooks(em, { since: null, statementFrom: null }));
  const named = results.filter(({ name }) => name === 'steps_left_out' || name === 'invoice_split');
  return named.flatMap(({ findings }) => findings).map(({ check, entityId, part }) => [check, entityId, part]);
}

test('a refund of an invoice whose split was skipped is in the list of operators, with the missing step, until a journal makes up for it; then all of it goes back', async (t) => {
  const tenant = await engine.organization();
  const { orgId, database, today } = tenant;
  const { client } = engine.temporal;
  const invoiceId = await bill(await insure(tenant));
  const paymentId = newId('payment');
  failing.add(paymentId);
  await tenant.lifecycle.recordPayment(tenant.command(paymentId, payment(invoiceId)));
  const paying = paymentWorkflowId(orgId, paymentId);
  await listed(tenant, paying);
  await decide(client, paying, { kind: 'skip', operator: 'ada', reason: 'Will be made by hand.' });
  await sagaOf(engine, paying).result();
  t.deepEqual(await foundIn(tenant), [
    ['invoice_split', invoiceId, 'split'],
    ['steps_left_out', paymentId, SPLIT],
  ]);

  const { refundId } = await refund(tenant, invoiceId);
  const refunding = refundWorkflowId(orgId, refundId);
  const waiting = await listed(tenant, refunding);
  t.is(waiting.step, SPLIT);
  t.regex(waiting.message, /skipped the step "fiduciary ledger"/);
  t.deepEqual((await books(tenant, invoiceId)).balances[1010], TOTAL, 'nothing has left the trust');

  const completes = { invoiceId, completesPaymentId: paymentId, completesStep: SPLIT };
  await database.transaction(orgId, (em) => postedJournal(em, { date: today, ...completes }, SPLIT_OF_SAMPLE));
  t.deepEqual(await foundIn(tenant), []);
  await decide(client, refunding, { kind: 'retry', operator: 'ada' });
  await refundSaga(engine, tenant, refundId).result();
  const open = Object.entries((await books(tenant, invoiceId)).balances).filter(([, cents]) => cents !== 0);
  t.deepEqual(Object.fromEntries(open), { 1010: TOTAL, 2060: -TOTAL }, 'all shares are zero; a check is owed');
  t.deepEqual(await listWaiting(client, orgId), []);
});
