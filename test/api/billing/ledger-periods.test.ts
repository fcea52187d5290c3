// The month close: no entry is dated in a closed month, and its balances stay as they were.
import test from 'ava';
import { addDays, lastDayOf, monthAfter } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured } from '../policy/policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const close = (client: TestClient, month: string) => client.post(`/v1/ledger/periods/${month}/close`);
const accountsAt = async (client: TestClient, asOf: string) =>
  bodyOf(await client.get('/v1/ledger/accounts', { query: { asOf } })).data;

test('money that comes late for a closed month is dated the first open day, and the balances of the month stay', async (t) => {
  const policy = await insured(platform, 'QUARTERLY_4');
  const { house, effectiveDate, invoices } = policy;
  const [billing, admin] = [house.as('billing_admin'), house.as('org_admin')];
  const month = effectiveDate.slice(0, 7);
  const [lastDay, firstOpen] = [lastDayOf(month), `${monthAfter(month)}-01`];
  const pay = (invoiceId: string | undefined, body: object) =>
    billing.post(`/v1/invoices/${invoiceId}/pay`, { amount: 100, method: 'check', ...body });
  await policy.advance(effectiveDate);
  const amount = invoices[0]?.total;
  bodyOf(await pay(invoices[0]?.id, { amount, reference: 'In time' }), 201);
  await policy.advance(addDays(firstOpen, 2));
  const closed = bodyOf(await close(billing, month));
  t.like(closed, { month, lastDay, status: 'closed', reopenedAt: null });
  t.deepEqual(closed.balances[0], { account: 1010, balance: amount });
  const before = await accountsAt(billing, lastDay);
  bodyOf(await pay(invoices[1]?.id, { reference: 'Late', receivedDate: lastDay }), 201);
  t.deepEqual(await accountsAt(billing, lastDay), before);
  const { data: entries } = bodyOf(
    await billing.get('/v1/ledger/entries', { query: { invoiceId: invoices[1]?.id ?? '' } }),
  );
  t.is(entries.length, 1);
  t.like(entries[0], { entryType: 'receipt', date: firstOpen, originalDate: lastDay });
  const journal = {
    ...{ ledger: 'general', description: 'Fees.', date: lastDay },
    lines: [
      { account: 5010, debit: 1 },
      { account: 1030, credit: 1 },
    ],
  };
  const refused = await billing.post('/v1/ledger/entries', journal);
  t.is(refused.status, 400, refused.text);
  t.like(refused.body, { details: { field: 'date', rule: 'min', min: firstOpen } });
  // Policy changes effective in the closed month work as ever.
  const endorsed = await policy.change('endorse', { effectiveDate, changes: { annualRevenue: 900_000 } });
  t.is(endorsed.status, 201, endorsed.text);
  const cancelled = await policy.change('cancel', { effectiveDate: lastDay, reason: 'insured_request' });
  t.is(cancelled.status, 201, cancelled.text);
  t.deepEqual(await accountsAt(billing, lastDay), before);
  const { data } = bodyOf(await admin.get('/v1/audit', { query: { entity: closed.id } }));
  t.like(data[0], { action: 'ledger:close' });
});

test('months close one after the other once they are over, and only the last opens again, by an administrator with a reason', async (t) => {
  const policy = await insured(platform);
  const { house, effectiveDate } = policy;
  const [billing, admin] = [house.as('billing_admin'), house.as('org_admin')];
  const month = effectiveDate.slice(0, 7);
  const journal = { ledger: 'general', description: 'Fees.', date: `${monthAfter(month)}-01` };
  const lines = [
    { account: 5010, debit: 1 },
    { account: 1030, credit: 1 },
  ];
  await policy.advance(`${monthAfter(month, 2)}-01`);
  const refusedTo = async (answer: Promise<{ status: number; text: string; body: unknown }>, details: object) => {
    const { status, text, body } = await answer;
    t.is(status, 422, text);
    t.like(body, { error: 'invalid_state_transition', details });
    return (body as { message: string }).message;
  };
  const early = await refusedTo(close(billing, monthAfter(month, 2)), { from: 'open', next: null });
  t.is(early, `The month ends on ${lastDayOf(monthAfter(month, 2))} and can be closed from the day after.`);
  bodyOf(await close(billing, month));
  const made = bodyOf(await billing.post('/v1/ledger/entries', { ...journal, lines }), 201);
  await refusedTo(close(billing, month), { from: 'closed', allowed: ['reopen'] });
  const skipping = await refusedTo(close(billing, monthAfter(month, 2)), { from: 'open', next: monthAfter(month) });
  t.is(skipping, `The month ${monthAfter(month)} has to be closed before ${monthAfter(month, 2)}.`);
  bodyOf(await close(billing, monthAfter(month)));
  await refusedTo(house.as('org_admin', 'usr_approver').post(`/v1/ledger/journals/${made.id}/approve`), {
    closedThrough: lastDayOf(monthAfter(month)),
  });
  const reopen = (client: TestClient, which: string) =>
    client.post(`/v1/ledger/periods/${which}/reopen`, { reason: 'An entry of the bank came late.' });
  t.is((await reopen(billing, monthAfter(month))).status, 403);
  await refusedTo(reopen(admin, month), { from: 'closed', lastClosed: monthAfter(month) });
  t.like(bodyOf(await reopen(admin, monthAfter(month))), {
    status: 'reopened',
    reopenReason: 'An entry of the bank came late.',
  });
  bodyOf(await house.as('org_admin', 'usr_approver').post(`/v1/ledger/journals/${made.id}/approve`));
  t.is(bodyOf(await close(billing, monthAfter(month))).status, 'closed');
  const { data } = bodyOf(await billing.get('/v1/ledger/periods'));
  t.deepEqual(
    data.map((each: { month: string; status: string }) => [each.month, each.status]),
    [
      [monthAfter(month), 'closed'],
      [month, 'closed'],
    ],
  );
  t.is((await house.as('underwriter').get('/v1/ledger/periods')).status, 403);
  t.is((await close(billing, '0000-01')).status, 404);
});
