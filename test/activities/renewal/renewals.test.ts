// A policy's next term: what a renewal writes, when it is allowed, and that it happens only once.
import test from 'ava';
import type { RenewPayload } from '../../../contracts/policy.ts';
import { Relation } from '../../../db/entities/access/relation.ts';
import { DaUsage } from '../../../db/entities/authority/da-usage.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { Filing } from '../../../db/entities/insight/filing.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { PolicyTransaction } from '../../../db/entities/policy/policy-transaction.ts';
import { Submission } from '../../../db/entities/submission/submission.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { findPolicy, policyTransactions } from '../../../db/queries/policy/policies.ts';
import { addRateTable, rateTableOn } from '../../../db/queries/submission/rates.ts';
import { addDays, addMonths, addYears, daysBetween, yearOf } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { POLICY_STATUSES } from '../../../domain/policy/policy.ts';
import { planRenewal } from '../../../plans/renewal/renewal-plan.ts';
import { quoteRisk, riskOf } from '../../../plans/submission/quotation.ts';
import { prepareSteps, refused } from '../steps.ts';
import { AS_IT_IS, allInForce, change, inForce, policyOf, read, renew } from './renewal-steps.ts';

test('a renewal writes the next term, at the same price while the tables are the same', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const old = await policyOf(steps, id);
  const start = old.expirationDate;
  const outcome = await renew(steps, id);
  const next = await policyOf(steps, outcome.renewal.policyId);

  t.like(outcome, {
    policyId: id,
    status: 'active',
    refundIds: [],
    renewal: { status: 'pending', effectiveDate: start },
  });
  t.like(await policyOf(steps, id), { status: 'active', renewalPolicyId: next.id, grossPremiumCents: 399_000 });
  t.like(next, {
    policyNumber: `GL-TX-${yearOf(start)}-000001`,
    status: 'pending',
    renewalOf: id,
    renewalPolicyId: null,
    submissionId: old.submissionId,
    quoteId: null,
    insuredId: old.insuredId,
    insuredName: 'Diner 1',
    effectiveDate: start,
    expirationDate: addYears(start, 1),
    grossPremiumCents: 399_000,
    totalDueCents: 438_964,
    limitCents: 100_000_000,
    aggregateLimitCents: 200_000_000,
    installmentPlan: 'MONTHLY_10',
    daYear: yearOf(start),
    nonRenewal: null,
  });
  t.deepEqual(next.ratingInputs, old.ratingInputs);
});

test('a renewal writes the invoices and the transaction of the next term, with audit rows and events', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const { renewal, transactionId } = await renew(steps, id);
  const { policyId: nextId, policyNumber, effectiveDate: start } = renewal;
  const today = addDays(start, -60);
  await read(steps, async (em) => {
    const invoices = await invoicesOfPolicy(em, nextId);
    t.deepEqual(
      invoices.map(({ totalCents, dueDate, issueDate }) => [totalCents, dueDate, issueDate]),
      Array.from({ length: 10 }, (_, month) => [month === 0 ? 79_864 : 39_900, addMonths(start, month), today]),
    );
    const [transaction, ...more] = await policyTransactions(em, nextId);
    t.deepEqual(more, []);
    t.like(transaction, {
      id: transactionId,
      type: 'renewal',
      sequence: 1,
      issuedOn: today,
      effectiveDate: start,
      premiumChangeCents: 399_000,
      feeChangeCents: 19_500,
      taxChangeCents: 20_464,
      totalChangeCents: 438_964,
      grossPremiumAfterCents: 399_000,
      commission: { tier: 1, agentRate: '0.125', mgaRate: '0.10' },
    });
    t.true(invoices.every((invoice) => invoice.transactionId === transactionId));
    t.like(transaction?.before, { limitCents: 100_000_000, grossPremiumCents: 399_000 });
    t.like(transaction?.after, { limitCents: 100_000_000, grossPremiumCents: 399_000 });
    t.is((await policyTransactions(em, id)).length, 1);
    t.is((await em.findOneOrFail(DaUsage, { year: yearOf(start) })).usedCents, 399_000);
    t.is(await em.count(AuditEntry, { action: 'policy:renew', entityId: id }), 1);
    t.is(await em.count(AuditEntry, { action: 'policy:create', entityId: nextId }), 1);
    t.is(await em.count(Relation, { objectType: 'policy', objectId: nextId, relation: 'insured' }), 1);
    t.is(await em.count(Filing, { policyId: nextId }), await em.count(Filing, { policyId: id }));
    const event = await em.findOneOrFail(Event, { type: 'policy.renewed' });
    t.deepEqual(event.data, {
      policyId: nextId,
      policyNumber,
      grossPremium: 3990,
      effectiveDate: start,
      renewalOf: id,
    });
  });
});

test('the preview of a renewal and the renewal say the same', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const { expirationDate } = await policyOf(steps, id);
  const payload: RenewPayload = { effectiveDate: null, changes: { limitCents: 200_000_000 } };
  const plan = await read(steps, async (em) => {
    const policy = await findPolicy(em, id);
    return planRenewal(em, policy!, payload, addDays(expirationDate, -60));
  });
  const { transactionId } = await renew(steps, id, payload);
  const issued = await read(steps, (em) => em.findOneOrFail(PolicyTransaction, { id: transactionId }));
  const { premiumChangeCents, feeChangeCents, taxChangeCents, totalChangeCents, daFlags, before, after } = issued;
  t.like(plan, { premiumChangeCents, feeChangeCents, taxChangeCents, totalChangeCents, daFlags });
  t.deepEqual(JSON.parse(JSON.stringify({ before: plan.before, after: plan.after })), { before, after });
});

test('changes are part of the next term: the limit of 2,000,000 costs 1.30 times as much', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const changes = { limitCents: 200_000_000, additionalInsureds: [{ name: 'Landlord LLC' }] };
  const { renewal } = await renew(steps, id, { effectiveDate: null, changes });
  t.like(await policyOf(steps, renewal.policyId), {
    limitCents: 200_000_000,
    aggregateLimitCents: 400_000_000,
    annualRevenueCents: 100_000_000,
    grossPremiumCents: 518_700,
    additionalInsureds: [{ name: 'Landlord LLC' }],
  });
  t.like(await policyOf(steps, id), { limitCents: 100_000_000, grossPremiumCents: 399_000, additionalInsureds: [] });
});

test('a renewal takes the tables of today, the old term keeps its own', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const { expirationDate } = await policyOf(steps, id);
  const rateTableId = await steps.database.transaction(steps.orgId, async (em) => {
    const today = addDays(expirationDate, -60);
    const { table } = (await rateTableOn(em, 'GL', today))!;
    const dearer = table.base.classRates.map((row) => ({ ...row, rate: String(Number(row.rate) * 2) }));
    const next = { ...table, base: { ...table.base, classRates: dearer }, policyFeeCents: 25_000 };
    return addRateTable(em, { effectiveFrom: today, table: next, createdBy: 'test' }).id;
  });
  const { renewal } = await renew(steps, id);
  // 8,230.00 of premium and fee is taxable: 399.155 and 3.292.
  t.like(await policyOf(steps, renewal.policyId), {
    rateTableId,
    grossPremiumCents: 798_000,
    totalDueCents: 863_245,
  });
  t.like(await policyOf(steps, id), { grossPremiumCents: 399_000, totalDueCents: 438_964 });
});

test('a risk is refused on a day without a rate table, and the refusal names the missing table', async (t) => {
  const steps = await prepareSteps(t);
  const { submissionId } = await policyOf(steps, await inForce(steps));
  const refusal = await t.throwsAsync<DomainError>(
    read(steps, async (em) => {
      const risk = riskOf(await em.findOneOrFail(Submission, { id: submissionId ?? '' }), false);
      return quoteRisk(em, risk, { today: risk.effectiveDate, tableOn: '1899-12-31' });
    }),
    { instanceOf: DomainError },
  );
  t.is(refusal.code, 'not_ready');
  t.deepEqual(refusal.details, { missing: [], blockers: ['RATE_TABLE_MISSING'], lineOfBusiness: 'GL' });
});

test('a policy can be renewed from 90 days before expiry to 30 after, and not a day earlier or later', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps, { daysLeft: 91 });
  const { expirationDate } = await policyOf(steps, id);
  const window = { earliestDate: addDays(expirationDate, -90), latestDate: addDays(expirationDate, 30) };
  t.deepEqual(await refused(t, renew(steps, id), 'not_ready'), window);
  steps.passDays(91 + 31);
  await steps.activities.expirePolicy({ orgId: steps.orgId, entityId: id, today: expirationDate });
  t.deepEqual(await refused(t, renew(steps, id), 'not_ready'), window);
  t.is(await read(steps, (em) => em.count(Policy, {})), 1);
});

test('a policy is renewed on the first day of the window', async (t) => {
  const steps = await prepareSteps(t);
  t.is((await renew(steps, await inForce(steps, { daysLeft: 90 }))).renewal.status, 'pending');
});

test('an expired policy is renewed from its expiration date on the last day of the window, and all installments are due immediately', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps, { daysLeft: -30 });
  const { expirationDate } = await policyOf(steps, id);
  await steps.activities.expirePolicy({ orgId: steps.orgId, entityId: id, today: expirationDate });
  const { renewal, status } = await renew(steps, id);
  t.is(status, 'renewed');
  t.like(renewal, { status: 'active', effectiveDate: expirationDate });
  const invoices = await read(steps, (em) => invoicesOfPolicy(em, renewal.policyId));
  t.is(invoices[0]?.dueDate, addDays(expirationDate, 30));
});

test('a next term may begin later, and not before the old one ends', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  const { expirationDate } = await policyOf(steps, id);
  const early = { effectiveDate: addDays(expirationDate, -1), changes: {} };
  t.like(await refused(t, renew(steps, id, early), 'outside_policy_term'), { earliestDate: expirationDate });
  const later = addDays(expirationDate, 5);
  const { renewal } = await renew(steps, id, { effectiveDate: later, changes: {} });
  t.like(renewal, { effectiveDate: later, expirationDate: addYears(later, 1) });
});

test('a policy of 29 February comes back to it in a leap year', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps, { daysLeft: 60 });
  const { expirationDate } = await policyOf(steps, id);
  // Three terms end on February 28: the fourth ends in a leap year.
  const year = yearOf(expirationDate) + ((4 - (yearOf(expirationDate) % 4)) % 4) + 3;
  const [first, last] = [`${year - 3}-02-29`, `${year}-02-28`];
  const { renewal } = await renew(steps, id);
  await change(steps, id, { effectiveDate: first, expirationDate: `${year - 2}-02-28` });
  await change(steps, renewal.policyId, { status: 'active', effectiveDate: `${year - 2}-02-28`, expirationDate: last });
  steps.passDays(daysBetween(addDays(expirationDate, -60), addDays(last, -30)));
  const { renewal: fourth } = await renew(steps, renewal.policyId);
  t.like(fourth, { effectiveDate: last, expirationDate: `${year + 1}-02-29` });
});

test('a policy neither in force nor expired refuses renewal, and the refusal lists the allowed operations', async (t) => {
  const steps = await prepareSteps(t);
  const id = await inForce(steps);
  for (const status of POLICY_STATUSES.filter((each) => each !== 'active' && each !== 'expired')) {
    await change(steps, id, { status });
    const details = await refused(t, renew(steps, id), 'invalid_state_transition');
    t.like(details, { resource: 'policy', from: status, action: 'renew' });
    t.false((details.allowed as string[]).includes('renew'));
  }
  t.is(await read(steps, (em) => em.count(Policy, {})), 1);
  t.is(await read(steps, (em) => em.count(Event, { type: 'policy.renewed' })), 0);
});

test('the same renewal run twice makes one next term and gives one outcome', async (t) => {
  const steps = await prepareSteps(t);
  const command = steps.command(await inForce(steps), AS_IT_IS);
  const first = await steps.activities.renewPolicy(command);
  const second = await steps.activities.renewPolicy(command);
  t.deepEqual(second, { ...JSON.parse(JSON.stringify(first)), repeated: true });
  t.is(await read(steps, (em) => em.count(Policy, {})), 2);
});

test('one of two simultaneous renewals wins, the refusal of the other names the next term, and no number is lost', async (t) => {
  const steps = await prepareSteps(t);
  const [id, other] = await allInForce(steps, 2);
  const runs = await Promise.allSettled([renew(steps, id!), renew(steps, id!)]);
  const won = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
  const lost = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason] : []));
  t.is(won.length, 1);
  const renewalPolicyId = won[0]?.renewal.policyId;
  t.deepEqual(await refused(t, Promise.reject(lost[0]), 'already_exists'), { renewalPolicyId });
  t.deepEqual(await refused(t, renew(steps, id!), 'already_exists'), { renewalPolicyId });

  const second = await renew(steps, other!);
  t.deepEqual(
    [won[0]?.renewal.policyNumber, second.renewal.policyNumber].map((number) => number?.slice(-6)),
    ['000001', '000002'],
  );
  const invoices = await read(steps, async (em) => (await em.find(Invoice, {})).map((each) => each.invoiceNumber));
  const thisYear = invoices.filter((number) => number.startsWith(`INV-${yearOf(second.renewal.effectiveDate)}`));
  t.deepEqual(
    thisYear.map((number) => Number(number.slice(-6))).sort((x, y) => x - y),
    thisYear.map((_, i) => i + 1),
  );
});
