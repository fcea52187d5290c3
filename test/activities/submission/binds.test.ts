import test from 'ava';
import type { BindPayload } from '../../../contracts/submission.ts';
import { Relation } from '../../../db/entities/access/relation.ts';
import { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { DaUsage } from '../../../db/entities/authority/da-usage.ts';
import { Filing } from '../../../db/entities/insight/filing.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { Quote } from '../../../db/entities/submission/quote.ts';
import { Submission } from '../../../db/entities/submission/submission.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { policyTransactions } from '../../../db/queries/policy/policies.ts';
import { findSubmission, latestQuote } from '../../../db/queries/submission/submissions.ts';
import { addDays, addMonths, addYears } from '../../../domain/dates.ts';
import { attempt, prepareSteps, refused, type Steps } from '../steps.ts';

const MONTHLY: BindPayload = { installmentPlan: 'MONTHLY_10', quoteId: null };

const bind = (steps: Steps, id: string, payload = MONTHLY) => steps.activities.bindPolicy(steps.command(id, payload));
const flagCodes = (details: Record<string, unknown>) => (details.daFlags as { code: string }[]).map(({ code }) => code);

test('a bind writes the policy, its first transaction, its invoices, audit rows and events', async (t) => {
  const steps = await prepareSteps(t);
  const id = await steps.quoted();
  const effectiveDate = addDays(steps.today, 10);
  const year = effectiveDate.slice(0, 4);
  const { policyId } = await bind(steps, id);

  await steps.database.forOrg(steps.orgId, async (em) => {
    t.like(await em.findOneOrFail(Policy, policyId), {
      policyNumber: `GL-TX-${year}-000001`,
      status: 'pending',
      effectiveDate,
      expirationDate: addYears(effectiveDate, 1),
      grossPremiumCents: 399_000,
      totalDueCents: 438_964,
      limitCents: 100_000_000,
      aggregateLimitCents: 200_000_000,
      daYear: Number(year),
    });
    const invoices = await invoicesOfPolicy(em, policyId);
    t.deepEqual(
      invoices.map(({ totalCents }) => totalCents),
      [79_864, ...Array.from({ length: 9 }, () => 39_900)],
    );
    t.deepEqual(
      invoices.map(({ dueDate }) => dueDate),
      Array.from({ length: 10 }, (_, month) => addMonths(effectiveDate, month)),
    );
    t.deepEqual(
      invoices[0]?.lines.map(({ code, amountCents }) => [code, amountCents]),
      [
        ['PREMIUM', 39_900],
        ['POLICY_FEE', 19_500],
        ['SL_TAX', 20_297],
        ['STAMPING_FEE', 167],
      ],
    );
    const [transaction, ...more] = await policyTransactions(em, policyId);
    t.deepEqual(more, []);
    t.like(transaction, {
      type: 'new_business',
      sequence: 1,
      premiumChangeCents: 399_000,
      feeChangeCents: 19_500,
      taxChangeCents: 20_464,
      totalChangeCents: 438_964,
    });
    t.true(invoices.every(({ transactionId }) => transactionId === transaction?.id));
    t.is((await em.findOneOrFail(DaUsage, { year: Number(year) })).usedCents, 399_000);
    t.is((await latestQuote(em, id))?.status, 'accepted');
    t.is((await findSubmission(em, id))?.status, 'bound');
    t.is(await em.count(AuditEntry, { action: 'submission:bind', entityId: id }), 1);
    t.is(await em.count(Relation, { objectType: 'policy', objectId: policyId, relation: 'insured' }), 1);
    t.true((await em.count(Filing, { policyId })) > 0);
    const events = await em.find(Event, {});
    t.deepEqual(
      events.map(({ type, data }) => [type, data]),
      [['policy.bound', { policyId, policyNumber: `GL-TX-${year}-000001`, grossPremium: 3990, effectiveDate }]],
    );
  });
});

test('a policy bound in the sandbox requires no filing', async (t) => {
  const steps = await prepareSteps(t, 'sandbox');
  const { policyId } = await bind(steps, await steps.quoted());
  t.is(await steps.database.forOrg(steps.orgId, (em) => em.count(Filing, { policyId })), 0);
});

test('the same bind run twice, in sequence or simultaneously, makes one policy and gives one outcome', async (t) => {
  const steps = await prepareSteps(t);
  const command = steps.command(await steps.quoted(), MONTHLY);
  const runs = await Promise.all([steps.activities.bindPolicy(command), steps.activities.bindPolicy(command)]);
  const last = await attempt(2, () => steps.activities.bindPolicy(command));
  const [first, second] = runs.sort((a, b) => Number(a.repeated ?? false) - Number(b.repeated ?? false));
  t.is(first?.repeated, undefined);
  t.deepEqual(second, { ...first!, repeated: true });
  t.deepEqual(last, second);
  t.is(await steps.database.forOrg(steps.orgId, (em) => em.count(Policy, {})), 1);
});

test('a submission not quoted, already bound, or naming a foreign quote is refused with the reason', async (t) => {
  const steps = await prepareSteps(t);
  const unquoted = newId('submission');
  await steps.activities.createSubmission(steps.command(unquoted, steps.risk()));
  t.deepEqual(await refused(t, bind(steps, unquoted), 'not_ready'), { missing: [], blockers: ['NO_QUOTE'] });

  const other = await steps.quoted();
  const id = await steps.quoted();
  const { quoteId } = await steps.activities.quoteSubmission(steps.command(other, {}));
  const strange = await refused(t, bind(steps, id, { ...MONTHLY, quoteId }), 'validation_failed');
  t.like(strange, { field: 'quoteId', rule: 'unknown_reference' });

  await bind(steps, id);
  const again = await refused(t, bind(steps, id), 'invalid_state_transition');
  t.like(again, { resource: 'submission', from: 'bound', action: 'bind', allowed: [] });
});

test('an offer is open until its last day, and only the latest one', async (t) => {
  const steps = await prepareSteps(t);
  const id = await steps.quoted({ effectiveDate: addDays(steps.today, 40) });
  const superseded = await steps.database.forOrg(steps.orgId, (em) => latestQuote(em, id));
  await steps.activities.quoteSubmission(steps.command(id, {}));
  await refused(t, bind(steps, id, { ...MONTHLY, quoteId: superseded!.id }), 'quote_expired');

  steps.passDays(31);
  const details = await refused(t, bind(steps, id), 'quote_expired');
  t.is(details.expiresOn, addDays(steps.today, 30));
});

test('an offer can still be bound on its last day', async (t) => {
  const steps = await prepareSteps(t);
  const id = await steps.quoted({ effectiveDate: addDays(steps.today, 40) });
  steps.passDays(30);
  t.is((await bind(steps, id)).status, 'bound');
});

test('a referred submission is refused with its flags until they are cleared, and cleared flags stay cleared', async (t) => {
  const steps = await prepareSteps(t);
  const id = await steps.quoted({ lossesLast5Years: 3 });
  t.deepEqual(flagCodes(await refused(t, bind(steps, id), 'delegated_authority_exceeded')), ['DA_LOSS_HISTORY']);

  await steps.database.transaction(steps.orgId, async (em) => {
    const quote = await latestQuote(em, id);
    quote!.daFlags = quote!.daFlags.map((flag) => ({
      ...flag,
      clearedBy: 'usr_x',
      clearedAt: new Date().toISOString(),
    }));
    quote!.status = 'quoted';
    await em.nativeUpdate(Submission, { id }, { status: 'quoted' });
  });
  const { policyId } = await bind(steps, id);
  const [transaction] = await steps.database.forOrg(steps.orgId, (em) => policyTransactions(em, policyId));
  t.like(transaction?.daFlags[0], { code: 'DA_LOSS_HISTORY', clearedBy: 'usr_x' });
});

test('flags that were cleared under another contract are not cleared at the bind', async (t) => {
  const steps = await prepareSteps(t);
  const id = await steps.quoted({ lossesLast5Years: 3 });
  const clearedAt = new Date().toISOString();
  await steps.database.transaction(steps.orgId, async (em) => {
    const quote = await latestQuote(em, id);
    const daFlags = quote!.daFlags.map((flag) => ({ ...flag, clearedBy: 'usr_x', clearedAt }));
    Object.assign(quote!, { daFlags, status: 'quoted' });
    await em.nativeUpdate(Submission, { id }, { status: 'quoted' });
    const {
      id: _id,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      ...contract
    } = await em.findOneOrFail(DaContract, {});
    await em.nativeUpdate(DaContract, {}, { status: 'suspended' });
    em.create(DaContract, { ...contract, id: newId('daContract'), carrier: 'Other Carrier' }, { persist: true });
  });
  t.deepEqual(flagCodes(await refused(t, bind(steps, id), 'delegated_authority_exceeded')), ['DA_LOSS_HISTORY']);
});

test('authority is judged as of the bind, not as of the quote', async (t) => {
  const steps = await prepareSteps(t);
  const id = await steps.quoted();
  await steps.database.transaction(steps.orgId, (em) => em.nativeUpdate(DaContract, {}, { status: 'suspended' }));
  const suspended = await refused(t, bind(steps, id), 'delegated_authority_exceeded');
  t.deepEqual(flagCodes(suspended), ['DA_CONTRACT_INACTIVE']);

  await steps.database.transaction(steps.orgId, (em) => em.nativeUpdate(DaContract, {}, { status: 'active' }));
  steps.find([{ entryId: 'x', name: 'Blue Plate Diner', program: 'TEST', score: 100 }]);
  const listed = await refused(t, bind(steps, id), 'delegated_authority_exceeded');
  t.deepEqual(flagCodes(listed), ['DA_SANCTIONS_REVIEW']);

  steps.find([]);
  t.is((await bind(steps, id)).status, 'bound');
});

test('a refused bind leaves nothing behind, not even a number', async (t) => {
  const steps = await prepareSteps(t);
  await steps.database.transaction(steps.orgId, (em) =>
    em.nativeUpdate(DaContract, {}, { maxAnnualPremiumVolumeCents: 399_000 }),
  );
  const [first, second] = [await steps.quoted(), await steps.quoted({ insuredName: 'Second Diner' })];
  await bind(steps, first);
  t.deepEqual(flagCodes(await refused(t, bind(steps, second), 'delegated_authority_exceeded')), [
    'DA_AGGREGATE_EXCEEDED',
  ]);
  await steps.database.forOrg(steps.orgId, async (em) => {
    t.is(await em.count(Policy, {}), 1);
    t.is((await em.findOneOrFail(Quote, { submissionId: second })).status, 'quoted');
    t.is((await em.findOneOrFail(DaUsage, {})).usedCents, 399_000);
  });
});
