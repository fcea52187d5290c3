// Settles an insured's money: approves pending refunds, decides disputes, pays invoices, bills the unbilled, returns
// what is left over, and issues and cashes every check.
import { eventually } from '../support/eventually.ts';
import { decideDispute } from './deeds-of-money.ts';
import type { Insured } from './insured.ts';

const MOST_ROUNDS = 12;
/** Long enough for several deaths of the workers. */
const REST_MS = 300_000;
const LOOK_EVERY_MS = 150;

/** Runs until nothing is left to do. @throws Error when there is no end to it */
export async function settle(insured: Insured): Promise<void> {
  const policyIds = await insured.termIds();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    while (insured.disputes.size > 0) await decideDispute(insured);
    // Whatever came after a pending refund waits for it too.
    await approveRefunds(insured, policyIds);
    await atRest(insured, policyIds);
    if (!(await settleOnce(insured, policyIds))) return;
  }
  throw new Error(`The money of ${insured.name} does not come to rest: ${insured.desk.story.slice(-8).join('\n')}`);
}

async function approveRefunds(insured: Insured, policyIds: readonly string[]): Promise<void> {
  for (const { id } of await insured.rows.query<{ id: string }>(WAITING, [policyIds])) {
    // Money that has since been taken back is not refunded.
    const approved = await insured.desk.approve(`/refunds/${id}/approve`);
    if (approved === null) await insured.desk.approve(`/refunds/${id}/reject`, { reason: 'The money is gone.' });
  }
}

/** Whether there was anything to do. */
async function settleOnce(insured: Insured, policyIds: readonly string[]): Promise<boolean> {
  const { desk, rows } = insured;
  const idsOf = (sql: string) => rows.query<{ id: string }>(sql, [policyIds]);
  const answers: unknown[] = [];
  for (const { id } of await idsOf(UNBILLED)) {
    const { policyId, total } = await desk.read(`/invoices/${id}`);
    const { unbilledAmount } = await desk.read(`/policies/${policyId}`);
    const amount = Math.min(unbilledAmount, total);
    if (amount <= 0) continue;
    answers.push(await desk.send(`/invoices/${id}/void`, { reason: 'Billed again.', reissue: true, amount }));
  }
  for (const { id, balance } of (await insured.invoices()).filter((each) => each.balance > 0)) {
    const check = { amount: balance, method: 'check', reference: insured.nextReference('Last check') };
    answers.push(await desk.send(`/invoices/${id}/pay`, check));
  }
  for (const id of policyIds) {
    for (const { paymentId } of (await desk.read(`/unapplied-cash?policyId=${id}`)).data) {
      answers.push(await desk.send(`/unapplied-cash/${paymentId}/return`, { reason: 'Left over.' }));
    }
  }
  for (const { id } of await idsOf(OWED)) {
    const issued = await desk.send(`/disbursements/${id}/issue`, {
      checkNumber: insured.nextReference('Our last check'),
    });
    answers.push(issued ?? (await desk.send(`/disbursements/${id}/cancel`, { reason: 'The money is gone.' })));
  }
  for (const { id } of await idsOf(ISSUED)) answers.push(await desk.send(`/disbursements/${id}/clear`));
  return answers.some((answer) => answer !== null);
}

/** Waits until every event is delivered and every payment has been fully processed. */
async function atRest(insured: Insured, policyIds: readonly string[]): Promise<void> {
  const isQuiet = async () => (await insured.rows.query(UNDER_WAY, [policyIds])).length === 0;
  await insured.processor.settled();
  const what = `the payments of ${insured.name} to come to their end`;
  await eventually(isQuiet, { what, withinMs: REST_MS, everyMs: LOOK_EVERY_MS });
}

const UNDER_WAY = `select id from payments where policy_id = any($1) and saga_ended_at is null
  and status <> 'pending_approval'`;
const WAITING = "select id from payments where policy_id = any($1) and status = 'pending_approval'";
const UNBILLED = `select id from invoices i where policy_id = any($1) and voided_at is not null and voided_by is null
  and not exists (select from invoices again where again.reissue_of = i.id)`;
const OWED = "select id from disbursements where policy_id = any($1) and status in ('pending', 'stopped')";
const ISSUED = "select id from disbursements where policy_id = any($1) and status = 'issued'";
