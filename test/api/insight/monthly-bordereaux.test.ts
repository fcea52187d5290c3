// The bordereaux that the calendar opens: each closed month once, with its deadlines, on the test clock and by the
// daily sweep.
import { randomUUID } from 'node:crypto';
import test from 'ava';
import { taskQueue } from '../../../contracts/machinery/queues.ts';
import { WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { addDays, daysBetween, firstDayOf, lastDayOf, maxDate, monthAfter, monthOf } from '../../../domain/dates.ts';
import { Rows } from '../../faults/bind.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured, pay } from '../policy/policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t, { monthlyReports: true });
});

type Row = Record<string, string>;

const KINDS = ['claims', 'premium', 'risk'];

const todayOf = async ({ as }: House): Promise<string> => bodyOf(await as('org_admin').get('/v1/test-clock')).date;

/** An organization's bordereaux, once all are made. */
const bordereauxOf = ({ as }: House) =>
  eventually(
    async () => {
      const all = (await allPages(as('auditor'), '/v1/bordereaux')) as unknown as Row[];
      return all.every(({ status }) => status === 'completed') && all;
    },
    { what: 'the bordereaux' },
  );

/** What was reported, as `2026-03 premium`. */
const namesOf = (bordereaux: readonly Row[]) => bordereaux.map(({ month, kind }) => `${month} ${kind}`).sort();

const eachKindOf = (months: readonly string[]) => months.flatMap((month) => KINDS.map((kind) => `${month} ${kind}`));

/** Months and due dates of a kind of filing. */
async function deadlinesOf({ as }: House, kind: string) {
  const filings = (await allPages(as('auditor'), '/v1/compliance/filings', { kind })) as unknown as Row[];
  return filings.map(({ period, dueDate, status }) => [period, dueDate, status]).sort();
}

const sweep = () =>
  platform.temporal.client.workflow.execute(WORKFLOW_TYPES.bordereauSweep, {
    ...{ workflowId: `bordereau-sweep/${randomUUID()}`, args: [{ page: 2 }] },
    taskQueue: taskQueue('batch', platform.config.taskQueuePrefix),
    workflowExecutionTimeout: PATIENCE_MS,
  });

test("the test clock opens the last month's bordereaux on each 1st that it passes, with the amounts due to carriers", async (t) => {
  const policy = await insured(platform);
  const { house, advance } = policy;
  await pay(policy);
  const [contract] = bodyOf(await house.as('auditor').get('/v1/da-contracts')).data;
  const { carrier, linesOfBusiness, states, maxPolicyLimit, maxPremium } = contract;
  const { maxAnnualRevenue, maxAnnualPremiumVolume } = contract;
  const program = { carrier, linesOfBusiness, states, maxPolicyLimit, maxPremium };
  const record = async (more: object) => {
    const body = { ...program, maxAnnualRevenue, maxAnnualPremiumVolume, ...more };
    return bodyOf(await house.as('platform_operator').post('/v1/da-contracts', body), 201).id;
  };
  const contracts = [contract.id, await record({})];
  await record({ year: 2099 });
  const owed = async () => {
    const { data } = bodyOf(await house.as('finance_analyst').get('/v1/ledger/accounts'));
    return data.some(({ account, balance }: { account: number; balance: number }) => account === 2010 && balance !== 0);
  };
  await eventually(owed, { what: 'premium of the carrier' });
  const first = monthOf(await todayOf(house));
  const [second, third] = [monthAfter(first), monthAfter(first, 2)];
  await advance(addDays(firstDayOf(third), 2));
  const made = await bordereauxOf(house);
  t.deepEqual(namesOf(made), eachKindOf([first, second]));
  for (const each of made) t.like(each, { through: lastDayOf(each.month as string), createdBy: 'system', version: 1 });
  const premium = (month: string) => made.find((each) => each.kind === 'premium' && each.month === month);
  t.like(premium(first) ?? {}, { totals: { grossPremium: 3990 } });
  t.like(premium(second) ?? {}, { totals: { grossPremium: 0 } });

  t.deepEqual(await deadlinesOf(house, 'bordereau_due'), [
    [first, addDays(firstDayOf(second), 14), 'overdue'],
    [second, addDays(firstDayOf(third), 14), 'open'],
  ]);
  t.deepEqual(await deadlinesOf(house, 'trust_remittance'), [
    [first, addDays(lastDayOf(first), 30), 'overdue'],
    [second, addDays(lastDayOf(second), 30), 'open'],
  ]);
  const audits = [second, third].map((month) => {
    const [year, half] = [month.slice(0, 4), month.slice(5) < '07' ? 1 : 2];
    return [`${year}-H${half}`, `${year}-${half === 1 ? '06-30' : '12-31'}`];
  });
  const due = [...new Map(audits.map((audit) => [audit[0], audit])).values()];
  const expected = contracts.flatMap((id) => due.map(([period, dueDate]) => [id, period, dueDate]));
  const query = { kind: 'mga_audit' };
  const opened = bodyOf(await house.as('auditor').get('/v1/compliance/filings', { query })).data;
  const named = opened.map(({ contractId, period, dueDate }: Row) => [contractId, period, dueDate]);
  t.deepEqual(named.sort(), expected.sort());
  const events = bodyOf(await house.as('org_admin').get('/v1/events', { query: { limit: 100 } })).data;
  const said = events
    .filter(({ data }: { data: Row }) => data.kind === 'bordereau_due' && data.period === first)
    .map(({ data }: { data: { daysLeft: number } }) => data.daysLeft);
  t.deepEqual(said, [-1, 1, 7, 14], 'announced as the days passed');

  await advance(addDays(firstDayOf(third), 5));
  await sweep();
  t.is((await bordereauxOf(house)).length, 6, 'each once');
});

test('a sweep opens every month that nobody has opened, each once, with the deadlines that were missed', async (t) => {
  const house = await newHouse(platform);
  await bound(house.as('underwriter'));
  const today = await todayOf(house);
  // The api may still know the clock from before: the day is counted from the first one.
  const jumpTo = (day: string) =>
    new Rows(platform.testDatabase.ownerUrl).query('update organizations set clock_offset_days = $1 where id = $2', [
      daysBetween(today, day),
      house.orgId,
    ]);
  const months = [0, 1, 2].map((n) => monthAfter(monthOf(today), n));
  const [first, second, third] = months as [string, string, string];
  // A report started before the end of the month does not count for it, not even one from its last day.
  await jumpTo(lastDayOf(first));
  const early = { carrier: 'Default Carrier', month: first, kind: 'premium' };
  bodyOf(await house.as('org_admin').post('/v1/bordereaux', early), 202);
  await bordereauxOf(house);
  const fourth = addDays(firstDayOf(monthAfter(third)), 3);
  // The platform was down on the first of three months.
  await jumpTo(fourth);
  await Promise.all([sweep(), sweep()]);
  const made = await bordereauxOf(house);
  const bySystem = made.filter(({ createdBy }) => createdBy === 'system');
  t.deepEqual(namesOf(bySystem), eachKindOf(months));
  for (const each of bySystem) t.is(each.through, lastDayOf(each.month as string));
  t.like(made.find(({ kind, version }) => kind === 'premium' && Number(version) === 2) ?? {}, {
    ...{ month: first, totals: { grossPremium: 3990 } },
  });
  t.deepEqual(await deadlinesOf(house, 'bordereau_due'), [
    [first, addDays(firstDayOf(second), 14), 'overdue'],
    [second, addDays(firstDayOf(third), 14), 'overdue'],
    [third, addDays(fourth, 11), 'open'],
  ]);
  await sweep();
  t.is((await bordereauxOf(house)).length, made.length);
});

test('a closed month that is reported again names insured, producer and terms as they were then', async (t) => {
  const house = await newHouse(platform);
  const [admin, underwriter] = [house.as('org_admin'), house.as('underwriter')];
  const producerId = await house.addProducer('Lone Star Agency');
  const { policyId, effectiveDate, invoices } = await bound(underwriter, { producerId });
  const check = { amount: invoices[0].total, method: 'check', reference: 'Check 1' };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${invoices[0].id}/pay`, check), 201);
  const endorse = async (changes: object, on = effectiveDate) =>
    bodyOf(await underwriter.post(`/v1/policies/${policyId}/endorse`, { effectiveDate: on, changes }), 201);
  await endorse({ annualRevenue: 1_300_000 });
  const settled = async () => {
    const entries = (await allPages(house.as('auditor'), '/v1/ledger/entries')) as unknown as Row[];
    return entries.some(({ entryType }) => entryType === 'split');
  };
  await eventually(settled, { what: 'the payment to be shared out' });
  const month = monthOf(await todayOf(house));
  const next = firstDayOf(monthAfter(month));
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: next }));
  const first = await bordereauxOf(house);

  const insuredAddress = { line1: '9 Elm St', city: 'Dallas', state: 'TX', postalCode: '75201' };
  const changes = { insuredName: 'Red Door Diner LLC', insuredAddress, annualRevenue: 1_500_000, deductible: 5_000 };
  await endorse(changes, maxDate(next, effectiveDate));
  bodyOf(await admin.patch(`/v1/producers/${producerId}`, { name: 'Lone Star & Sons' }));
  const report = async (kind: string, of: string) =>
    bodyOf(await admin.post('/v1/bordereaux', { carrier: 'Default Carrier', month: of, kind }), 202).id;
  const again = [];
  for (const kind of KINDS) again.push(await report(kind, month));
  const risk = await report('risk', monthOf(next));
  const made = await bordereauxOf(house);
  for (const id of again) {
    const version = made.find((each) => each.id === id) as Row;
    t.like(version, { version: 2, differences: { added: 0, changed: 0, removed: 0 } }, version.kind);
    const before = first.find(({ kind }) => kind === version.kind) as Row;
    const shasOf = ({ files }: Row) => (files as unknown as Row[]).map(({ format, sha256 }) => [format, sha256]);
    const all = new Map(shasOf(version) as [string, string][]);
    for (const [format, sha256] of shasOf(before)) t.is(all.get(format as string), sha256, `${version.kind} ${format}`);
  }
  const { downloadUrls } = bodyOf(await admin.get(`/v1/bordereaux/${risk}`));
  const file = await fetch(`${platform.url}${new URL(downloadUrls.json).pathname}`);
  const { rows } = (await file.json()) as { rows: Row[] };
  t.is(rows.length, 1);
  t.like(rows[0] ?? {}, {
    ...{ insuredName: 'Red Door Diner LLC', producer: 'Lone Star & Sons' },
    annualRevenue: 1_500_000,
  });
});
