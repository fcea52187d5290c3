// One organization's analytics and filing calendar, end to end.
import test from 'ava';
import { Filing } from '../../../db/entities/insight/filing.ts';
import { foldPortfolio } from '../../../db/facts/fold-portfolio.ts';
import { addRow } from '../../../db/new-rows.ts';
import { csvRecords } from '../../../domain/csv.ts';
import { addDays, addYears, daysBetween } from '../../../domain/dates.ts';
import { organizationUuid } from '../../../domain/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, bound, type House, newHouse, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { covered } from '../claim/claim-calls.ts';
import { cents, insured, pay } from '../policy/policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const READERS = ['org_admin', 'finance_analyst', 'compliance_officer', 'auditor'];

const analysis = async ({ orgId, as }: House, name: string, query = {}, role = 'finance_analyst') =>
  bodyOf(await as(role).get(`/v1/analytics/${orgId}/${name}`, { query }));

/** The rows of an analysis as CSV, by column name. */
async function table({ orgId, as }: House, name: string, query = {}): Promise<Record<string, string>[]> {
  const headers = { accept: 'text/csv' };
  const answer = await as('finance_analyst').get(`/v1/analytics/${orgId}/${name}`, { query, headers });
  const text = async function* () {
    yield answer.text;
  };
  const records: string[][] = [];
  for await (const record of csvRecords(text())) records.push(record);
  const [head = [], ...rows] = records;
  return rows.map((row) => Object.fromEntries(head.map((column, n) => [column, row[n] ?? ''])));
}

/** Values as in a table: unknown ones are empty. */
const asText = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, String(value ?? '')]));

test('a portfolio shows premium, losses and counts of its period, whole and by group', async (t) => {
  const policy = await covered(platform);
  const { house, file, supervisor, today, effectiveDate, expirationDate } = policy;
  await submit(policy.client);
  const { id } = bodyOf(await file(), 201);
  bodyOf(await supervisor.post(`/v1/claims/${id}/investigate`));
  const reserves = { indemnity: 5000, expense: 500, reason: 'Estimate.' };
  bodyOf(await supervisor.post(`/v1/claims/${id}/reserves`, reserves), 201);
  const figures = {
    ...{ grossWrittenPremium: 3990, inForcePremium: 3990, earnedPremium: 0, unearnedPremium: 3990 },
    ...{ incurredLosses: 5500, paidLosses: 0, lossRatio: null, paidLossRatio: null },
    ...{ bindingCount: 1, quoteCount: 1, hitRatio: 1, policyCount: 1 },
  };
  const from = `${today.slice(0, 4)}-01-01`;
  t.deepEqual(await analysis(house, 'portfolio'), { orgId: house.orgId, from, to: today, ...figures });
  for (const [groupBy, key] of [
    ['line', 'GL'],
    ['state', 'TX'],
    ['producer', null],
  ]) {
    t.deepEqual((await analysis(house, 'portfolio', { groupBy })).groups, [{ key, ...figures }], String(groupBy));
    t.deepEqual(await table(house, 'portfolio', { groupBy }), [asText({ key, ...figures })], String(groupBy));
  }
  t.deepEqual(await table(house, 'portfolio'), [asText({ orgId: house.orgId, from, to: today, ...figures })]);
  const { groups } = await analysis(house, 'portfolio', { groupBy: 'month' });
  t.is(groups.length, Number(today.slice(5, 7)));
  t.deepEqual(groups.at(-1), { key: today.slice(0, 7), ...figures });
  t.deepEqual(await table(house, 'portfolio', { groupBy: 'month' }), groups.map(asText));
  const earlier = await analysis(house, 'portfolio', { to: addDays(today, -1), from: addYears(today, -1) });
  t.like(earlier, { grossWrittenPremium: 0, earnedPremium: 0, lossRatio: null, hitRatio: null, policyCount: 0 });
  t.like(await analysis(house, 'loss-triangle'), {
    data: [
      {
        accidentYear: Number(today.slice(0, 4)),
        developments: [{ months: 12, isOpen: true, incurred: 5500, paid: 0 }],
      },
    ],
  });
  const accidentYear = Number(today.slice(0, 4));
  t.deepEqual(await table(house, 'loss-triangle'), [
    asText({ accidentYear, months: 12, isOpen: true, incurred: 5500, paid: 0 }),
  ]);
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: addDays(today, 1) }));
  const earnedPremium = cents(3990 / daysBetween(effectiveDate, expirationDate));
  const lossRatio = Number((5500 / earnedPremium).toFixed(4));
  const next = await analysis(house, 'portfolio', { from: today });
  t.like(next, { earnedPremium, unearnedPremium: cents(3990 - earnedPremium), lossRatio, paidLossRatio: 0 });
});

test('premium retained from a policy cancelled before it begins is earned on its first day, not before', async (t) => {
  const { house, effectiveDate, change, advance } = await insured(platform);
  // At least a quarter of 3,990.00 is earned when the insured cancels.
  const cancelled = await change('cancel', { effectiveDate, reason: 'insured_request', method: 'short_rate' });
  t.like(bodyOf(cancelled, 201), { premiumChange: -2992.5 });
  const { from, to } = await analysis(house, 'portfolio');
  const early = {
    grossWrittenPremium: 997.5,
    earnedPremium: 0,
    unearnedPremium: 997.5,
    inForcePremium: 0,
    policyCount: 0,
  };
  t.like(await analysis(house, 'portfolio'), early);
  await foldPortfolio(platform.database, house.orgId);
  t.like(await analysis(house, 'portfolio'), early);
  await advance(effectiveDate);
  t.like(await analysis(house, 'portfolio', { from, to }), early);
  const begun = { earnedPremium: 997.5, unearnedPremium: 0, inForcePremium: 0, policyCount: 0 };
  t.like(await analysis(house, 'portfolio', { from: effectiveDate }), begun);
});

test('authorized users read the analytics of their own organization, under either form of its id', async (t) => {
  const [house, other] = [await newHouse(platform), await newHouse(platform)];
  for (const role of READERS) await analysis(house, 'portfolio', {}, role);
  for (const name of ['portfolio', 'commissions', 'da-utilization', 'loss-triangle', 'receivables', 'retention']) {
    const path = (orgId: string) => `/v1/analytics/${orgId}/${name}`;
    t.is((await house.as('underwriter').get(path(house.orgId))).status, 403, name);
    t.is((await house.as('org_admin').get(path(other.orgId))).status, 404, name);
    t.is((await house.as('org_admin').get(path('org_nothing'))).status, 404, name);
    bodyOf(await house.as('auditor').get(path(organizationUuid(house.orgId))));
    bodyOf(await platform.as({ credential: platform.config.apiSecret }).get(path(house.orgId)));
    t.is((await platform.as('machine').get(path(house.orgId))).status, 404, name);
    const csv = await house.as('org_admin').get(path(house.orgId), { headers: { accept: 'text/csv' } });
    t.is(csv.status, 200, name);
    t.regex(String(csv.headers.get('content-type')), /^text\/csv/);
  }
  const backwards = { from: '2026-02-02', to: '2026-02-01' };
  for (const name of ['portfolio', 'commissions', 'retention']) {
    const refused = await house.as('org_admin').get(`/v1/analytics/${house.orgId}/${name}`, { query: backwards });
    t.like(refused, { status: 400, body: { error: 'validation_failed', details: { field: 'from' } } });
  }
  const keyFor = async (scopes: string[]) =>
    platform.as({
      apiKey: bodyOf(await house.as('org_admin').post('/v1/api-keys', { name: 'A key', scopes }), 201).key,
    });
  bodyOf(await (await keyFor(['analytics:read'])).get(`/v1/analytics/${house.orgId}/portfolio`));
  const closed = await (await keyFor(['policies:read'])).get(`/v1/analytics/${house.orgId}/portfolio`);
  t.like(closed, { status: 403, body: { details: { requiredScope: 'analytics:read' } } });
});

test('commissions, receivables and the use of authority tie out with records, invoices and contracts', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer();
  const [paid, owed] = [
    await bound(house.as('underwriter'), { producerId }),
    await bound(house.as('underwriter'), { producerId }, 'MONTHLY_10'),
  ];
  await pay({ ...paid, house });
  const records = await eventually(
    async () => {
      const found = await allPages(house.as('finance_analyst'), '/v1/commissions');
      return found.length > 0 && (found as unknown as { agentCommission: number; carrierNet: number }[]);
    },
    { what: 'the commission of a paid invoice' },
  );
  const { data, period } = await analysis(house, 'commissions', { period: 'quarter' });
  const today = (await analysis(house, 'receivables')).asOf;
  const quarter = `${today.slice(0, 4)}-Q${Math.ceil(Number(today.slice(5, 7)) / 3)}`;
  t.is(period, 'quarter');
  t.is(data.length, 1);
  t.like(data[0], { period: quarter, count: records.length, grossPremium: 3990 });
  t.is(data[0].agentCommission, records[0]?.agentCommission);
  t.is(data[0].carrierNet, records[0]?.carrierNet);

  // A new organization's tiers: an eighth of the premium for the agent, a tenth for us.
  const shares = { grossPremium: 3990, agentCommission: 498.75, mgaCommission: 399, carrierNet: 3092.25 };
  t.deepEqual(await table(house, 'commissions', { period: 'quarter' }), [
    asText({ period: quarter, ...shares, count: records.length }),
  ]);

  const { total, data: aged } = await analysis(house, 'receivables');
  const balances = owed.invoices.map((invoice: { total: number }) => invoice.total);
  t.is(total, cents(balances.reduce((sum: number, one: number) => sum + one, 0)));
  t.like(aged[0], { bucket: 'current', count: 10, balance: total });

  const buckets = await table(house, 'receivables');
  t.deepEqual(buckets[0], asText({ bucket: 'current', count: 10, balance: total }));
  t.is(buckets.length, aged.length);

  const year = Number(paid.effectiveDate.slice(0, 4));
  const use = await analysis(house, 'da-utilization', { year });
  t.is(use.data.length, 1);
  const { limit, used, utilization } = use.data[0];
  t.like(use.data[0], { year, used: 7980, status: 'active' });
  t.deepEqual([used, utilization], [7980, Number((7980 / limit).toFixed(4))]);
  t.deepEqual(await table(house, 'da-utilization', { year }), [asText(use.data[0])]);
  const none = { expiringCount: 0, renewedCount: 0, retention: null, expiringPremium: 0, premiumRetention: null };
  t.like((await table(house, 'retention'))[0] ?? {}, asText(none));
});

test('a limit that comes near is announced each time that 85 percent is passed, and only then', async (t) => {
  const house = await newHouse(platform);
  const [admin, underwriter] = [house.as('org_admin'), house.as('underwriter')];
  const alerts = async () =>
    bodyOf(await admin.get('/v1/events', { query: { type: 'da.limit_approaching' } })).data.map(
      ({ data }: { data: object }) => data,
    );
  const [contract] = bodyOf(await admin.get('/v1/da-contracts')).data;
  const tighten = async (maxAnnualPremiumVolume: number) =>
    bodyOf(await admin.patch(`/v1/da-contracts/${contract.id}`, { maxAnnualPremiumVolume }));
  await tighten(14_000);
  const policies = [];
  for (let n = 0; n < 2; n += 1) policies.push(await bound(underwriter));
  t.deepEqual(await alerts(), []);
  const first = await bound(underwriter);
  const passed = { contractId: contract.id, utilization: 0.855, limit: 14_000, used: 11_970 };
  t.deepEqual(await alerts(), [passed]);
  const cancelled = { effectiveDate: first.effectiveDate, reason: 'insured_request', method: 'flat' };
  bodyOf(await underwriter.post(`/v1/policies/${first.policyId}/cancel`, cancelled), 201);
  await bound(underwriter);
  t.deepEqual(await alerts(), [passed, passed]);
  await tighten(13_000);
  t.is((await alerts()).length, 2);
  const other = await newHouse(platform);
  const [another] = bodyOf(await other.as('org_admin').get('/v1/da-contracts')).data;
  await bound(other.as('underwriter'));
  const volume = { maxAnnualPremiumVolume: 4500 };
  bodyOf(await other.as('org_admin').patch(`/v1/da-contracts/${another.id}`, volume));
  const events = bodyOf(await other.as('org_admin').get('/v1/events', { query: { type: 'da.limit_approaching' } }));
  t.like(events.data[0].data, { limit: 4500, used: 3990, utilization: 3990 / 4500 });
});

/** Deadlines of a policy, a term and a claim. */
const WORDS_OF_DEADLINES = [
  ...['surplus lines policy filing', 'last day for notice of non-renewal'],
  ...['acknowledge a claim', 'decide a claim'],
];

test('the calendar of filings is read by its address alone, until another one takes its place', async (t) => {
  const { house, effectiveDate, file } = await covered(platform);
  bodyOf(await file(), 201);
  const compliance = house.as('compliance_officer');
  const path = '/v1/compliance/calendar-feed';
  t.is((await compliance.get(path)).status, 404);
  t.is((await house.as('auditor').post(path)).status, 403);
  t.is((await house.as('underwriter').get(path)).status, 403);
  const feed = bodyOf(await compliance.post(path), 201);
  t.deepEqual(bodyOf(await house.as('auditor').get(path)), feed);
  const fetched = (url: string, headers = {}) => platform.anonymous.get(new URL(url).pathname, { headers });
  const calendar = await fetched(feed.url);
  t.is(calendar.status, 200);
  t.is(calendar.headers.get('content-type'), 'text/calendar; charset=utf-8');
  // RFC 5545, 3.1: lines end in CRLF and have at most 75 octets; a folded line continues after a space.
  const lines = calendar.text.replace(/\r\n$/, '').split('\r\n');
  t.true(lines.every((line) => Buffer.byteLength(line) <= 75 && !/[\r\n]/.test(line)));
  t.is(lines[0], 'BEGIN:VCALENDAR');
  t.is(lines.at(-1), 'END:VCALENDAR');
  const whole = calendar.text.replaceAll('\r\n ', '').split('\r\n');
  const [from, to] = [addDays(effectiveDate, 60), addDays(effectiveDate, 61)].map((day) => day.replaceAll('-', ''));
  for (const line of [
    `DTSTART;VALUE=DATE:${from}`,
    `DTEND;VALUE=DATE:${to}`,
    ...WORDS_OF_DEADLINES.map((words) => `SUMMARY:TX: ${words}`),
  ]) {
    t.true(whole.includes(line), line);
  }
  const { data } = bodyOf(await compliance.get('/v1/compliance/filings'));
  const shown = whole.filter((line) => line.startsWith('UID:')).map((line) => line.slice(4));
  t.deepEqual(shown.toSorted(), data.map(({ id }: { id: string }) => id).toSorted());
  t.notRegex(calendar.text, /Diner|GL-/, 'who reads it is not known');

  const etag = calendar.headers.get('etag') ?? '';
  t.is((await fetched(feed.url, { 'if-none-match': etag })).status, 304);
  // A claim meets its deadlines by being handled.
  const [filed, open] = data.filter(({ claimId }: { claimId: string | null }) => claimId === null);
  bodyOf(await compliance.patch(`/v1/compliance/filings/${filed.id}`, { status: 'filed', reference: 'SL-1' }));
  const later = await fetched(feed.url, { 'if-none-match': etag });
  t.is(later.status, 200);
  t.false(later.text.includes(filed.id));
  t.true(later.text.includes(open.id));

  const other = await newHouse(platform);
  const theirs = bodyOf(await other.as('org_admin').post(path), 201);
  const [, , mySignature] = feed.url.split('/').at(-1).split('.');
  const stolen = theirs.url.replace(/[^.]+\.ics$/, `${mySignature}.ics`);
  for (const url of [stolen, feed.url.replace(/.{5}\.ics$/, 'AAAAA.ics'), 'http://a.test/v1/calendars/a.ics']) {
    t.is((await fetched(url)).status, 404, url);
  }
  const next = bodyOf(await compliance.post(path), 201);
  t.not(next.url, feed.url);
  t.is((await fetched(feed.url)).status, 404);
  t.is((await fetched(next.url)).text, later.text);
  t.is((await compliance.del(path)).status, 204);
  t.is((await fetched(next.url)).status, 404);
  t.is((await compliance.del(path)).status, 204);
  const actions = bodyOf(await house.as('auditor').get('/v1/audit')).data.map(
    ({ action }: { action: string }) => action,
  );
  t.is(actions.filter((action: string) => action.startsWith('calendar_feed:')).length, 3);
});

test('one of two calendar addresses created simultaneously remains', async (t) => {
  const { as } = await newHouse(platform);
  const compliance = as('compliance_officer');
  const path = '/v1/compliance/calendar-feed';
  const made = await Promise.all([compliance.post(path), compliance.post(path)]);
  const urls = made.map((answer) => bodyOf(answer, 201).url);
  t.true(urls.includes(bodyOf(await compliance.get(path)).url));
});

test('a calendar of more deadlines than it shows each says how many fall due on a day, and leaves none out', async (t) => {
  const { house, policyId, effectiveDate } = await insured(platform);
  const feed = bodyOf(await house.as('compliance_officer').post('/v1/compliance/calendar-feed'), 201);
  const add = (count: number, dueDate: string) =>
    platform.database.transaction(house.orgId, async (em) => {
      for (let n = 0; n < count; n += 1) {
        addRow(em, Filing, { policyId, kind: 'sl_policy_filing', state: 'TX', dueDate });
      }
    });
  const shown = async () => {
    const response = await fetch(platform.url + new URL(feed.url).pathname);
    const lines = (await response.text()).replaceAll('\r\n ', '').split('\r\n');
    const entries = lines.filter((line) => line.startsWith('UID:'));
    t.is(new Set(entries).size, entries.length);
    return { entries: entries.length, many: lines.filter((line) => /^SUMMARY:.* filings$/.test(line)) };
  };
  // A term bound in Texas has four deadlines.
  await add(1_996, addDays(effectiveDate, 200));
  t.deepEqual(await shown(), { entries: 2_000, many: [] });
  await add(2, addDays(effectiveDate, 201));
  const many = [1_996, 2].map((count) => `SUMMARY:TX: surplus lines policy filing\\, ${count} filings`);
  t.deepEqual(await shown(), { entries: 4 + 2, many });
});
