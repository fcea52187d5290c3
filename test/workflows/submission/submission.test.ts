import test from 'ava';
import { submissionWorkflowId } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { findSubmission } from '../../../db/queries/submission/submissions.ts';
import { eventually } from '../../support/eventually.ts';
import { DAYS_AHEAD } from '../../support/fixed/today.ts';
import { type Engine, startEngine } from '../engine.ts';
import { quotesOf } from '../quotes-of.ts';

const MONTHLY = { installmentPlan: 'MONTHLY_10', quoteId: null } as const;

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

const row = (submissionId: string) => engine.database.forOrg(engine.orgId, (em) => findSubmission(em, submissionId));
const quotes = (submissionId: string) => engine.database.forOrg(engine.orgId, (em) => quotesOf(em, submissionId));
const workflow = (submissionId: string) =>
  engine.temporal.client.workflow.getHandle(submissionWorkflowId(engine.orgId, submissionId));

/**
 * Starts a run with no memory of update ids: only the row under a command's id knows about it. It finds nothing to do
 * and ends.
 */
async function restart(submissionId: string): Promise<void> {
  await begin(submissionId);
  await workflow(submissionId).result();
}

/** Starts a run that knows nothing but the row. */
async function begin(submissionId: string): Promise<void> {
  await engine.temporal.client.workflow.start('submissionWorkflow', {
    workflowId: submissionWorkflowId(engine.orgId, submissionId),
    taskQueue: (await workflow(submissionId).describe()).taskQueue,
    args: [{ orgId: engine.orgId, submissionId }],
  });
}

test('a complete submission is triaged by the time its creation returns', async (t) => {
  const submissionId = newId('submission');
  const outcome = await engine.lifecycle.createSubmission(engine.command(submissionId, engine.risk()));
  t.like(outcome, { submissionId, status: 'triaged', version: 1, clockOffsetDays: DAYS_AHEAD });
  t.is((await row(submissionId))?.status, 'triaged');
});

test('an incomplete submission cannot be quoted, and is triaged once its missing fields are given', async (t) => {
  const submissionId = newId('submission');
  const incomplete = engine.command(submissionId, engine.risk({ state: null }));
  t.is((await engine.lifecycle.createSubmission(incomplete)).status, 'incomplete');
  await t.throwsAsync(engine.lifecycle.quoteSubmission(engine.command(submissionId, {})), {
    code: 'not_ready',
    message: 'The submission is not complete.',
  });
  const corrected = await engine.lifecycle.correctSubmission(engine.command(submissionId, { state: 'TX' }));
  t.is(corrected.status, 'triaged');
});

test('a submission with a producer that does not exist is refused and leaves neither row nor workflow', async (t) => {
  const submissionId = newId('submission');
  const stray = engine.risk({ producerId: newId('producer') });
  const error = await t.throwsAsync(engine.lifecycle.createSubmission(engine.command(submissionId, stray)), {
    code: 'validation_failed',
  });
  t.like(error, { details: { field: 'producerId', rule: 'unknown_reference' } });
  await workflow(submissionId).result();
  t.is(await row(submissionId), null);
});

test('a command for a submission that does not exist is refused and leaves no workflow behind', async (t) => {
  const submissionId = newId('submission');
  await t.throwsAsync(engine.lifecycle.quoteSubmission(engine.command(submissionId, {})), { code: 'not_found' });
  await workflow(submissionId).result();
  t.is((await workflow(submissionId).describe()).status.name, 'COMPLETED');
});

test('a command sent twice is carried out once and returns the same, even after the submission has ended', async (t) => {
  const submissionId = await engine.created();
  const quote = engine.command(submissionId, {});
  const first = await engine.lifecycle.quoteSubmission(quote);
  t.deepEqual(await engine.lifecycle.quoteSubmission(quote), first);
  t.is((await quotes(submissionId)).length, 1);

  const bind = engine.command(submissionId, MONTHLY);
  const bound = await engine.lifecycle.bindSubmission(bind);
  await workflow(submissionId).result();
  t.deepEqual(await engine.lifecycle.bindSubmission(bind), bound);
});

test('a command returns its kept outcome when the workflow has forgotten it', async (t) => {
  const submissionId = await engine.quoted();
  const withdraw = engine.command(submissionId, {});
  const first = await engine.lifecycle.withdrawSubmission(withdraw);
  await workflow(submissionId).result();
  await restart(submissionId);
  t.deepEqual(await engine.lifecycle.withdrawSubmission(withdraw), first);
});

test('a creation repeated after a lost response returns the first one, even from a run that has read the row', async (t) => {
  const submissionId = newId('submission');
  const create = engine.command(submissionId, engine.risk());
  const first = await engine.lifecycle.createSubmission(create);
  await workflow(submissionId).terminate('its server lost it');
  await begin(submissionId);
  const isRead = async () => (await workflow(submissionId).describe()).searchAttributes.EntityStatus?.[0] === 'triaged';
  await eventually(isRead, { what: 'the run to read the row' });
  t.deepEqual(await engine.lifecycle.createSubmission(create), first);

  const another = engine.lifecycle.createSubmission(engine.command(submissionId, engine.risk()));
  await t.throwsAsync(another, { code: 'already_exists' });
});

test('an old command sent again does not take the submission back to where it was', async (t) => {
  const submissionId = await engine.created();
  const quote = engine.command(submissionId, {});
  const first = await engine.lifecycle.quoteSubmission(quote);
  await engine.lifecycle.declineSubmission(engine.command(submissionId, { reason: 'Outside the appetite' }));
  await workflow(submissionId).result();
  await restart(submissionId);
  t.deepEqual(await engine.lifecycle.quoteSubmission(quote), first);
  await workflow(submissionId).result();
  const row = await engine.database.forOrg(engine.orgId, (em) => findSubmission(em, submissionId));
  t.is(row?.status, 'declined');
});

test('two commands at the same moment are carried out one after the other', async (t) => {
  const submissionId = await engine.created();
  await Promise.all([
    engine.lifecycle.quoteSubmission(engine.command(submissionId, {})),
    engine.lifecycle.quoteSubmission(engine.command(submissionId, {})),
  ]);
  const versions = (await quotes(submissionId)).map(({ quoteVersion, status }) => `${quoteVersion} ${status}`);
  t.deepEqual(versions, ['2 quoted', '1 superseded']);

  const binds = await Promise.allSettled([
    engine.lifecycle.bindSubmission(engine.command(submissionId, MONTHLY)),
    engine.lifecycle.bindSubmission(engine.command(submissionId, MONTHLY)),
  ]);
  t.deepEqual(binds.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.like(
    binds.find(({ status }) => status === 'rejected'),
    { reason: { code: 'invalid_state_transition' } },
  );
});

test('an ended submission refuses forbidden operations with its state and what it still allows', async (t) => {
  const submissionId = await engine.quoted();
  const declined = await engine.lifecycle.declineSubmission(
    engine.command(submissionId, { reason: 'Too many losses' }),
  );
  t.is(declined.status, 'declined');
  t.is((await row(submissionId))?.declineReason, 'Too many losses');
  const details = { resource: 'submission', from: 'declined', action: 'bind', allowed: [] };
  const error = await t.throwsAsync(engine.lifecycle.bindSubmission(engine.command(submissionId, MONTHLY)), {
    code: 'invalid_state_transition',
  });
  t.like(error, { details });
});

test('a bind names the policy, and the submission remembers it', async (t) => {
  const submissionId = await engine.quoted();
  const outcome = await engine.lifecycle.bindSubmission(engine.command(submissionId, MONTHLY));
  t.like(outcome, { submissionId, status: 'bound', policy: { status: 'pending', policyId: outcome.policyId } });
  t.like(await row(submissionId), { status: 'bound', policyId: outcome.policyId, quoteId: outcome.quoteId });
});

test('a command that arrives while no worker runs is carried out as soon as one is back', async (t) => {
  const own = await startEngine(t);
  const submissionId = await own.quoted();
  await own.stopWorker();
  const binding = own.lifecycle.bindSubmission(own.command(submissionId, MONTHLY));
  await own.startWorker();
  t.is((await binding).status, 'bound');
});

test('the operator finds a submission by its status and reads its next step, or how it ended', async (t) => {
  const submissionId = await engine.quoted();
  const shown = async () => {
    const { typedSearchAttributes } = await workflow(submissionId).describe();
    return Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  };
  t.like(await shown(), { OrgId: engine.orgId, EntityId: submissionId, EntityStatus: 'quoted', LineOfBusiness: 'GL' });
  const detailsOf = async () =>
    (await workflow(submissionId).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
  const expiresOn = (await row(submissionId))?.expiresOn;
  t.is(await detailsOf(), `quoted, next: expires on ${expiresOn}`);
  await engine.lifecycle.bindSubmission(engine.command(submissionId, MONTHLY));
  await workflow(submissionId).result();
  t.is(await detailsOf(), 'bound');
  t.is((await shown()).EntityStatus, 'bound');
});
