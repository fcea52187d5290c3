import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { allPages, bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('the first invoice carries fee and taxes, the others premium alone, and nothing is paid yet', async (t) => {
  const house = await newHouse(platform);
  const bind = await bound(house.as('underwriter'), { insuredName: 'Blue Door Diner' }, 'MONTHLY_10');
  const billing = house.as('billing_admin');
  const [first, ...others] = bind.invoices;
  const invoice = bodyOf(await billing.get(`/v1/invoices/${first.id}`));
  t.regex(invoice.invoiceNumber, /^INV-\d{4}-\d{6}$/);
  t.like(invoice, { policyId: bind.policyId, insuredName: 'Blue Door Diner', status: 'open' });
  t.like(invoice, { installmentNumber: 1, installmentCount: 10, dueDate: bind.effectiveDate, lastPaymentError: null });
  t.like(invoice, { total: 798.64, paidAmount: 0, refundedAmount: 0, balance: 798.64 });
  t.deepEqual(invoice.payments, []);
  t.deepEqual(
    invoice.lines.map(({ kind, code, amount }: { kind: string; code: string; amount: number }) => [kind, code, amount]),
    [
      ['premium', 'PREMIUM', 399],
      ['fee', 'POLICY_FEE', 195],
      ['tax', 'SL_TAX', 202.97],
      ['tax', 'STAMPING_FEE', 1.67],
    ],
  );
  const second = bodyOf(await billing.get(`/v1/invoices/${others[0].id}`));
  t.like(second, { installmentNumber: 2, total: 399, balance: 399 });
  t.is(second.lines.length, 1);
});

test('each filter of the list shows the invoices it describes, and pages show each exactly once', async (t) => {
  const house = await newHouse(platform);
  const underwriter = house.as('underwriter');
  const monthly = await bound(underwriter, { insuredName: 'Plain Bakery' }, 'MONTHLY_12');
  const once = await bound(underwriter, { insuredName: 'Palm Cafe' });
  const billing = house.as('billing_admin');
  const [first, second] = monthly.invoices;
  const cases: [query: Record<string, string>, count: number][] = [
    [{}, 13],
    [{ status: 'open' }, 13],
    [{ status: 'paid' }, 0],
    [{ policyId: once.policyId }, 1],
    [{ policyId: monthly.policyId }, 12],
    [{ dueTo: first.dueDate }, 2],
    [{ dueFrom: second.dueDate }, 11],
    [{ dueFrom: second.dueDate, dueTo: second.dueDate }, 1],
    [{ q: 'bakery' }, 12],
    [{ q: once.invoices[0].invoiceNumber }, 1],
    [{ invoiceNumber: once.invoices[0].invoiceNumber }, 1],
    [{ invoiceNumber: once.invoices[0].invoiceNumber.slice(0, -1) }, 0],
  ];
  for (const [query, count] of cases) {
    const rows = await allPages(billing, '/v1/invoices', { ...query, limit: 5 });
    t.is(rows.length, count, JSON.stringify(query));
    t.is(new Set(rows.map(({ id }) => id)).size, count);
  }
});

test('an invoice is past due from the day after its due date', async (t) => {
  const house = await newHouse(platform);
  const { invoices } = await bound(house.as('underwriter'));
  const [{ id, dueDate }] = invoices;
  const billing = house.as('billing_admin');
  const clock = house.as('org_admin');
  bodyOf(await clock.post('/v1/test-clock', { advanceTo: dueDate }));
  t.is(bodyOf(await billing.get(`/v1/invoices/${id}`)).status, 'open');
  bodyOf(await clock.post('/v1/test-clock', { advanceTo: addDays(dueDate, 1) }));
  t.is(bodyOf(await billing.get(`/v1/invoices/${id}`)).status, 'past_due');
  t.is(bodyOf(await billing.get('/v1/invoices', { query: { status: 'past_due' } })).data.length, 1);
  t.is(bodyOf(await billing.get('/v1/invoices', { query: { status: 'open' } })).data.length, 0);
});

test('another organization has no such invoice, and an underwriter may read none', async (t) => {
  const house = await newHouse(platform);
  const { invoices } = await bound(house.as('underwriter'));
  const [{ id }] = invoices;
  t.is((await (await newHouse(platform)).as('org_admin').get(`/v1/invoices/${id}`)).status, 404);
  t.is((await house.as('underwriter').get(`/v1/invoices/${id}`)).status, 403);
  t.is((await house.as('underwriter').get('/v1/invoices')).status, 403);
});
