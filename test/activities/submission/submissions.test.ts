import test from 'ava';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { newId } from '../../../db/ids.ts';
import { openReferralOf } from '../../../db/queries/authority/referrals.ts';
import { findSubmission, latestQuote } from '../../../db/queries/submission/submissions.ts';
import { addDays } from '../../../domain/dates.ts';
import { holdRow } from '../../support/held-row.ts';
import { attempt, prepareSteps, refused, type Steps } from '../steps.ts';

let steps: Steps;

test.before(async (t) => {
  steps = await prepareSteps(t);
});

const row = (id: string) => steps.database.forOrg(steps.orgId, (em) => findSubmission(em, id));
const quote = (id: string) => steps.database.forOrg(steps.orgId, (em) => latestQuote(em, id));
const referral = (id: string) => steps.database.forOrg(steps.orgId, (em) => openReferralOf(em, { submissionId: id }));

async function created(changes = {}): Promise<string> {
  const id = newId('submission');
  await steps.activities.createSubmission(steps.command(id, steps.risk(changes)));
  return id;
}

test('a new submission has a score, a clearance and a day on which it expires', async (t) => {
  const id = await created({ insuredName: 'Scored Diner' });
  const submission = await row(id);
  t.like(submission, { status: 'triaged', missingFields: [], expiresOn: addDays(steps.today, 90) });
  t.deepEqual(submission?.clearance, { duplicateOf: null, sanctionsMatches: [] });
  // Class standard 22, 8 of 16 fields 10, one loss 12, size 10, limit half of 2M 10, state 5, ten days ahead 5, no
  // producer 0.
  t.like(submission?.triage, { score: 74, band: 'standard' });
});

test('the same risk submitted again under a slightly different name is reported as a likely duplicate', async (t) => {
  const first = await created({ insuredName: 'Twice Baked Diner, LLC' });
  const second = await created({ insuredName: 'THE TWICE BAKED DINER', effectiveDate: addDays(steps.today, 25) });
  t.is((await row(second))?.clearance?.duplicateOf, first);
  const elsewhere = await created({ insuredName: 'Twice Told Diner', state: 'FL' });
  t.is((await row(elsewhere))?.clearance?.duplicateOf, null);
});

test('a name on the sanctions list caps the score and blocks the quote', async (t) => {
  const own = await prepareSteps(t);
  own.find([{ entryId: 'x', name: 'Blue Plate Diner', program: 'TEST', score: 100 }]);
  const id = await own.quoted();
  const [submission, latest] = await own.database.forOrg(own.orgId, async (em) => [
    await findSubmission(em, id),
    await latestQuote(em, id),
  ]);
  t.is(submission?.triage?.score, 20);
  t.deepEqual(
    latest?.daFlags.map(({ code, severity }) => `${code} ${severity}`),
    ['DA_SANCTIONS_REVIEW block'],
  );
});

test('a correction of the risk withdraws the quote and its referral, one of the contact data leaves them', async (t) => {
  const id = await steps.quoted({ insuredName: 'Referred Diner', lossesLast5Years: 3 });
  t.is((await row(id))?.status, 'referred');
  await steps.activities.correctSubmission(steps.command(id, { insuredPhone: '+15125550100' }));
  t.is((await row(id))?.status, 'referred');
  t.truthy(await referral(id));

  await steps.activities.correctSubmission(steps.command(id, { lossesLast5Years: 1 }));
  t.is((await row(id))?.status, 'triaged');
  t.is((await quote(id))?.status, 'superseded');
  t.is(await referral(id), null);
});

test('a required field cannot be taken away from a complete submission', async (t) => {
  const id = await created({ insuredName: 'Complete Diner' });
  const details = await refused(
    t,
    steps.activities.correctSubmission(steps.command(id, { naicsCode: null })),
    'validation_failed',
  );
  t.like(details, { field: 'naicsCode', rule: 'required' });
});

test('a submission expires on its day and not before, and expiring it twice changes nothing', async (t) => {
  const id = await created({ insuredName: 'Forgotten Diner' });
  const expire = (today: string) => steps.activities.expireSubmission({ orgId: steps.orgId, entityId: id, today });
  t.is((await expire(addDays(steps.today, 89))).status, 'triaged');
  const expired = await expire(addDays(steps.today, 90));
  t.is(expired.status, 'expired');
  t.deepEqual(await expire(addDays(steps.today, 91)), expired);
});

test('the referral of a submission that ends is withdrawn, by the calendar where nobody ended it', async (t) => {
  const withdrawals = (referralId: string) =>
    steps.database.forOrg(steps.orgId, (em) =>
      em.find(AuditEntry, { entityId: referralId, action: 'referral:withdraw' }),
    );
  const withdrawn = await steps.quoted({ insuredName: 'Withdrawn Diner', lossesLast5Years: 3 });
  const expired = await steps.quoted({ insuredName: 'Expired Diner', lossesLast5Years: 3 });
  const [first, second] = [await referral(withdrawn), await referral(expired)];
  await steps.activities.withdrawSubmission(steps.command(withdrawn, {}));
  await steps.activities.expireSubmission({
    orgId: steps.orgId,
    entityId: expired,
    today: addDays(steps.today, 90),
  });
  t.is(await referral(withdrawn), null);
  t.is(await referral(expired), null);
  const changes = { status: { before: 'pending', after: 'withdrawn' } };
  t.like(await withdrawals(String(first?.id)), [{ actorKind: 'user', actorId: 'test-admin', changes }]);
  t.like(await withdrawals(String(second?.id)), [{ actorKind: 'machine', actorId: 'calendar', changes }]);
});

test('a creation run twice, in sequence or simultaneously, makes one submission and gives one outcome', async (t) => {
  const command = steps.command(newId('submission'), steps.risk({ insuredName: 'Repeated Diner' }));
  const runs = await Promise.allSettled([
    attempt(1, () => steps.activities.createSubmission(command)),
    attempt(1, () => steps.activities.createSubmission(command)),
  ]);
  const outcome = await attempt(2, () => steps.activities.createSubmission(command));
  for (const run of runs) {
    if (run.status === 'fulfilled') t.deepEqual({ ...run.value, repeated: true }, outcome);
    else t.false(run.reason.nonRetryable, 'the loser is tried again');
  }
  t.is((await row(command.entityId))?.version, 1);
});

test('a command that waits for its row is checked against the business date after the wait', async (t) => {
  const own = await prepareSteps(t);
  const { orgId, activities, command } = own;
  const [corrected, bound] = [await own.quoted(), await own.quoted()];
  const commands = [
    { id: corrected, run: () => activities.correctSubmission(command(corrected, { description: 'Later.' })) },
    { id: bound, run: () => activities.bindPolicy(command(bound, { installmentPlan: 'PAY_IN_FULL', quoteId: null })) },
  ];
  for (const [index, { id, run }] of commands.entries()) {
    const held = await holdRow(own.ownerUrl, 'submissions', 'id = $1', id);
    const running = attempt(1, run);
    await held.isWaitedFor();
    await own.database.forOrg(orgId, (em) =>
      em.execute('update organizations set clock_offset_days = ? where id = ?', [index + 1, orgId]),
    );
    await held.release();
    t.is((await running).clockOffsetDays, index + 1, id);
  }
});
