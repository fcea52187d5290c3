import test from 'ava';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { Submission } from '../../../db/entities/submission/submission.ts';
import { newId } from '../../../db/ids.ts';
import { openReferralOf } from '../../../db/queries/authority/referrals.ts';
import { findSubmission, latestQuote } from '../../../db/queries/submission/submissions.ts';
import { addDays } from '../../../domain/dates.ts';
import { prepareQuotation } from '../../../plans/submission/quotation.ts';
import { quotesOf } from '../../workflows/quotes-of.ts';
import { prepareSteps, refused, type Steps } from '../steps.ts';

let steps: Steps;

test.before(async (t) => {
  steps = await prepareSteps(t);
});

const quote = (id: string) => steps.database.forOrg(steps.orgId, (em) => latestQuote(em, id));
const referral = (id: string) => steps.database.forOrg(steps.orgId, (em) => openReferralOf(em, { submissionId: id }));

/** An entity's audit rows, oldest first. */
const eventsOf = async (entityId: string) => {
  const rows = await steps.database.forOrg(steps.orgId, (em) =>
    em.find(AuditEntry, { entityId }, { orderBy: { id: 'asc' } }),
  );
  return rows.map(({ action, actorId, changes }) => ({ action, actorId, changes }));
};

test('a quote is priced to the cent: 3,990.00 and fee, tax and stamping make 4,389.64', async (t) => {
  const id = await steps.quoted({ insuredName: 'Priced Diner' });
  const latest = await quote(id);
  t.like(latest, { status: 'quoted', quoteVersion: 1, grossPremiumCents: 399_000, totalDueCents: 438_964 });
  t.deepEqual(latest?.fees, [{ code: 'POLICY_FEE', amountCents: 19_500 }]);
  t.deepEqual(latest?.taxes, [
    { code: 'SL_TAX', rate: 0.0485, amountCents: 20_297 },
    { code: 'STAMPING_FEE', rate: 0.0004, amountCents: 167 },
  ]);
  t.is(latest?.expiresOn, addDays(steps.today, 10), 'the effective date comes before the thirty days');
});

test('a preview computes the figures of a quote and writes nothing', async (t) => {
  const id = await steps.quoted({ insuredName: 'Previewed Diner' });
  const { price, flags } = await steps.database.forOrg(steps.orgId, async (em) => {
    const submission = await findSubmission(em, id);
    return prepareQuotation(em, submission!, steps.today);
  });
  const issued = await quote(id);
  t.deepEqual([price.totalDueCents], [issued?.totalDueCents]);
  t.deepEqual(price.installmentOptions, issued?.installmentOptions);
  t.deepEqual(flags, issued?.daFlags);
  t.is((await steps.database.forOrg(steps.orgId, (em) => quotesOf(em, id))).length, 1);
});

test('a refer flag opens one referral, a new quote takes it over, and a quote without one withdraws it', async (t) => {
  const id = await steps.quoted({ insuredName: 'Unlucky Diner', lossesLast5Years: 3 });
  const first = await quote(id);
  const opened = await referral(id);
  t.like(opened, { status: 'pending', quoteId: first?.id, requestedBy: 'test-admin' });
  t.like(first?.daFlags[0], { code: 'DA_LOSS_HISTORY', severity: 'refer', referralId: opened?.id });

  await steps.activities.quoteSubmission(steps.command(id, {}));
  const second = await quote(id);
  t.like(await referral(id), { id: opened?.id, quoteId: second?.id });

  await steps.activities.correctSubmission(steps.command(id, { lossesLast5Years: 0 }));
  t.is((await steps.activities.quoteSubmission(steps.command(id, {}))).status, 'quoted');
  t.is(await referral(id), null);
});

test('a referral opened, moved and taken back, and each quote superseded, is in the audit with before and after', async (t) => {
  const id = await steps.quoted({ insuredName: 'Audited Diner', lossesLast5Years: 3 });
  const [first, opened] = [await quote(id), await referral(id)];
  await steps.activities.quoteSubmission(steps.command(id, {}));
  const second = await quote(id);
  await steps.activities.correctSubmission(steps.command(id, { lossesLast5Years: 0 }));

  const flags = { before: null, after: ['DA_LOSS_HISTORY'] };
  t.deepEqual(await eventsOf(String(opened?.id)), [
    {
      action: 'referral:create',
      actorId: 'test-admin',
      changes: {
        submissionId: { before: null, after: id },
        quoteId: { before: null, after: first?.id },
        status: { before: null, after: 'pending' },
        flags,
      },
    },
    {
      action: 'referral:update',
      actorId: 'test-admin',
      changes: { quoteId: { before: first?.id, after: second?.id } },
    },
    {
      action: 'referral:withdraw',
      actorId: 'test-admin',
      changes: { status: { before: 'pending', after: 'withdrawn' } },
    },
  ]);
  const superseded = {
    action: 'quote:supersede',
    actorId: 'test-admin',
    changes: { status: { before: 'referred', after: 'superseded' } },
  };
  t.deepEqual(
    [...(await eventsOf(String(first?.id))), ...(await eventsOf(String(second?.id)))],
    [superseded, superseded],
  );
});

test('a quote that replaces one without refer flags only records the superseded one, and a first quote none', async (t) => {
  const id = await steps.quoted({ insuredName: 'Quoted Again Diner' });
  const first = await quote(id);
  t.deepEqual(await eventsOf(String(first?.id)), []);
  const again = steps.command(id, {});
  await steps.activities.quoteSubmission(again);
  const rows = await steps.database.forOrg(steps.orgId, (em) => em.find(AuditEntry, { requestId: again.requestId }));
  t.deepEqual(rows.map(({ action, entityId }) => `${action} ${entityId}`).toSorted(), [
    `quote:supersede ${first?.id}`,
    `submission:quote ${id}`,
  ]);
});

test('a block flag alone opens no referral and leaves the submission quoted', async (t) => {
  const id = await steps.quoted({ insuredName: 'Timber Company', naicsCode: '113310' });
  const latest = await quote(id);
  t.is(latest?.status, 'quoted');
  t.true(latest?.daFlags.some(({ code, severity }) => code === 'DA_CLASS_PROHIBITED' && severity === 'block'));
  t.is(await referral(id), null);
});

test('an incomplete submission is not quoted, and the refusal lists the missing fields', async (t) => {
  const id = newId('submission');
  await steps.activities.createSubmission(steps.command(id, steps.risk({ state: null, naicsCode: null })));
  const details = await refused(t, steps.activities.quoteSubmission(steps.command(id, {})), 'not_ready');
  t.deepEqual(details, { missing: ['naicsCode', 'state'], blockers: [] });
});

test('a quote with new figures gives its open referral all its days again, one with the same does not', async (t) => {
  const own = await prepareSteps(t);
  const id = await own.quoted({ lossesLast5Years: 3, effectiveDate: addDays(own.today, 40) });
  const read = () => own.database.forOrg(own.orgId, (em) => openReferralOf(em, { submissionId: id }));
  const first = await read();
  t.like(first, { expiresOn: addDays(own.today, 14), nextStepOn: addDays(own.today, 3) });
  own.passDays(13);
  await own.activities.quoteSubmission(own.command(id, {}));
  t.like(await read(), { id: first?.id, expiresOn: addDays(own.today, 14) });
  // A correction would withdraw the referral: these figures change without one, as new rates would change them.
  await own.database.transaction(own.orgId, (em) =>
    em.nativeUpdate(Submission, { id }, { annualRevenueCents: 120_000_000 }),
  );
  await own.activities.quoteSubmission(own.command(id, {}));
  t.like(await read(), { id: first?.id, expiresOn: addDays(own.today, 27), nextStepOn: addDays(own.today, 16) });
});
