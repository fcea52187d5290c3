// What a person refers about a submission, and what its approval clears. Contract 3.7, Decision 0185.
import test from 'ava';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { RateTable } from '../../../db/entities/submission/rate-table.ts';
import { newId } from '../../../db/ids.ts';
import { latestQuote } from '../../../db/queries/submission/submissions.ts';
import { addDays } from '../../../domain/dates.ts';
import { prepareSteps, type Steps } from '../steps.ts';

const LATER = 80;

async function present(steps: Steps, id: string): Promise<Referral> {
  const payload = { referralId: newId('referral'), dealRoomId: null, reason: 'A good restaurant.' };
  const { referralId } = await steps.activities.openSubmissionReferral(steps.command(id, payload));
  return steps.database.forOrg(steps.orgId, (em) => em.findOneOrFail(Referral, { id: referralId }));
}

function approve(steps: Steps, id: string, referralId: string) {
  const payload = { decision: 'approve' as const, notes: null, conditions: [], referralId, expectedVersion: null };
  const actor = { kind: 'user', id: 'test-senior', role: 'org_admin' } as const;
  return steps.activities.decideSubmissionReferral({ ...steps.command(id, payload), actor });
}

const offerOf = (steps: Steps, id: string) => steps.database.forOrg(steps.orgId, (em) => latestQuote(em, id));

async function received(steps: Steps, changes: object): Promise<string> {
  const id = newId('submission');
  await steps.activities.createSubmission(steps.command(id, steps.risk(changes)));
  return id;
}

test('an unquoted risk is referred with the flags of its price, and one approval clears them', async (t) => {
  const steps = await prepareSteps(t);
  const id = await received(steps, { requestedLimitCents: 300_000_000, lossesLast5Years: 3 });
  const { id: referralId, flags, quoteId } = await present(steps, id);
  t.deepEqual(
    flags.map(({ code, referralId: of }) => [code, of]),
    [
      ['DA_LIMIT_EXCEEDED', referralId],
      ['DA_LOSS_HISTORY', referralId],
    ],
  );
  t.is(quoteId, null);
  await approve(steps, id, referralId);
  t.is((await steps.activities.quoteSubmission(steps.command(id, {}))).status, 'quoted');
  t.like(await offerOf(steps, id), { status: 'quoted', approvalId: referralId });
});

test('a referral of an issued quote keeps its figures, even when the risk would price differently now', async (t) => {
  const steps = await prepareSteps(t);
  const id = await steps.quoted();
  await steps.database.transaction(steps.orgId, async (em) => {
    const { table, ...row } = await em.findOneOrFail(RateTable, { lineOfBusiness: 'GL' });
    const cheaper = { ...table, lossFactors: { ...table.lossFactors, '1': '0.5' } };
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...facts } = row;
    const effectiveFrom = steps.today;
    em.create(RateTable, { ...facts, id: newId('rateTable'), effectiveFrom, table: cheaper }, { persist: true });
  });
  const { id: referralId, premiumCents, judged, quoteId } = await present(steps, id);
  const offer = await offerOf(steps, id);
  t.is(premiumCents, 399_000);
  t.is(judged?.premiumCents, 399_000);
  t.is(quoteId, offer?.id ?? null);
  await approve(steps, id, referralId);
  t.is((await offerOf(steps, id))?.approvalId, referralId);
});

test('an offer that was superseded or has expired does not prevent the approval of a later one', async (t) => {
  const steps = await prepareSteps(t);
  const effectiveDate = addDays(steps.today, LATER);
  const corrected = await steps.quoted({ effectiveDate });
  await steps.activities.correctSubmission(steps.command(corrected, { annualRevenueCents: 110_000_000 }));
  const untouched = await steps.quoted({ effectiveDate, insuredName: 'Second Diner' });
  steps.passDays(31);
  for (const id of [corrected, untouched]) {
    const earlier = await offerOf(steps, id);
    const { id: referralId, quoteId } = await present(steps, id);
    t.is(quoteId, null);
    await approve(steps, id, referralId);
    t.is((await offerOf(steps, id))?.approvalId, earlier?.approvalId);
    await steps.activities.quoteSubmission(steps.command(id, {}));
    t.is((await offerOf(steps, id))?.approvalId, referralId);
  }
});
