// Bordereaux over a small book with every kind of change: their sums match the transactions, analytics and the ledger,
// to the cent; the same data gives the same files; a later version names what changed.
import { createHash } from 'node:crypto';
import test from 'ava';
import { strFromU8, unzipSync } from 'fflate';
import { csvRecords } from '../../../domain/csv.ts';
import { addDays } from '../../../domain/dates.ts';
import { bordereauDueDate } from '../../../domain/insight/bordereau.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { covered } from '../claim/claim-calls.ts';
import { cents, insured, pay } from '../policy/policy-calls.ts';

let platform: Platform;
let book: Awaited<ReturnType<typeof aBook>>;

test.before('a platform with a book', async (t) => {
  platform = await startCheckedPlatform(t);
  book = await aBook();
});

const CARRIER = 'Default Carrier';

/** Runs a bordereau until it ends. */
async function reported({ as }: House, kind: string, month: string) {
  const { id } = bodyOf(await as('billing_admin').post('/v1/bordereaux', { carrier: CARRIER, month, kind }), 202);
  return eventually(
    async () => {
      const bordereau = bodyOf(await as('finance_analyst').get(`/v1/bordereaux/${id}`));
      return bordereau.status !== 'running' && bordereau;
    },
    { what: `the ${kind} bordereau` },
  );
}

async function fileOf(bordereau: ReturnType<typeof bodyOf>, format: string): Promise<Buffer> {
  const response = await fetch(`${platform.url}${new URL(bordereau.downloadUrls[format]).pathname}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const file = bordereau.files.find((each: { format: string }) => each.format === format);
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256) throw new Error(`${format} differs`);
  const name = response.headers.get('content-disposition');
  if (name !== `attachment; filename="${file.fileName}"`) throw new Error(`${format} is named ${name}`);
  return bytes;
}

type Row = Record<string, string | number | boolean | null>;

const rowsOf = async (bordereau: ReturnType<typeof bodyOf>): Promise<Row[]> =>
  JSON.parse(String(await fileOf(bordereau, 'json'))).rows;

const sumOf = (rows: readonly Row[], name: string) => cents(rows.reduce((sum, row) => sum + Number(row[name]), 0));

const shaOf = (bordereau: ReturnType<typeof bodyOf>) =>
  Object.fromEntries(bordereau.files.map(({ format, sha256 }: Record<string, string>) => [format, sha256]));

async function csvOf(bytes: Buffer): Promise<string[][]> {
  const records: string[][] = [];
  const text = async function* () {
    yield String(bytes);
  };
  for await (const record of csvRecords(text())) records.push(record);
  return records;
}

/** Three policies: one endorsed, one paid in installments, one cancelled; everything paid is shared out. */
async function aBook() {
  const paid = await insured(platform, 'PAY_IN_FULL', { insuredName: '=cmd|calc' });
  const { house, effectiveDate } = paid;
  const [underwriter, finance] = [house.as('underwriter'), house.as('finance_analyst')];
  const producerId = await house.addProducer();
  const [monthly, cancelled] = [
    await bound(underwriter, { producerId }, 'MONTHLY_10'),
    await bound(underwriter, { producerId }),
  ];
  for (const policy of [paid, monthly, cancelled]) await pay({ ...paid, invoices: policy.invoices });
  const shared = async () => {
    const entries = await allPages(finance, '/v1/ledger/entries', { ledger: 'fiduciary' });
    return entries.filter((entry) => (entry as unknown as { entryType: string }).entryType === 'split');
  };
  await eventually(async () => (await shared()).length === 3, { what: 'three invoices to be shared out' });
  const endorsed = { effectiveDate, changes: { annualRevenue: 1_300_000 } };
  bodyOf(await paid.change('endorse', endorsed), 201);
  const flat = { effectiveDate, reason: 'insured_request', method: 'flat' };
  bodyOf(await underwriter.post(`/v1/policies/${cancelled.policyId}/cancel`, flat), 201);
  const balanceOf = async (...numbers: number[]) => {
    const accounts = bodyOf(await finance.get('/v1/ledger/accounts')).data as { account: number; balance: number }[];
    const named = accounts.filter(({ account }) => numbers.includes(account));
    return cents(named.reduce((sum, { balance }) => sum + balance, 0));
  };
  await eventually(async () => (await balanceOf(2060)) !== 0, { what: 'the return of the cancelled policy' });
  const { date } = bodyOf(await house.as('org_admin').get('/v1/test-clock'));
  const policyIds = [paid, monthly, cancelled].map(({ policyId }) => policyId);
  return { house, finance, underwriter, balanceOf, date, month: date.slice(0, 7), policyIds };
}

test.serial('the premium of a month is that of transactions, analytics and ledger, to the cent', async (t) => {
  const { house, finance, underwriter, balanceOf, date, month, policyIds } = book;
  const premium = await reported(house, 'premium', month);
  t.like(premium, { status: 'completed', version: 1, carrier: CARRIER, month, through: date, differences: null });
  const rows = await rowsOf(premium);
  t.is(premium.rowCount, rows.length);
  for (const [name, total] of Object.entries<number>(premium.totals)) t.is(sumOf(rows, name), total, name);

  const transactions = [];
  for (const policyId of policyIds) {
    transactions.push(...bodyOf(await underwriter.get(`/v1/policies/${policyId}/timeline`)).data);
  }
  const written = rows.filter(({ entry }) => entry === 'transaction');
  t.is(written.length, 5);
  t.deepEqual(
    written.map(({ reference, grossPremium }) => [reference, grossPremium]).sort(),
    transactions.map(({ id, premiumChange }) => [id, premiumChange]).sort(),
  );
  const { totals } = premium;
  const query = { from: `${month}-01`, to: date };
  const portfolio = bodyOf(await finance.get(`/v1/analytics/${house.orgId}/portfolio`, { query }));
  t.is(totals.grossPremium, portfolio.grossWrittenPremium);
  t.is(cents(totals.netToCarrier + totals.commission), totals.grossPremium);
  t.is(cents(totals.agentCommission + totals.mgaCommission), totals.commission);
  t.is(totals.settledNetToCarrier, await balanceOf(2010));
  t.is(totals.settledCommission, await balanceOf(2020, 2030));
  t.is(totals.settledSurplusLinesTax, await balanceOf(2040));
  t.is(totals.settledStampingFee, await balanceOf(2050));
  t.is(totals.settledFees, await balanceOf(2090));
  t.true(totals.settledPremium > 0);

  const [head = [], ...records] = await csvOf(await fileOf(premium, 'csv'));
  t.deepEqual(
    records.map((record) => record[head.indexOf('netToCarrier')]),
    rows.map(({ netToCarrier }) => String(netToCarrier)),
  );
  t.true(records.some((record) => record[head.indexOf('insuredName')] === `'=cmd|calc`));
  const sheet = strFromU8(unzipSync(await fileOf(premium, 'xlsx'))['xl/worksheets/sheet1.xml'] as Uint8Array);
  t.is([...sheet.matchAll(/<row /g)].length, rows.length + 1);
});

test.serial('the same data gives the same files, and a later version names the changes', async (t) => {
  const { house, underwriter, month } = book;
  const first = await reported(house, 'premium', month);
  const again = await reported(house, 'premium', month);
  const unchanged = { previousId: first.id, previousVersion: first.version, added: 0, changed: 0, removed: 0 };
  t.like(again, { version: first.version + 1, differences: unchanged });
  for (const format of ['csv', 'json', 'xlsx']) t.is(shaOf(again)[format], shaOf(first)[format], format);
  const { policyId } = await bound(underwriter);
  const corrected = await reported(house, 'premium', month);
  const since = { previousVersion: again.version, added: 1, changed: 0, removed: 0 };
  t.like(corrected, { version: again.version + 1, differences: since });
  const [added] = bodyOf(await underwriter.get(`/v1/policies/${policyId}/timeline`)).data;
  t.like(corrected.differences.rows, [{ change: 'added', reference: added.id, columns: [] }]);
  const [, named] = await csvOf(await fileOf(corrected, 'differences'));
  t.is(named?.[2], added.id);
  t.not(shaOf(corrected).json, shaOf(first).json);

  const risk = await reported(house, 'risk', month);
  t.is(risk.totals.grossPremium, corrected.totals.grossPremium);
  t.like((await rowsOf(risk)).find(({ reference }) => reference === added.id) ?? {}, {
    ...{ transactionType: 'new_business', limit: 1_000_000, deductible: 0, annualRevenue: 1_000_000 },
    ...{ naicsCode: '722511', state: 'TX', grossPremium: 3990, grossPremiumAfter: 3990, surplusLinesTax: 202.97 },
    ...{ stampingFee: 1.67, fees: 195 },
  });
  const list = async (query: Record<string, string>) =>
    (await allPages(house.as('auditor'), '/v1/bordereaux', query)).length;
  t.deepEqual([await list({ kind: 'risk' }), await list({ carrier: CARRIER, month })], [1, corrected.version + 1]);
  t.is(await list({ month: '2020-01' }), 0);
});

test('claims are reported as they stand, their money is that of analytics and of the loss fund', async (t) => {
  const policy = await covered(platform);
  const { house, file, supervisor, today } = policy;
  const month = today.slice(0, 7);
  const address = { line1: '1 Main St', city: 'Tulsa', state: 'OK', postalCode: '74103' };
  const { id, claimNumber } = bodyOf(await file({ claimant: { name: 'Ada Guest', address } }), 201);
  const path = `/v1/claims/${id}`;
  bodyOf(await supervisor.post(`${path}/investigate`));
  bodyOf(await supervisor.post(`${path}/reserves`, { indemnity: 5000, expense: 500, reason: 'Estimate.' }), 201);
  const deposit = { carrier: CARRIER, amount: 10_000, reference: 'Wire 1' };
  bodyOf(await house.as('billing_admin').post('/v1/loss-funds/deposits', deposit), 201);
  const payment = { kind: 'expense', amount: 120.5, payee: 'Expert Office', reference: 'Fee 1' };
  bodyOf(await supervisor.post(`${path}/payments`, payment), 201);
  await eventually(
    async () => bodyOf(await supervisor.get(`${path}/payments`)).data.every(({ status }: Row) => status === 'paid'),
    { what: 'the payment' },
  );
  const claims = await reported(house, 'claims', month);
  const [row, ...others] = await rowsOf(claims);
  t.deepEqual(others, []);
  t.like(row, {
    ...{ reference: claimNumber, lossDate: today, notifiedDate: today, status: 'investigating', isDenied: false },
    ...{ cause: 'Slip and fall', claimantState: 'OK', paidThisMonth: 120.5, fundPaidThisMonth: 120.5 },
    ...{ paidExpenseToDate: 120.5, reserveIndemnity: 5000, reserveExpense: 379.5, totalIncurred: 5500 },
  });
  const portfolio = bodyOf(await house.as('auditor').get(`/v1/analytics/${house.orgId}/portfolio`));
  t.is(claims.totals.incurredThisMonth, portfolio.incurredLosses);
  t.is(cents(claims.totals.paidThisMonth - claims.totals.recoveredThisMonth), portfolio.paidLosses);
  bodyOf(await supervisor.post(`${path}/deny`, { reason: 'No cover.', policyProvision: 'Section 2' }));
  const denied = await reported(house, 'claims', month);
  t.like(denied.differences, { added: 0, removed: 0, changed: 1 });
  const changed = denied.differences.rows[0].columns.map(({ column }: { column: string }) => column);
  t.true(['status', 'isDenied', 'reserveIndemnity', 'totalIncurred'].every((column) => changed.includes(column)));
  const injury = { cause: 'A broken arm', containsPhi: true, claimant: { name: 'Ada Guest', address } };
  const hidden = bodyOf(await file(injury), 201);
  const own = bodyOf(await file({ claimant: undefined }), 201);
  const rows = await rowsOf(await reported(house, 'claims', month));
  const rowOf = (claim: Row) => rows.find(({ reference }) => reference === claim.claimNumber) ?? {};
  t.like(rowOf(hidden), { cause: null, claimantState: null }, 'what is protected stays here');
  t.like(rowOf(own), { claimantState: 'TX' }, 'the insured is the claimant');
});

test('authorized users report a month that has begun to a known carrier', async (t) => {
  const house = await newHouse(platform);
  const { date } = bodyOf(await house.as('org_admin').get('/v1/test-clock'));
  const order = { carrier: CARRIER, month: date.slice(0, 7), kind: 'risk' };
  const refused = async (changes: object, field: string) =>
    t.like(await house.as('org_admin').post('/v1/bordereaux', { ...order, ...changes }), {
      ...{ status: 400, body: { error: 'validation_failed', details: { field } } },
    });
  await refused({ month: addDays(`${order.month}-28`, 10).slice(0, 7) }, 'month');
  await refused({ month: '2026-13' }, 'month');
  await refused({ kind: 'losses' }, 'kind');
  await refused({ carrier: 'Nobody Mutual' }, 'carrier');
  t.is((await house.as('finance_analyst').post('/v1/bordereaux', order)).status, 403);
  t.is((await house.as('underwriter').get('/v1/bordereaux')).status, 403);

  const key = { headers: { 'idempotency-key': 'bordereau-1' } };
  const first = bodyOf(await house.as('compliance_officer').post('/v1/bordereaux', order, key), 202);
  const repeated = bodyOf(await house.as('compliance_officer').post('/v1/bordereaux', order, key), 202);
  t.is(repeated.id, first.id);
  const empty = await reported(house, 'premium', order.month);
  t.like(empty, { rowCount: 0, totals: { grossPremium: 0 } });
  const read = (as: House['as'], role: string, path: string) => as(role).get(path);
  const other = await newHouse(platform);
  t.is((await read(other.as, 'org_admin', `/v1/bordereaux/${empty.id}`)).status, 404);
  const [{ documentId }] = empty.files;
  bodyOf(await read(house.as, 'finance_analyst', `/v1/documents/${documentId}`));
  t.is((await read(house.as, 'underwriter', `/v1/documents/${documentId}`)).status, 403);

  const filings = bodyOf(
    await house.as('compliance_officer').get('/v1/compliance/filings', { query: { kind: 'bordereau_due' } }),
  ).data;
  const dueDate = bordereauDueDate(order.month);
  t.is(filings.length, 1);
  t.like(filings[0], { carrier: CARRIER, period: order.month, state: null, dueDate, status: 'open', policyId: null });
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: addDays(dueDate, 1) }));
  const events = bodyOf(await house.as('org_admin').get('/v1/events', { query: { limit: 100 } })).data;
  const said = (type: string) => events.filter((event: { type: string }) => event.type === `compliance.${type}`);
  t.deepEqual([said('deadline_missed').length, said('deadline_missed')[0]?.data.carrier], [1, CARRIER]);
  t.true(said('deadline_approaching').length >= 2);
});
