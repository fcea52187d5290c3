// The statement of account of a policy, over the days of its life.
import test from 'ava';
import { addDays, daysBetween } from '../../../domain/dates.ts';
import { allPages, bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { cents, insured, pay } from './policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface Line {
  date: string;
  kind: string;
  reference: string;
  amount: number;
  balance: number;
  description: string;
}

type Owed = { balance: number };

test('a statement shows each day what was billed, paid, changed and given back, and begins with what was before', async (t) => {
  const policy = await insured(platform, 'SEMI_ANNUAL_2');
  const { house, effectiveDate, path, invoices } = policy;
  const client = house.as('finance_analyst');
  const [first, second] = invoices.map(({ total }) => total) as [number, number];
  const statement = async (query = {}) => bodyOf(await client.get(`${path}/statement`, { query }));
  await pay(policy);
  await policy.advance(addDays(effectiveDate, 50));
  bodyOf(
    await policy.change('endorse', { effectiveDate: addDays(effectiveDate, 50), changes: { annualRevenue: 2e6 } }),
    201,
  );
  await policy.advance(addDays(effectiveDate, 100));
  bodyOf(await policy.change('cancel', { effectiveDate: addDays(effectiveDate, 100), reason: 'insured_request' }), 201);
  const all = await statement();
  const lines: Line[] = all.lines;
  const shown = lines.map(({ date, kind }) => [date, kind]);
  const [bound] = lines.map(({ date }) => date) as [string];
  t.deepEqual(shown.slice(0, 4), [
    ...[
      [bound, 'invoice'],
      [bound, 'invoice'],
      [bound, 'payment'],
    ],
    [addDays(effectiveDate, 50), 'additional_premium'],
  ]);
  const words = lines.slice(1, 4).map(({ description }) => description);
  t.deepEqual(words, ['Invoice', 'Payment received', 'Additional premium']);
  t.deepEqual(
    lines.slice(0, 3).map(({ amount }) => amount),
    [first, second, -first],
  );
  t.true(shown.slice(4).every(([date]) => date === addDays(effectiveDate, 100)));
  const owed = (await allPages(client, '/v1/invoices', { policyId: policy.policyId })) as unknown as Owed[];
  t.is(all.closingBalance, cents(owed.reduce((sum, { balance }) => sum + balance, 0)));
  t.is(all.openingBalance, 0);
  t.is(all.to, addDays(effectiveDate, 100));

  const from = addDays(effectiveDate, 1);
  const to = addDays(effectiveDate, 99);
  const part = await statement({ from, to });
  t.like(part, { from, to, openingBalance: second, lines: { length: 1 } });
  t.deepEqual(part.lines, [lines[3]]);
  t.is(part.closingBalance, lines[3]?.balance);
  t.deepEqual((await statement({ from: '2001-01-01', to: '2001-01-02' })).lines, []);

  const csv = await client.get(`${path}/statement`, { headers: { accept: 'text/csv' } });
  t.is(csv.status, 200);
  const [head, ...rows] = csv.text.trim().split('\r\n');
  t.is(
    head,
    'date,kind,reference,invoiceId,paymentId,transactionId,dueDate,amount,balance,owed,daysPastDue,description',
  );
  t.is(rows.length, lines.length);
});

test('a statement says what is past due and what falls due next, with the days, also when its own days show neither', async (t) => {
  const { house, path, effectiveDate, advance, ...policy } = await insured(platform, 'QUARTERLY_4');
  const client = house.as('billing_admin');
  const [first, second] = policy.invoices as [{ id: string; total: number }, { id: string; total: number }];
  const statement = async (query = {}) => bodyOf(await client.get(`${path}/statement`, { query }));
  const { dueDate: next } = bodyOf(await client.get(`/v1/invoices/${second.id}`));
  await advance(effectiveDate);
  t.deepEqual((await statement()).due, {
    ...{ asOf: effectiveDate, pastDue: null },
    dueNext: { amount: first.total, dueDate: effectiveDate, days: 0 },
  });
  const today = addDays(effectiveDate, 3);
  await advance(today);
  const part = { amount: 100, method: 'check', reference: 'Part 1' };
  bodyOf(await client.post(`/v1/invoices/${first.id}/pay`, part), 201);
  const due = {
    asOf: today,
    pastDue: { amount: cents(first.total - 100), dueDate: effectiveDate, days: 3 },
    dueNext: { amount: second.total, dueDate: next, days: daysBetween(today, next) },
  };
  const all = await statement();
  t.deepEqual(all.due, due);
  const billed = all.lines.filter(({ kind }: Line) => kind === 'invoice').slice(0, 2);
  t.like(billed[0], { invoiceId: first.id, owed: due.pastDue.amount, daysPastDue: 3 });
  t.like(billed[1], { invoiceId: second.id, owed: second.total, daysPastDue: -due.dueNext.days });
  t.deepEqual((await statement({ from: today })).due, due);
  const rest = { amount: due.pastDue.amount, method: 'check', reference: 'Part 2' };
  bodyOf(await client.post(`/v1/invoices/${first.id}/pay`, rest), 201);
  t.is((await statement()).due.pastDue, null);
});

test('an account is read by those who read invoices, from one day to a later one, of the own organization', async (t) => {
  const { house, path } = await insured(platform);
  for (const role of ['underwriter', 'claims_adjuster', 'producer'] as const) {
    t.is((await house.as(role).get(`${path}/statement`)).status, 403, role);
  }
  const client = house.as('auditor');
  const backwards = await client.get(`${path}/statement`, { query: { from: '2030-01-02', to: '2030-01-01' } });
  t.like(backwards, { status: 400, body: { error: 'validation_failed', details: { field: 'from', rule: 'max' } } });
  t.is((await client.get(`${path}/statement`, { query: { from: 'May' } })).status, 400);
  const other = (await newHouse(platform)).as('org_admin');
  t.is((await other.get(`${path}/statement`)).status, 404);
});

test('in the portal the insured reads the same account of their own policy, and none of a neighbour', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  const { house, path, policyId: sub } = policy;
  const { policyId: neighbourId } = await bound(house.as('underwriter'), { insuredName: 'Red Door Diner' });
  const client = platform.as({ role: 'policyholder', org: house.orgId, sub });
  const account = bodyOf(await client.get(`/v1/portal/policies/${sub}/statement`));
  t.deepEqual(account, bodyOf(await house.as('billing_admin').get(`${path}/statement`)));
  t.deepEqual(
    account.lines.map(({ kind, balance }: Line) => [kind, balance]),
    [
      ['invoice', account.lines[0].amount],
      ['payment', 0],
    ],
  );
  const csv = await client.get(`/v1/portal/policies/${sub}/statement`, { headers: { accept: 'text/csv' } });
  t.regex(csv.text, /^date,kind,reference/);
  t.is((await client.get(`/v1/portal/policies/${neighbourId}/statement`)).status, 404);
});
