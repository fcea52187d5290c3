// Carriers' appointments of producers: where and when they apply, and the notice that the state requires.
import test from 'ava';
import { appointmentWorkflowId as workflowId } from '../../../contracts/machinery/start.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, EFFECTIVE_DATE, newHouse, quoted, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { AGENCY, codesOf, filings, verify } from './producer-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('an appointment counts in its state, line and carrier from its first day until it expires by the clock', async (t) => {
  const house = await newHouse(platform);
  const [officer, underwriter] = [house.as('compliance_officer'), house.as('underwriter')];
  const { id: producerId } = bodyOf(await officer.post('/v1/producers', AGENCY), 201);
  await verify(platform, house, producerId);
  bodyOf(await officer.patch(`/v1/producers/${producerId}`, { status: 'active' }));
  const path = `/v1/producers/${producerId}/appointments`;
  const terms = { state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier' };
  const expirationDate = addDays(EFFECTIVE_DATE, 60);
  const dates = { effectiveDate: EFFECTIVE_DATE, expirationDate };
  const flags = async (changes: object = {}) =>
    codesOf((await quoted(underwriter, { producerId, ...changes })).daFlags);
  const flagged = ['DA_PRODUCER_NOT_APPOINTED'];

  const elsewhere = { ...terms, carrier: 'Another Carrier', status: 'active', surplusLines: true };
  const { warning, ...strange } = bodyOf(await officer.post(path, elsewhere), 201);
  t.regex(warning, /No delegated-authority contract names the carrier Another Carrier,.*They name: Default Carrier\./);
  t.deepEqual(bodyOf(await officer.get(`${path}/${strange.id}`)), strange, 'recorded all the same');
  t.deepEqual(await flags(), flagged);
  const pending = bodyOf(await officer.post(path, { ...terms, ...dates }), 201);
  t.like(pending, { ...terms, ...dates, producerId, status: 'pending', forCause: null });
  t.false('warning' in pending);
  t.like(await officer.post(path, terms), { status: 409, body: { error: 'already_exists' } });
  t.deepEqual(await flags(), flagged);

  const own = `${path}/${pending.id}`;
  const active = await officer.patch(own, { status: 'active' });
  t.like(active, { status: 200, body: { status: 'active', version: 2 } });
  t.deepEqual(await flags(), []);
  t.deepEqual(await flags({ effectiveDate: addDays(EFFECTIVE_DATE, -1) }), flagged);
  t.deepEqual(await flags({ effectiveDate: expirationDate }), flagged);
  t.is((await officer.patch(own, { status: 'suspended' }, { headers: { 'if-match': '"old.1"' } })).status, 412);
  const tag = { headers: { 'if-match': active.headers.get('etag') ?? '' } };
  t.is(bodyOf(await officer.patch(own, { status: 'suspended' }, tag)).status, 'suspended');
  t.deepEqual(await flags(), flagged);
  bodyOf(await officer.patch(own, { status: 'active' }));
  t.like(await officer.patch(own, { status: 'pending' }), {
    ...{ status: 422, body: { details: { resource: 'appointment', allowed: ['suspended', 'terminated', 'expired'] } } },
  });

  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: expirationDate }));
  t.is(bodyOf(await officer.get(own)).status, 'expired');
  t.like(await officer.patch(own, { status: 'active' }), { status: 422, body: { details: { allowed: [] } } });
  const again = bodyOf(await officer.post(path, { ...terms, status: 'active' }), 201);
  t.is(again.effectiveDate, expirationDate);
  const listed = bodyOf(await officer.get(path, { query: { state: 'TX', status: 'active' } })).data;
  t.deepEqual(listed.length, 2);
  // The first one's notice is withdrawn with it; surplus lines need none.
  t.deepEqual(await filings(platform, house, producerId, 'appointment_filing'), [
    [pending.id, addDays(EFFECTIVE_DATE, 15), 'withdrawn'],
    [again.id, addDays(expirationDate, 15), 'open'],
  ]);
});

test('the workflows of appointments end with the contract of their producer, applied for and open-ended ones too', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const { id } = bodyOf(await officer.post('/v1/producers', AGENCY), 201);
  const terms = { state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier' };
  const statuses = async (ids: string[]) => {
    const workflows = ids.map((each) => platform.temporal.client.workflow.getHandle(workflowId(house.orgId, each)));
    return (await Promise.all(workflows.map((each) => each.describe()))).map(({ status }) => status.name);
  };
  const ids: string[] = [];
  for (const status of ['pending', 'active']) {
    const body = { ...terms, carrier: `Carrier ${status}`, status };
    ids.push(bodyOf(await officer.post(`/v1/producers/${id}/appointments`, body), 201).id);
  }
  t.deepEqual(await statuses(ids), ['RUNNING', 'RUNNING']);
  bodyOf(await officer.patch(`/v1/producers/${id}`, { status: 'terminated' }));
  const haveEnded = async () => (await statuses(ids)).every((status) => status === 'COMPLETED');
  t.true(await eventually(haveEnded, { what: 'the workflows to end' }));
});

test('the filing of an appointment follows its first day; a termination ends both, and a terminated producer gets no other', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const { id } = bodyOf(await officer.post('/v1/producers', AGENCY), 201);
  const path = `/v1/producers/${id}/appointments`;
  const terms = { state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier', status: 'active' };
  const appointment = bodyOf(await officer.post(path, terms), 201);
  t.like(await officer.post(path, { ...terms, carrier: ' DEFAULT CARRIER' }), { status: 409 });
  const effectiveDate = addDays(appointment.effectiveDate, 20);
  bodyOf(await officer.patch(`${path}/${appointment.id}`, { effectiveDate }));
  t.deepEqual(await filings(platform, house, id, 'appointment_filing'), [
    [appointment.id, addDays(effectiveDate, 15), 'open'],
  ]);
  bodyOf(await officer.patch(`/v1/producers/${id}`, { status: 'terminated' }));
  t.like(bodyOf(await officer.get(`${path}/${appointment.id}`)), { status: 'terminated', forCause: false });
  t.deepEqual(await filings(platform, house, id, 'appointment_filing'), [
    [appointment.id, addDays(effectiveDate, 15), 'withdrawn'],
  ]);
  t.like(await officer.post(path, terms), { status: 422, body: { error: 'invalid_state_transition' } });
});

test('the renewal of an appointment is due on the day before it ends, and filed when it ends later', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const { id } = bodyOf(await officer.post('/v1/producers', AGENCY), 201);
  const path = `/v1/producers/${id}/appointments`;
  const terms = { state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier', effectiveDate: EFFECTIVE_DATE };
  const [end, later] = [addDays(EFFECTIVE_DATE, 90), addDays(EFFECTIVE_DATE, 455)];
  const renewals = () => filings(platform, house, id, 'appointment_renewal');
  const applied = bodyOf(await officer.post(path, { ...terms, expirationDate: end }), 201);
  t.deepEqual(await renewals(), [], 'nobody renews what is not in use');
  bodyOf(await officer.patch(`${path}/${applied.id}`, { status: 'active' }));
  t.deepEqual(await renewals(), [[applied.id, addDays(end, -1), 'open']]);
  bodyOf(await officer.patch(`${path}/${applied.id}`, { expirationDate: later }));
  t.deepEqual(await renewals(), [
    [applied.id, addDays(end, -1), 'filed'],
    [applied.id, addDays(later, -1), 'open'],
  ]);
  bodyOf(await officer.patch(`${path}/${applied.id}`, { status: 'terminated' }));
  t.is((await renewals())[1]?.[2], 'withdrawn');
});

test('a termination for cause is kept as one, and a rejection withdraws the filing', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const { id } = bodyOf(await officer.post('/v1/producers', AGENCY), 201);
  const path = `/v1/producers/${id}/appointments`;
  const terms = { state: 'TX', lineOfBusiness: 'GL', effectiveDate: EFFECTIVE_DATE };
  const ended = bodyOf(await officer.post(path, { ...terms, carrier: 'One Carrier', status: 'active' }), 201);
  const rejected = bodyOf(await officer.post(path, { ...terms, carrier: 'Another Carrier' }), 201);
  const due = addDays(EFFECTIVE_DATE, 15);
  const filed = () => filings(platform, house, id, 'appointment_filing');
  t.deepEqual(await filed(), [
    [ended.id, due, 'open'],
    [rejected.id, due, 'open'],
  ]);
  const premature = await officer.patch(`${path}/${ended.id}`, { forCause: true });
  t.like(premature, { status: 400, body: { details: { field: 'forCause' } } });
  bodyOf(await officer.patch(`${path}/${ended.id}`, { status: 'terminated', forCause: true }));
  t.like(bodyOf(await officer.patch(`${path}/${rejected.id}`, { status: 'rejected' })), { forCause: null });
  const late = await officer.patch(`${path}/${ended.id}`, { expirationDate: addDays(EFFECTIVE_DATE, 90) });
  t.like(late, { status: 422, body: { error: 'invalid_state_transition' } });
  t.like(bodyOf(await officer.get(`${path}/${ended.id}`)), { status: 'terminated', forCause: true });
  t.deepEqual(await filed(), [
    [ended.id, due, 'withdrawn'],
    [rejected.id, due, 'withdrawn'],
  ]);
});

test('the triage of a submission follows the appointment of its producer', async (t) => {
  const house = await newHouse(platform);
  const [officer, underwriter] = [house.as('compliance_officer'), house.as('underwriter')];
  const { id: producerId } = bodyOf(await officer.post('/v1/producers', AGENCY), 201);
  await verify(platform, house, producerId);
  bodyOf(await officer.patch(`/v1/producers/${producerId}`, { status: 'active' }));
  const factorOf = ({ triage }: { triage: { factors: { code: string }[] } }) =>
    triage.factors.find(({ code }) => code === 'PRODUCER');
  const read = async (id: string) => factorOf(bodyOf(await underwriter.get(`/v1/submissions/${id}`)));
  const without = { code: 'PRODUCER', points: 0, max: 5, reason: 'producer not appointed for state and line' };
  const appointed = { ...without, points: 5, reason: 'producer appointed' };

  const { id: early } = await submit(underwriter, { producerId });
  t.deepEqual(await read(early), without);
  const path = `/v1/producers/${producerId}/appointments`;
  const terms = { state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier', status: 'active' };
  const appointment = bodyOf(await officer.post(path, terms), 201);
  const { id: later } = await submit(underwriter, { producerId });
  t.deepEqual(await read(later), appointed);
  bodyOf(await underwriter.patch(`/v1/submissions/${early}`, { annualRevenue: 900_000 }));
  t.deepEqual(await read(early), appointed);
  const elsewhere = await submit(underwriter, { producerId, state: 'OK' });
  t.deepEqual(await read(elsewhere.id), without);
  bodyOf(await officer.patch(`${path}/${appointment.id}`, { status: 'suspended' }));
  t.deepEqual(await read((await submit(underwriter, { producerId })).id), without);
});
