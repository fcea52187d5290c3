import test from 'ava';
import type { HealingResult } from '../../../contracts/machinery/healing.ts';
import { queueBeside } from '../../../contracts/machinery/queues.ts';
import { SEARCH_ATTRIBUTES } from '../../../contracts/machinery/search-attributes.ts';
import { claimWorkflowId, WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { keepNote, keepPayee } from '../../../db/queries/claim/claim-words.ts';
import { claimEntries, findClaim } from '../../../db/queries/claim/claims.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { advance, filed } from './filed.ts';

const NO_NOTE = { noteId: null };

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

const workflow = (tenant: Tenant, claimId: string) =>
  engine.temporal.client.workflow.getHandle(claimWorkflowId(tenant.orgId, claimId));

const row = (tenant: Tenant, claimId: string) => tenant.database.forOrg(tenant.orgId, (em) => findClaim(em, claimId));

const close = (tenant: Tenant, claimId: string) =>
  tenant.lifecycle.closeClaim(tenant.command(claimId, { outcome: 'no_payment', ...NO_NOTE }));

const hasEnded = (tenant: Tenant, claimId: string) =>
  eventually(async () => (await workflow(tenant, claimId).describe()).status.name === 'COMPLETED', {
    what: 'the workflow of the claim to end',
  });

test('the operator finds a claim by its policy and status and reads the next and the missed deadlines', async (t) => {
  const tenant = await engine.organization();
  const claimId = await filed(tenant, engine);
  const claim = await row(tenant, claimId);
  const { typedSearchAttributes } = await workflow(tenant, claimId).describe();
  const shown = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  t.like(shown, { EntityId: claimId, EntityStatus: 'reported', PolicyNumber: claim?.policyNumber });
  const details = async () => {
    const metadata = await workflow(tenant, claimId).query('__temporal_workflow_metadata');
    return (metadata as { currentDetails: string }).currentDetails;
  };
  const [acknowledgeBy, decideBy] = [addDays(tenant.today, 10), addDays(tenant.today, 30)];
  t.is(await details(), `reported, next: acknowledgement by ${acknowledgeBy} on ${addDays(tenant.today, 3)}`);
  await advance(tenant, 11);
  const next = `decision by ${decideBy} on ${addDays(tenant.today, 23)}`;
  t.is(await details(), `reported, next: ${next}, missed: acknowledgement`);
});

test('the workflow of a claim ends when it is closed, and reopening starts another, which knows its state', async (t) => {
  const tenant = await engine.organization();
  const claimId = await filed(tenant, engine);
  await close(tenant, claimId);
  await hasEnded(tenant, claimId);
  const { runId, typedSearchAttributes } = await workflow(tenant, claimId).describe();
  t.is(typedSearchAttributes.get(SEARCH_ATTRIBUTES.entityStatus), 'closed');
  await t.throwsAsync(close(tenant, claimId), { name: 'DomainError', message: /closed/ });
  const reopened = await tenant.lifecycle.reopenClaim(tenant.command(claimId, NO_NOTE));
  t.is(reopened.status, 'investigating');
  const { status, runId: next } = await workflow(tenant, claimId).describe();
  t.is(status.name, 'RUNNING');
  t.not(next, runId);
});

test('a claim whose workflow was lost is healed and handled all the same, and its deadlines come', async (t) => {
  const tenant = await engine.organization();
  const claimId = await filed(tenant, engine);
  await workflow(tenant, claimId).terminate('lost');
  await advance(tenant, 11);
  t.true((await row(tenant, claimId))?.clocks.claim_ack.isMissed);
  await workflow(tenant, claimId).terminate('lost again');
  const healing = { workflowId: `healing/${claimId}`, taskQueue: queueBeside(engine.queue, 'batch') };
  const order = { ...healing, args: [{ orgId: tenant.orgId }] };
  const healed = (await engine.temporal.client.workflow.execute(WORKFLOW_TYPES.healing, order)) as HealingResult;
  t.true(healed.workflowIds.includes(claimWorkflowId(tenant.orgId, claimId)));
  t.is((await workflow(tenant, claimId).describe()).status.name, 'RUNNING');
  const reserves = { indemnityCents: 100_00, expenseCents: 0 };
  const { status } = await tenant.lifecycle.reserveClaim(tenant.command(claimId, { reserves, ...NO_NOTE }));
  t.is(status, 'reported');
  await close(tenant, claimId);
  await hasEnded(tenant, claimId);
});

test('one of eight simultaneous commands that close a claim does, and its history has one close', async (t) => {
  const tenant = await engine.organization();
  const claimId = await filed(tenant, engine);
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => close(tenant, claimId)));
  t.is(answers.filter(({ status }) => status === 'fulfilled').length, 1);
  const entries = await tenant.database.forOrg(tenant.orgId, (em) =>
    em.execute("select action from claim_entries where claim_id = ? and action = 'close'", [claimId]),
  );
  t.is(entries.length, 1);
});

test('payments that wait on a closed claim are stopped, however many come together', async (t) => {
  const tenant = await engine.organization();
  const { lifecycle, command, database, orgId } = tenant;
  const claimId = await filed(tenant, engine);
  await lifecycle.investigateClaim(command(claimId, { adjusterId: null, ...NO_NOTE }));
  const reserves = { indemnityCents: 0, expenseCents: 600_00 };
  await lifecycle.reserveClaim(command(claimId, { reserves, ...NO_NOTE }));
  const paymentIds = Array.from({ length: 6 }, () => newId('claimPayment'));
  for (const paymentId of paymentIds) {
    await database.transaction(orgId, (em) => keepPayee(em, { id: paymentId, claimId, name: paymentId }));
    await lifecycle.payClaim(command(claimId, { paymentId, kind: 'expense', amountCents: 100_00 }));
  }
  await lifecycle.closeClaim(command(claimId, { outcome: null, ...NO_NOTE }));
  await hasEnded(tenant, claimId);
  const noteId = newId('claimNote');
  await database.transaction(orgId, (em) => keepNote(em, { id: noteId, claimId, text: 'Stopped.' }));
  const stop = (paymentId: string) => lifecycle.voidClaimPayment(command(claimId, { paymentId, noteId }));
  const answers = await Promise.allSettled(paymentIds.map(stop));
  t.deepEqual(
    answers.map(({ status }) => status),
    paymentIds.map(() => 'fulfilled'),
  );
  t.like(await row(tenant, claimId), { status: 'closed', paidExpenseCents: 0, reserveExpenseCents: 0 });
});

/** State → working days until acknowledgement and decision; a negative number means calendar days. */
const PERIODS: Record<string, [acknowledge: number, decide: number]> = {
  AK: [10, 15],
  AZ: [10, 15],
  AR: [15, 15],
  CA: [-15, -40],
  DE: [15, -30],
};

test('the test clock brings the deadlines of five states; a deadline met in time is not reported as missed', async (t) => {
  const tenant = await engine.organization();
  const { lifecycle, command, orgId, database, today } = tenant;
  for (const [state, periods] of Object.entries(PERIODS)) {
    const [handled, left] = [await filed(tenant, engine, { state }), await filed(tenant, engine, { state })];
    const due = (await row(tenant, left))?.clocks;
    t.deepEqual(
      [due?.claim_ack.dueDate, due?.claim_decision.dueDate],
      periods.map((days) => (days < 0 ? addDays(today, -days) : afterWorkingDays(today, days))),
      state,
    );
    await lifecycle.investigateClaim(command(handled, { adjusterId: null, ...NO_NOTE }));
    await close(tenant, handled);
  }
  await advance(tenant, 60);
  const claims = await database.forOrg(orgId, (em) =>
    em.execute("select status, clocks, (clocks -> 'claim_ack' ->> 'isMissed')::boolean as ack from claims"),
  );
  t.is(claims.length, 10);
  for (const { status, clocks, ack } of claims) {
    t.is(ack, status === 'reported');
    t.is(clocks.claim_decision.isMissed, status === 'reported');
  }
  const events = await database.forOrg(orgId, (em) =>
    em.execute("select data ->> 'kind' as kind from events where type = 'compliance.deadline_approaching'"),
  );
  const ofClocks = events.filter(({ kind }) => kind === 'claim_ack' || kind === 'claim_decision');
  // Each of the five left is announced seven days and one day before each of its two due dates.
  t.is(ofClocks.length, 5 * 2 * 2);
});

test('the test clock brings the status letters of a claim that stays open: announced, on its history, over with the decision', async (t) => {
  const tenant = await engine.organization();
  const { orgId, database, today } = tenant;
  const [claimId, decidedId] = [
    await filed(tenant, engine, { state: 'CA' }),
    await filed(tenant, engine, { state: 'CA' }),
  ];
  await close(tenant, decidedId);
  // The decision is due after forty days, and from then on a letter every thirty days.
  await advance(tenant, 101);
  const letters = [70, 100].map((days) => addDays(today, days));
  const entries = await database.forOrg(orgId, (em) => claimEntries(em, claimId));
  const due = entries.filter(({ changes }) => changes.missed?.after === 'claim_status');
  t.deepEqual(
    due.map(({ action, changes }) => [action, changes.dueDate?.after]),
    letters.map((date) => ['deadline', date]),
  );
  const next = `status letter by ${addDays(today, 130)} on ${addDays(today, 123)}`;
  const metadata = await workflow(tenant, claimId).query('__temporal_workflow_metadata');
  const { currentDetails } = metadata as { currentDetails: string };
  t.is(currentDetails, `reported, next: ${next}, missed: acknowledgement, decision`);
  const announced = await database.forOrg(orgId, (em) =>
    em.execute(
      `select data ->> 'claimId' as claim, data ->> 'dueDate' as due, (data ->> 'daysLeft')::int as days
       from events where data ->> 'kind' = 'claim_status' order by id`,
    ),
  );
  const each = letters.flatMap((date) => [7, 1, -1].map((days) => ({ claim: claimId, due: date, days })));
  t.deepEqual(announced, each);
});

function afterWorkingDays(from: string, days: number): string {
  const day = new Date(`${from}T00:00:00Z`);
  for (let left = days; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (day.getUTCDay() % 6 !== 0) left -= 1;
  }
  return day.toISOString().slice(0, 10);
}
