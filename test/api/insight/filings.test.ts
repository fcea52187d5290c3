// One organization's filings, end to end: their announcements, dates and records.
import test from 'ava';
import { Filing } from '../../../db/entities/insight/filing.ts';
import { addDays, firstDayOf, lastDayOf, maxDate, monthAfter, monthOf, yearOf } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { covered } from '../claim/claim-calls.ts';
import { insured, pay } from '../policy/policy-calls.ts';

const CARRIER = 'Default Carrier';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t, { monthlyReports: true });
});

test('an open filing is announced 30, 7 and 1 days before it is due and once when it is overdue; a recorded one is not', async (t) => {
  const policy = await insured(platform);
  const { house, policyId, effectiveDate, advance } = policy;
  const compliance = house.as('compliance_officer');
  await pay(policy);
  const list = async (query = {}) => bodyOf(await compliance.get('/v1/compliance/filings', { query })).data;
  const filings = await list({ policyId });
  t.deepEqual(
    filings.map(({ kind, state, dueDate, status }: Record<string, string>) => [kind, state, dueDate, status]).sort(),
    [
      ['nonrenewal_notice', 'TX', addDays(policy.expirationDate, -60), 'open'],
      ['sl_policy_filing', 'TX', addDays(effectiveDate, 60), 'open'],
      ['sl_tax_payment', 'TX', `${Number(effectiveDate.slice(0, 4)) + 1}-03-01`, 'open'],
      ['stamping_fee', 'TX', addDays(lastDayOf(monthOf(effectiveDate)), 30), 'open'],
    ],
  );
  const [filing] = await list({ kind: 'sl_policy_filing' });
  const { dueDate } = filing;
  await advance(addDays(dueDate, 3));
  const said = async (type: string) =>
    bodyOf(await house.as('org_admin').get('/v1/events', { query: { type, limit: 100 } }))
      .data.map(({ data }: { data: { filingId: string; daysLeft: number } }) => data)
      .filter(({ filingId }: { filingId: string }) => filingId === filing.id)
      .map(({ daysLeft }: { daysLeft: number }) => daysLeft);
  t.deepEqual(await said('compliance.deadline_approaching'), [1, 7, 30]);
  t.deepEqual(await said('compliance.deadline_missed'), [-1]);
  const overdue: { id: string }[] = await list({ status: 'overdue', policyId });
  const missed = overdue.find(({ id }) => id === filing.id);
  t.like(missed ?? {}, { status: 'overdue', daysLeft: -3, dueDate });
  t.is((await list({ status: 'open', dueTo: dueDate, policyId })).length, 0);

  const path = `/v1/compliance/filings/${filing.id}`;
  t.is((await house.as('auditor').patch(path, { status: 'filed', reference: 'SL-1' })).status, 403);
  t.is((await compliance.patch(path, { status: 'filed' })).status, 400);
  t.is((await compliance.patch(path, { status: 'open', reference: 'SL-1' })).status, 400);
  // Created, announced three times, overdue, filed.
  const filed = bodyOf(await compliance.patch(path, { status: 'filed', reference: 'SL-1' }));
  t.like(filed, { status: 'filed', reference: 'SL-1', filedOn: addDays(dueDate, 3), version: 6 });
  t.deepEqual(bodyOf(await compliance.get(path)), filed);
  const again = await compliance.patch(path, { status: 'filed', reference: 'SL-1' });
  t.like(again, { status: 422, body: { error: 'invalid_state_transition', details: { from: 'filed' } } });
  const { filedOn, filedBy } = filed;
  await advance(addDays(dueDate, 4));
  const corrected = bodyOf(await compliance.patch(path, { status: 'filed', reference: 'SL-2' }));
  t.like(corrected, { status: 'filed', reference: 'SL-2', filedOn, filedBy, version: 7 });
  const audit = bodyOf(await house.as('auditor').get('/v1/audit', { query: { entity: filing.id } })).data;
  t.is(audit[0].action, 'filing:correct');
  t.deepEqual(audit[0].changes, [{ field: 'reference', before: 'SL-1', after: 'SL-2' }]);
  t.deepEqual(
    (await list({ status: 'filed', state: 'TX' })).map(({ id }: { id: string }) => id),
    [filing.id],
  );

  const [tax] = await list({ kind: 'sl_tax_payment' });
  bodyOf(await compliance.patch(`/v1/compliance/filings/${tax.id}`, { status: 'filed', reference: 'TAX-1' }));
  await advance(maxDate(addDays(tax.dueDate, 2), addDays(dueDate, 5)));
  t.deepEqual(await said('compliance.deadline_missed'), [-1]);
});

test('a change of premium is filed like the bind, and its tax joins the report that is still open', async (t) => {
  const policy = await insured(platform);
  const { policyId, effectiveDate, change, house, advance } = policy;
  await pay(policy);
  await advance(effectiveDate);
  const changes = { annualRevenue: 1_300_000 };
  const { id } = bodyOf(await change('endorse', { effectiveDate, changes }), 201);
  const ofPolicy = async (query = {}) =>
    bodyOf(await house.as('compliance_officer').get('/v1/compliance/filings', { query: { policyId, ...query } })).data;
  const added = (await ofPolicy()).filter(({ transactionId }: { transactionId: string }) => transactionId === id);
  t.deepEqual(
    added.map(({ kind, dueDate }: Record<string, string>) => [kind, dueDate]),
    [['sl_policy_filing', addDays(effectiveDate, 60)]],
  );
  t.is((await ofPolicy({ kind: 'sl_tax_payment' })).length, 1);

  // A return of premium is filed too; one that returns nothing is not.
  const day = addDays(effectiveDate, 20);
  await advance(day);
  const cancellation = { effectiveDate: day, reason: 'insured_request', method: 'pro_rata' };
  const { id: cancelled } = bodyOf(await change('cancel', cancellation), 201);
  const returned = (await ofPolicy()).filter(
    ({ transactionId }: { transactionId: string }) => transactionId === cancelled,
  );
  t.deepEqual(returned.map(({ kind, dueDate }: Record<string, string>) => [kind, dueDate]).sort(), [
    ['sl_policy_filing', addDays(day, 60)],
    // Reports for another year or month are separate ones.
    ...(yearOf(day) === yearOf(effectiveDate) ? [] : [['sl_tax_payment', `${yearOf(day) + 1}-03-01`]]),
    ...(monthOf(day) === monthOf(effectiveDate) ? [] : [['stamping_fee', addDays(lastDayOf(monthOf(day)), 30)]]),
  ]);
});

test('tax and stamping fee that go back whole have no deadline, and the same one again after a reinstatement', async (t) => {
  const { policyId, effectiveDate, change, house } = await insured(platform);
  const owed = async (kind: string) =>
    bodyOf(await house.as('compliance_officer').get('/v1/compliance/filings', { query: { policyId, kind } })).data;
  const kinds = ['sl_tax_payment', 'stamping_fee'];
  const [tax, fee] = [(await owed('sl_tax_payment'))[0], (await owed('stamping_fee'))[0]];
  for (let time = 0; time < 2; time += 1) {
    bodyOf(await change('cancel', { effectiveDate, reason: 'flat_not_taken' }), 201);
    for (const kind of kinds) t.like(await owed(kind), [{ status: 'withdrawn' }], kind);
    bodyOf(await change('reinstate', {}), 201);
    t.like(await owed('sl_tax_payment'), [{ id: tax.id, dueDate: tax.dueDate, status: 'open' }]);
    t.like(await owed('stamping_fee'), [{ id: fee.id, dueDate: fee.dueDate, status: 'open' }]);
    for (const kind of kinds) t.is((await owed(kind)).length, 1);
  }

  // Paid amounts come back: the state owes them, and the return is reported.
  const reference = 'TAX-1';
  bodyOf(
    await house.as('compliance_officer').patch(`/v1/compliance/filings/${tax.id}`, { status: 'filed', reference }),
  );
  bodyOf(await change('cancel', { effectiveDate, reason: 'flat_not_taken' }), 201);
  t.like(await owed('sl_tax_payment'), [{ status: 'open' }, { id: tax.id, status: 'filed', reference }]);
  t.like(await owed('stamping_fee'), [{ id: fee.id, status: 'withdrawn' }]);
});

test('a remittance to a carrier closes its dates for months that it covers whole, and names itself as their reference', async (t) => {
  const policy = await insured(platform);
  const { house } = policy;
  const { date: today } = bodyOf(await house.as('org_admin').get('/v1/test-clock'));
  await pay(policy);
  const carrier = CARRIER;
  const first = `${today.slice(0, 7)}-01`;
  const [nextMonth, lastMonth] = [addDays(first, 40).slice(0, 7), addDays(first, -1).slice(0, 7)];
  await platform.database.transaction(house.orgId, async (em) => {
    for (const period of [nextMonth, lastMonth]) {
      const due = { carrier, period, kind: 'trust_remittance', state: null, dueDate: addDays(today, 40) };
      em.create(Filing, due, { persist: true });
    }
  });
  const finance = house.as('finance_analyst');
  const owed = async () => bodyOf(await finance.get('/v1/ledger/accounts')).data;
  const isOwed = async () =>
    (await owed()).some(({ account, balance }: Record<string, number>) => account === 2010 && balance !== 0);
  await eventually(isOwed, { what: 'premium of the carrier' });
  const { id } = bodyOf(await finance.post('/v1/remittances', { carrier, through: today }), 201);
  const list = async () =>
    Object.fromEntries(
      bodyOf(
        await house.as('compliance_officer').get('/v1/compliance/filings', { query: { kind: 'trust_remittance' } }),
      ).data.map(({ period, status, reference, filedOn }: Record<string, string>) => [
        period,
        [status, reference, filedOn],
      ]),
    );
  const open = ['open', null, null];
  t.deepEqual(await list(), { [nextMonth]: open, [lastMonth]: open });
  bodyOf(await house.as('billing_admin').post(`/v1/remittances/${id}/approve`));
  t.deepEqual(await list(), { [nextMonth]: open, [lastMonth]: ['filed', id, today] });
});

/** A policy whose premium has reached the trust, with what its carrier is owed and by when. */
async function remittable() {
  const policy = await insured(platform);
  const { house } = policy;
  const [finance, auditor] = [house.as('finance_analyst'), house.as('auditor')];
  const owed = async () => {
    const { data } = bodyOf(await finance.get('/v1/ledger/accounts'));
    return data.find(({ account }: { account: number }) => account === 2010)?.balance ?? 0;
  };
  const report = async (month: string) =>
    bodyOf(await house.as('org_admin').post('/v1/bordereaux', { carrier: CARRIER, month, kind: 'risk' }), 202);
  const due = async () => {
    const query = { kind: 'trust_remittance' };
    const { data } = bodyOf(await auditor.get('/v1/compliance/filings', { query }));
    return data.map(({ period, status, dueDate }: Record<string, string>) => [period, status, dueDate]);
  };
  const { date: today } = bodyOf(await house.as('org_admin').get('/v1/test-clock'));
  await pay(policy);
  await eventually(async () => (await owed()) !== 0, { what: 'premium of the carrier' });
  return { ...policy, finance, owed, report, due, today, month: monthOf(today) };
}

test('premium of a month must be remitted once the month is over and while some is owed', async (t) => {
  const { house, finance, advance, report, due, today, month } = await remittable();
  const next = monthAfter(month);
  await report(month);
  t.deepEqual(await due(), [], 'the month is not over');
  await advance(firstDayOf(next));
  await report(month);
  const dueDate = addDays(lastDayOf(month), 30);
  t.deepEqual(await due(), [[month, 'open', dueDate]]);
  // It covers all premium received, though not the days until the end of the month.
  const { id } = bodyOf(await finance.post('/v1/remittances', { carrier: CARRIER, through: today }), 201);
  bodyOf(await house.as('billing_admin').post(`/v1/remittances/${id}/approve`));
  t.deepEqual(await due(), [[month, 'filed', dueDate]]);
  await advance(firstDayOf(monthAfter(next)));
  await report(next);
  t.deepEqual(await due(), [[month, 'filed', dueDate]], 'nothing came in');
});

test('a deadline to remit premium that has all gone back is withdrawn, and not missed', async (t) => {
  const { house, invoices, advance, owed, report, due, month } = await remittable();
  await advance(firstDayOf(monthAfter(month)));
  await report(month);
  const dueDate = addDays(lastDayOf(month), 30);
  t.deepEqual(await due(), [[month, 'open', dueDate]]);
  const [{ id, total }] = invoices as [{ id: string; total: number }];
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${id}/refund`, { amount: total, reason: 'Error.' }), 201);
  await eventually(async () => (await owed()) === 0, { what: 'the return' });
  await advance(addDays(dueDate, 2));
  t.deepEqual(await due(), [[month, 'withdrawn', dueDate]]);
  const events = bodyOf(await house.as('org_admin').get('/v1/events', { query: { limit: 100 } })).data;
  const announced = events.filter(({ data }: { data: { kind?: string } }) => data.kind === 'trust_remittance');
  t.false(announced.some(({ type }: { type: string }) => type === 'compliance.deadline_missed'));
});

/** Due dates in a year that come from no policy, and how many days before they are announced. */
const KINDS = [
  ...['stamping_fee', 'appointment_renewal', 'bordereau_due', 'trust_remittance', 'mga_audit', 'fmcsa_notice'],
  ...['sl_policy_filing', 'sl_tax_payment', 'licence_renewal'],
];
const CARRIERS_KINDS = ['bordereau_due', 'trust_remittance'];
const STEP_DAYS = 41;

test('through a year every kind of deadline is announced on its days, each once, and once when it is overdue', async (t) => {
  const policy = await covered(platform);
  const { house, file, supervisor, today, advance } = policy;
  await pay(policy);
  const producerId = await house.addProducer();
  const expected = new Map<string, number[]>();
  await platform.database.transaction(house.orgId, async (em) => {
    for (const [n, kind] of KINDS.entries()) {
      const dueDate = addDays(today, 65 + n * 37);
      const ofCarrier = { carrier: CARRIER, period: dueDate.slice(0, 7), state: null };
      const subject = CARRIERS_KINDS.includes(kind) ? ofCarrier : { producerId, state: 'TX', licenseNumber: kind };
      const { id } = em.create(Filing, { kind, dueDate, ...subject }, { persist: true });
      expected.set(id, [30, 7, 1, -1]);
    }
  });
  const { id: claimId } = bodyOf(await file({ containsPhi: true }), 201);
  const compliance = house.as('compliance_officer');
  const list = async (query: Record<string, string>) =>
    bodyOf(await compliance.get('/v1/compliance/filings', { query: { limit: '100', ...query } })).data;
  const clocks = await list({ claimId });
  const dues = clocks.map(({ kind, dueDate }: Record<string, string>) => [kind, dueDate]).sort();
  t.deepEqual(dues, [
    ['claim_ack', addDays(today, 10)],
    ['claim_decision', addDays(today, 30)],
  ]);
  for (const { id } of clocks) expected.set(id, [7, 1, -1]);
  // A reader learns neither what happened nor which person it happened to.
  const shown = JSON.stringify(clocks);
  for (const word of ['Ada', 'fell', 'Diner', 'CLM']) t.false(shown.includes(word), word);
  const refused = await compliance.patch(`/v1/compliance/filings/${clocks[0].id}`, { status: 'filed', reference: 'X' });
  t.like(refused, { status: 422, body: { error: 'invalid_state_transition' } });

  for (let day = STEP_DAYS; day < 400; day += STEP_DAYS) await advance(addDays(today, day));
  const said = new Map<string, number[]>();
  const admin = house.as('org_admin');
  for (const type of ['compliance.deadline_approaching', 'compliance.deadline_missed']) {
    const events = await allPages(admin, '/v1/events', { type, limit: 100 });
    for (const { data } of (events as unknown as { data: { filingId: string; daysLeft: number } }[]).reverse()) {
      if (expected.has(data.filingId)) said.set(data.filingId, [...(said.get(data.filingId) ?? []), data.daysLeft]);
    }
  }
  t.deepEqual(
    [...expected].map(([id]) => [id, said.get(id)]),
    [...expected],
  );
  const overdue = await list({ claimId, status: 'overdue' });
  t.is(overdue.length, 2);
  bodyOf(await supervisor.post(`/v1/claims/${claimId}/deny`, { reason: 'Excluded.' }));
  t.deepEqual(new Set((await list({ claimId })).map(({ status }: { status: string }) => status)), new Set(['filed']));
});

test('a sandbox has no filing: neither of a license, nor of a policy, nor of a month', async (t) => {
  const sandbox = await startCheckedPlatform(t, { variables: { ENVIRONMENT: 'sandbox' } });
  const policy = await insured(sandbox);
  const { house, policyId, change, effectiveDate } = policy;
  const { date } = bodyOf(await house.as('org_admin').get('/v1/test-clock'));
  const license = { number: 'L-1', lines: [], status: 'active', expirationDate: addDays(date, 40) };
  const producer = { name: 'Lone Star, Inc.', email: 'a@example.com', licenses: [{ ...license, state: 'TX' }] };
  const { id } = bodyOf(await house.as('org_admin').post('/v1/producers', producer), 201);
  const licenses = [{ ...license, state: 'FL' }];
  bodyOf(await house.as('org_admin').patch(`/v1/producers/${id}`, { licenses }));
  const table = 'npn,name,licenseState,licenseNumber,licenseExpiration\n7654321,Ann,TX,L-2,2031-01-31\n';
  const contentBase64 = Buffer.from(table).toString('base64');
  t.like(bodyOf(await house.as('org_admin').post('/v1/producers/import', { contentBase64 })), { created: 1 });
  await pay(policy);
  bodyOf(await change('endorse', { effectiveDate, changes: { annualRevenue: 1_300_000 } }), 201);
  const month = { carrier: CARRIER, month: monthOf(date), kind: 'risk' };
  bodyOf(await house.as('org_admin').post('/v1/bordereaux', month), 202);
  t.deepEqual(await allPages(house.as('auditor'), '/v1/compliance/filings', {}), []);
  t.is((await allPages(house.as('auditor'), `/v1/policies/${policyId}/timeline`, {})).length, 2);
});
