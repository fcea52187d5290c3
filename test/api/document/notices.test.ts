// Notices of cancellation as pages: the day, the grounds, and the amount that keeps the policy in force. Contract 3.2
// "Delinquency", domain facts 6.1.
import test from 'ava';
import { addDays, dayText } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { allPages, bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Insured, insured } from '../policy/policy-calls.ts';

const TODAY = testToday();

let platform: Platform;

test.before('a platform that prints', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: startPress() });
});

/** Waits for a number of notices of cancellation; their texts, newest first. */
async function noticesOf({ client, policyId }: Insured, count: number): Promise<string[]> {
  const query = { entityType: 'policy', entityId: policyId, kind: 'cancellation_notice' };
  const notices = async () => (await allPages(client, '/v1/documents', query)) as unknown as { downloadUrl: string }[];
  await eventually(async () => (await notices()).length === count, { what: `${count} notices` });
  const texts = (await notices()).map(async ({ downloadUrl }) => {
    const answer = await fetch(`${platform.url}${new URL(downloadUrl).pathname}`);
    return textOf(Buffer.from(await answer.arrayBuffer()));
  });
  return Promise.all(texts);
}

const pastDue = (page = '') => /Past-due amount (\$[\d,.]+\d)/.exec(page)?.[1];

const inDollars = (amount: number) => amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' });

const invoiceOf = async ({ house, invoices }: Insured) =>
  bodyOf(await house.as('billing_admin').get(`/v1/invoices/${invoices[0]?.id}`));

test('an endorsement under a notice restates its premium and gives no new notice', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const cancel = { effectiveDate: addDays(TODAY, 60), reason: 'insured_request' };
  bodyOf(await policy.change('cancel', cancel), 201);
  await policy.advance(addDays(TODAY, 7));
  const endorsed = { effectiveDate: addDays(TODAY, 7), changes: { requestedLimit: 500_000 } };
  bodyOf(await policy.change('endorse', endorsed), 201);
  const [again, first] = await noticesOf(policy, 2);
  t.regex(first ?? '', new RegExp(`Date of this notice: ${dayText(TODAY)}`));
  t.regex(again ?? '', new RegExp(`Notice of cancellation was given on ${dayText(TODAY)}.*It is not a new notice`));
  t.notRegex(again ?? '', /Date of this notice/);
});

test('a notice for non-payment states the amount past due on its day, even when it is printed after the lapse', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const total = policy.invoices[0]?.total ?? 0;
  await policy.advance(addDays(TODAY, 60));
  t.is((await policy.read()).status, 'lapsed');
  const [page] = await noticesOf(policy, 1);
  t.is(pastDue(page), inDollars(total));
});

test('a notice restated after an endorsement states the amount still past due, and nothing that fell due since', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const [day1, day11, day17] = [addDays(TODAY, 1), addDays(TODAY, 11), addDays(TODAY, 17)];
  const endorse = (effectiveDate: string, changes: object) => policy.change('endorse', { effectiveDate, changes });
  await policy.advance(day1);
  // The first invoice is past due, so the additional premium has one of its own, due 15 days later.
  bodyOf(await endorse(day1, { annualRevenue: 1_200_000 }), 201);
  await policy.advance(day11);
  const { balance } = await invoiceOf(policy);
  await policy.advance(day17);
  bodyOf(await endorse(day17, { insuredName: 'Renamed Diner LLC' }), 201);
  bodyOf(await endorse(day17, { deductible: 5_000 }), 201);
  const { balance: left } = await invoiceOf(policy);
  const [after, renamed, given] = await noticesOf(policy, 3);
  t.deepEqual([given, renamed, after].map(pastDue), [balance, balance, left].map(inDollars));
  const paid = { amount: left, method: 'check', reference: 'Check 1' };
  bodyOf(await policy.house.as('billing_admin').post(`/v1/invoices/${policy.invoices[0]?.id}/pay`, paid), 201);
  const isRescinded = async () => (await policy.read()).status === 'active';
  await eventually(isRescinded, { what: 'the notice to be rescinded by the amount on it' });
});

test('a notice restated after an endorsement that lowers the bill under notice states the lower amount', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const day11 = addDays(TODAY, 11);
  await policy.advance(day11);
  const { balance } = await invoiceOf(policy);
  bodyOf(await policy.change('endorse', { effectiveDate: day11, changes: { deductible: 5_000 } }), 201);
  const { balance: left } = await invoiceOf(policy);
  t.true(left < balance);
  t.deepEqual((await noticesOf(policy, 2)).map(pastDue), [left, balance].map(inDollars));
});
