import test from 'ava';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface Entry {
  id: string;
  ledger: string;
  entryType: string;
  sourceType: string;
  sourceId: string;
  invoiceId: string | null;
  lines: { account: number; debit: number; credit: number }[];
}

interface Paid {
  house: House;
  analyst: TestClient;
  policyId: string;
  producerId: string | null;
  invoiceId: string;
  paymentId: string;
}

/** The worked example of Contract 3.1, paid by check: 3,990.00 + 195.00 + 202.97 + 1.67 = 4,389.64. */
async function paid({ withProducer = true } = {}): Promise<Paid> {
  const house = await newHouse(platform);
  const producerId = withProducer ? await house.addProducer() : null;
  const { policyId, invoices } = await bound(house.as('underwriter'), producerId === null ? {} : { producerId });
  const [{ id: invoiceId }] = invoices;
  const body = { amount: 4_389.64, method: 'check', reference: 'Check 1' };
  const payment = bodyOf(await house.as('billing_admin').post(`/v1/invoices/${invoiceId}/pay`, body), 201);
  const analyst = house.as('finance_analyst');
  await recorded(house, 'invoice.paid');
  return { house, analyst, policyId, producerId, invoiceId, paymentId: payment.id };
}

/** Waits for the last step of the saga that follows the answer. */
function recorded(house: House, type: string, count = 1) {
  const admin = house.as('org_admin');
  const look = async () => bodyOf(await admin.get('/v1/events', { query: { type } })).data.length >= count;
  return eventually(look, { what: `${count} events ${type}` });
}

/** Account → balance, leaving out zeros. */
async function balances(client: TestClient): Promise<Record<string, number>> {
  const { data } = bodyOf(await client.get('/v1/ledger/accounts'));
  const rows = data as { account: number; balance: number }[];
  return Object.fromEntries(
    rows.filter(({ balance }) => balance !== 0).map(({ account, balance }) => [account, balance]),
  );
}

/** An entry as account → debit less credit in dollars. */
function effect({ lines }: Entry): Record<string, number> {
  return Object.fromEntries(lines.map(({ account, debit, credit }) => [account, debit - credit]));
}

const entries = async (client: TestClient, query: Record<string, string | number> = {}) =>
  (await allPages(client, '/v1/ledger/entries', query)) as Entry[];

test('a paid invoice of 4,389.64 lies in trust for carrier, agent, state and office, which are due the earned part', async (t) => {
  const { analyst, invoiceId, paymentId } = await paid();
  // 3,990.00 at 12.5 and 10 percent: 498.75 for the agent, 399.00 retained, 3,092.25 for the carrier.
  t.deepEqual(await balances(analyst), {
    1010: 4_389.64,
    1120: 594,
    2010: 3_092.25,
    2020: 498.75,
    2030: 399,
    2040: 202.97,
    2050: 1.67,
    2090: 195,
    4010: 399,
    4020: 195,
  });
  const all = await entries(analyst);
  const byType = new Map(all.map((entry) => [entry.entryType, entry]));
  t.deepEqual([...byType.keys()].sort(), ['earnings', 'receipt', 'split']);
  const receipt = byType.get('receipt') as Entry;
  t.like(receipt, { ledger: 'fiduciary', sourceType: 'payment', sourceId: paymentId, invoiceId });
  t.deepEqual(effect(receipt), { 1010: 4_389.64, 2070: -4_389.64 });
  const earnings = byType.get('earnings') as Entry;
  t.like(earnings, { ledger: 'general', sourceType: 'invoice', sourceId: invoiceId });
  t.deepEqual(effect(earnings), { 1120: 594, 4010: -399, 4020: -195 });
  t.like(byType.get('split'), {
    ledger: 'fiduciary',
    sourceType: 'invoice',
    sourceId: invoiceId,
    reversesEntryId: null,
  });
});

test('the commission record says how the premium was shared, and by which rates', async (t) => {
  const { analyst, invoiceId, policyId, producerId } = await paid();
  const { data } = bodyOf(await analyst.get('/v1/commissions'));
  t.is(data.length, 1);
  t.like(data[0], { type: 'earned', reversesId: null, policyId, invoiceId, producerId, tier: 1 });
  t.like(data[0], { grossPremium: 3_990, agentCommission: 498.75, mgaCommission: 399, carrierNet: 3_092.25 });
  t.deepEqual(data[0].rates, { agentRate: '0.125', mgaRate: '0.10' });
});

test('the share of the agent stays with the carrier without a producer, and there is no commission record', async (t) => {
  const { analyst } = await paid({ withProducer: false });
  t.like(await balances(analyst), { 2010: 3_591, 2030: 399 });
  t.false('2020' in (await balances(analyst)));
  t.deepEqual(bodyOf(await analyst.get('/v1/commissions')).data, []);
});

test('money on an invoice that is not fully paid is nobody’s yet', async (t) => {
  const house = await newHouse(platform);
  const { invoices } = await bound(house.as('underwriter'));
  const body = { amount: 1_000, method: 'wire', reference: 'Wire 1' };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${invoices[0].id}/pay`, body), 201);
  await recorded(house, 'payment.received');
  t.deepEqual(await balances(house.as('auditor')), { 1010: 1_000, 2070: 1_000 });
});

test('a refund takes from every share in proportion, and claws back its commission', async (t) => {
  const { house, analyst, invoiceId } = await paid();
  const billing = house.as('billing_admin');
  const refund = { reason: 'Never needed.' };
  bodyOf(await billing.post(`/v1/invoices/${invoiceId}/refund`, refund), 201);
  const commissions = async () => bodyOf(await analyst.get('/v1/commissions')).data;
  await eventually(async () => (await commissions()).length === 2, { what: 'the reversal' });
  t.deepEqual(await balances(analyst), { 1010: 4_389.64, 2060: 4_389.64 });
  const [owed] = bodyOf(await billing.get('/v1/disbursements', { query: { invoiceId } })).data;
  bodyOf(await billing.post(`/v1/disbursements/${owed.id}/issue`, { checkNumber: '1042' }));
  t.deepEqual(await balances(analyst), {});
  const [reversal, earned] = await commissions();
  t.like(reversal, { type: 'reversal', reversesId: earned.id, grossPremium: -3_990, agentCommission: -498.75 });
});

test('every account of the chart is listed with its kind and whether it is held in trust', async (t) => {
  const { data, nextCursor } = bodyOf(await (await newHouse(platform)).as('org_admin').get('/v1/ledger/accounts'));
  t.is(data.length, 23);
  t.is(nextCursor, null);
  t.deepEqual(data[0], { account: 1010, name: 'Premium Trust Cash', kind: 'asset', fiduciary: true, balance: 0 });
  const kinds = { 1120: 'asset', 2070: 'liability', 4010: 'revenue', 5010: 'expense' } as Record<number, string>;
  for (const { account, kind } of data) if (kinds[account]) t.is(kind, kinds[account]);
  const general = data.filter(({ fiduciary }: { fiduciary: boolean }) => !fiduciary);
  t.deepEqual(
    general.map(({ account }: { account: number }) => account),
    [1030, 1120, 1130, 2110, 4010, 4020, 5010, 5020],
  );
});

test('each filter of the entries shows those it describes, newest first, and pages show each exactly once', async (t) => {
  const { house, analyst, invoiceId } = await paid();
  const { invoices } = await bound(house.as('underwriter'), {}, 'MONTHLY_10');
  for (const [n, { id }] of invoices.slice(1, 4).entries()) {
    const body = { amount: 399, method: 'ach', reference: `ACH ${n}` };
    bodyOf(await house.as('billing_admin').post(`/v1/invoices/${id}/pay`, body), 201);
  }
  await recorded(house, 'invoice.paid', 4);
  const other = invoices[1].id;
  const cases: [query: Record<string, string | number>, count: number][] = [
    [{}, 12],
    [{ ledger: 'general' }, 4],
    [{ ledger: 'fiduciary' }, 8],
    [{ account: 2070 }, 8],
    [{ account: 1010 }, 4],
    [{ account: 2090 }, 1],
    [{ account: 5010 }, 0],
    [{ account: 1010, ledger: 'general' }, 0],
    [{ account: 1010, ledger: 'fiduciary' }, 4],
    [{ invoiceId }, 3],
    [{ invoiceId: other, account: 2070 }, 2],
    [{ invoiceId: other, account: 2090 }, 0],
    [{ invoiceId: other, ledger: 'general' }, 1],
  ];
  for (const [query, count] of cases) {
    const rows = await entries(analyst, { ...query, limit: 3 });
    const ids = rows.map(({ id }) => id);
    t.is(ids.length, count, JSON.stringify(query));
    t.deepEqual(ids, [...new Set(ids)].sort().reverse());
    for (const { lines } of rows) {
      const difference = lines.reduce((sum, { debit, credit }) => sum + debit - credit, 0);
      t.true(Math.abs(difference) < 0.001, JSON.stringify(lines));
    }
  }
});

test('each filter of the commissions shows those it describes', async (t) => {
  const { analyst, invoiceId, policyId, producerId, house } = await paid();
  const stranger = await house.addProducer('Other Agency');
  const cases: [query: Record<string, string>, count: number][] = [
    [{ producerId: producerId ?? '' }, 1],
    [{ producerId: stranger }, 0],
    [{ policyId }, 1],
    [{ invoiceId }, 1],
    [{ invoiceId, policyId, producerId: producerId ?? '' }, 1],
  ];
  for (const [query, count] of cases) {
    t.is((await allPages(analyst, '/v1/commissions', query)).length, count, JSON.stringify(query));
  }
});

test('an unknown account, an unknown ledger and an id of another kind are refused', async (t) => {
  const analyst = (await newHouse(platform)).as('finance_analyst');
  const cases: [path: string, query: Record<string, string>, field: string][] = [
    ['/v1/ledger/entries', { account: '1011' }, 'account'],
    ['/v1/ledger/entries', { account: 'cash' }, 'account'],
    ['/v1/ledger/entries', { ledger: 'private' }, 'ledger'],
    ['/v1/ledger/entries', { invoiceId: 'pol_1' }, 'invoiceId'],
    ['/v1/ledger/entries', { account: '1010', cursor: 'abc' }, 'cursor'],
    ['/v1/commissions', { producerId: 'nobody' }, 'producerId'],
    ['/v1/ledger/accounts', { limit: '5' }, 'limit'],
  ];
  for (const [path, query, field] of cases) {
    const answer = await analyst.get(path, { query });
    t.is(answer.status, 400, answer.text);
    t.is(answer.body.details.field, field);
  }
});

test('ledgers and commissions are read by finance, billing, administration and audit, and with the scope to read invoices', async (t) => {
  const { house } = await paid();
  const paths = ['/v1/ledger/accounts', '/v1/ledger/entries', '/v1/commissions'];
  const { key } = bodyOf(
    await house.as('org_admin').post('/v1/api-keys', { name: 'Reports', scopes: ['invoices:read'] }),
    201,
  );
  for (const path of paths) {
    for (const role of ['finance_analyst', 'billing_admin', 'org_admin', 'auditor']) {
      t.is((await house.as(role).get(path)).status, 200, `${role} ${path}`);
    }
    for (const role of ['producer', 'underwriter', 'claims_supervisor', 'compliance_officer', 'platform_operator']) {
      t.is((await house.as(role).get(path)).status, 403, `${role} ${path}`);
    }
    t.is((await platform.as({ apiKey: key }).get(path)).status, 200);
    const other = bodyOf(await (await newHouse(platform)).as('auditor').get(path));
    t.true(other.data.every(({ balance }: { balance?: number }) => balance === 0));
  }
});
