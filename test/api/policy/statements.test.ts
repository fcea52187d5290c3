// A policy's statement of account, over the days of its life.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { addDays, daysBetween } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
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

test("a statement shows each day's bills, payments, changes and refunds, and begins with the prior balance", async (t) => {
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
  t.is(cents(all.closingBalance + all.due.refundDue), cents(owed.reduce((sum, { balance }) => sum + balance, 0)));
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

test('a refund is on the statement on the day of its check; until then it is owed, even when a part pays a later bill', async (t) => {
  const policy = await insured(platform);
  const { house, path, effectiveDate, policyId } = policy;
  const client = house.as('billing_admin');
  const statement = async () => bodyOf(await client.get(`${path}/statement`));
  const amounts = ({ lines }: { lines: Line[] }) => lines.map(({ kind, amount, balance }) => [kind, amount, balance]);
  const owed = async () => bodyOf(await client.get('/v1/disbursements', { query: { policyId } })).data[0];
  await pay(policy);
  const [cancelled, again, later] = [100, 120, 121].map((days) => addDays(effectiveDate, days)) as [
    string,
    ...string[],
  ];
  await policy.advance(cancelled);
  const ending = { effectiveDate: cancelled, reason: 'insured_request', method: 'pro_rata' };
  bodyOf(await policy.change('cancel', ending), 201);
  await eventually(async () => (await owed())?.status === 'pending', { what: 'what is owed by check' });
  // 265 of 365 days: 2,896.85 premium, 140.49 tax, 1.15 stamping fee.
  const ofTerm = [
    ...[
      ['invoice', 4_389.64, 4_389.64],
      ['payment', -4_389.64, 0],
      ['return_premium', -3_038.49, -3_038.49],
    ],
  ];
  const due = await statement();
  t.deepEqual(amounts(due), ofTerm);
  t.is(due.closingBalance, -3_038.49);
  t.deepEqual(due.due, { asOf: cancelled, pastDue: null, dueNext: null, refundDue: 3_038.49, refundPending: 0 });

  await policy.advance(again as string);
  bodyOf(await policy.change('reinstate', { effectiveDate: again }), 201);
  await policy.advance(later as string);
  // With a gap of 20 days the premium is 3,771.37: 2,678.22 premium, 129.89 tax and 1.07 stamping fee are billed.
  const afterwards = [...ofTerm, ['invoice', 2_809.18, -229.31]];
  const setOff = await statement();
  t.deepEqual(amounts(setOff), afterwards, 'nobody has paid anything');
  t.deepEqual(setOff.due, { asOf: later, pastDue: null, dueNext: null, refundDue: 229.31, refundPending: 0 });
  const { id } = await owed();
  const move = async (action: string, body: object) =>
    bodyOf(await client.post(`/v1/disbursements/${id}/${action}`, body));
  await move('issue', { checkNumber: '1042' });
  const issued = await statement();
  t.deepEqual(amounts(issued), [...afterwards, ['refund', 229.31, 0]]);
  t.like(issued.lines.at(-1), { date: later, reference: '1042', description: 'Refund paid' });
  t.is(issued.due.refundDue, 0);
  await move('stop', { reason: 'Lost in the mail.' });
  const stopped = await statement();
  t.deepEqual(amounts(stopped), [...amounts(issued), ['refund_returned', -229.31, -229.31]]);
  t.is(stopped.due.refundDue, 229.31);
  await move('issue', { reference: 'Wire 7' });
  t.like((await statement()).lines.at(-1), { kind: 'refund', reference: 'Wire 7', amount: 229.31, balance: 0 });
});

test('return premium that waits for approval is owed to the insured from the day of the change, as it is once it is approved', async (t) => {
  const policy = await insured(platform);
  const { house, path, effectiveDate, policyId } = policy;
  bodyOf(await house.as('org_admin').put('/v1/flags/refund_approval', { value: true }));
  const client = house.as('billing_admin', newId('user'));
  const statement = async () => bodyOf(await client.get(`${path}/statement`));
  await pay(policy);
  const day = addDays(effectiveDate, 100);
  await policy.advance(day);
  bodyOf(await policy.change('cancel', { effectiveDate: day, reason: 'insured_request', method: 'pro_rata' }), 201);
  const waiting = await statement();
  t.like(waiting.lines.at(-1), { date: day, kind: 'return_premium', amount: -3_038.49, balance: -3_038.49 });
  t.is(waiting.closingBalance, -3_038.49);
  t.like(waiting.due, { refundDue: 0, refundPending: 3_038.49 });
  const [{ id }] = bodyOf(await client.get('/v1/refunds', { query: { policyId } })).data;
  bodyOf(await client.post(`/v1/refunds/${id}/approve`));
  const approved = await eventually(async () => (await statement()).due.refundDue > 0 && statement(), {
    what: 'what is owed by check',
  });
  t.deepEqual(approved.lines, waiting.lines);
  t.like(approved.due, { refundDue: 3_038.49, refundPending: 0 });
});

test('a statement shows the amounts past due and due next, with the days, even when its own days show neither', async (t) => {
  const { house, path, effectiveDate, advance, ...policy } = await insured(platform, 'QUARTERLY_4');
  const client = house.as('billing_admin');
  const [first, second] = policy.invoices as [{ id: string; total: number }, { id: string; total: number }];
  const statement = async (query = {}) => bodyOf(await client.get(`${path}/statement`, { query }));
  const { dueDate: next } = bodyOf(await client.get(`/v1/invoices/${second.id}`));
  await advance(effectiveDate);
  t.deepEqual((await statement()).due, {
    ...{ asOf: effectiveDate, pastDue: null, refundDue: 0, refundPending: 0 },
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
    refundDue: 0,
    refundPending: 0,
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

test('an account is read by readers of invoices, from one day to a later one, of their own organization', async (t) => {
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

test('the insured reads the same account of their own policy in the portal, and none of a neighbour', async (t) => {
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
