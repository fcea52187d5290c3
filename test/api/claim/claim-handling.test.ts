import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { covered } from './claim-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** The events of a type, oldest first. */
const eventsOf = async (client: ReturnType<Platform['as']>, type: string) =>
  bodyOf(await client.get('/v1/events', { query: { type } }))
    .data.map(({ data }: { data: object }) => data)
    .toReversed();

test('a claim is investigated, reserved, denied, closed and reopened; its history names the actors and the amounts', async (t) => {
  const { file, house, supervisor, today } = await covered(platform);
  const { id, policyId, claimNumber } = bodyOf(await file(), 201);
  const path = `/v1/claims/${id}`;
  const adjuster = house.as('claims_adjuster', 'usr_adjuster');
  const notes = 'The floor was seen.';
  const begun = bodyOf(await supervisor.post(`${path}/investigate`, { adjusterId: 'usr_adjuster', notes }));
  t.like(begun, { status: 'investigating', adjusterId: 'usr_adjuster', acknowledgedOn: today, decidedOn: null });
  const amounts = { indemnity: 5000, expense: 750.5 };
  const set = bodyOf(await adjuster.post(`${path}/reserves`, { ...amounts, reason: 'First estimate.' }), 201);
  t.deepEqual(set.reserves, { ...amounts, total: 5750.5 });
  t.is(set.incurred, 5750.5);
  const less = bodyOf(await adjuster.post(`${path}/reserves`, { indemnity: 4000, expense: 0, reason: 'Less.' }), 201);
  t.deepEqual(less.reserves, { indemnity: 4000, expense: 0, total: 4000 });
  const denied = bodyOf(await adjuster.post(`${path}/deny`, { reason: 'Excluded.', policyProvision: 'Exclusion j' }));
  t.like(denied, { status: 'denied', incurred: 0, decidedOn: today });
  t.deepEqual(denied.denial, { reason: 'Excluded.', policyProvision: 'Exclusion j', date: today });
  t.is(denied.reserves.total, 0);
  const closed = bodyOf(await adjuster.post(`${path}/close`, { outcome: 'denied' }));
  t.like(closed, { status: 'closed', outcome: 'denied', incurred: 0 });
  t.truthy(closed.closedAt);
  const reopened = bodyOf(await adjuster.post(`${path}/reopen`, { reason: 'A doctor has written.' }));
  t.like(reopened, { status: 'investigating', closedAt: null, denial: null, decidedOn: null });
  t.is(reopened.decisionBy, addDays(today, 30));

  const timeline = bodyOf(await supervisor.get(`${path}/timeline`)).data;
  const [filed, , reserved, lowered, refusal] = timeline;
  t.deepEqual(
    timeline.map(({ action, note, actor }: { action: string; note: string | null; actor: { role: string } }) => {
      return [action, actor.role, note];
    }),
    [
      ['file', 'claims_supervisor', null],
      ['investigate', 'claims_supervisor', notes],
      ['reserve', 'claims_adjuster', 'First estimate.'],
      ['reserve', 'claims_adjuster', 'Less.'],
      ['deny', 'claims_adjuster', 'Excluded.'],
      ['close', 'claims_adjuster', null],
      ['reopen', 'claims_adjuster', 'A doctor has written.'],
    ],
  );
  t.deepEqual(filed.changes.status, { before: null, after: 'reported' });
  t.deepEqual(reserved.changes, {
    reserveIndemnity: { before: 0, after: 5000 },
    reserveExpense: { before: 0, after: 750.5 },
  });
  t.deepEqual(lowered.changes.reserveIndemnity, { before: 5000, after: 4000 });
  t.deepEqual(refusal.changes.reserveIndemnity, { before: 4000, after: 0 });

  const admin = house.as('org_admin');
  const data = { claimId: id, claimNumber, policyId };
  t.deepEqual(await eventsOf(admin, 'claim.reserved'), [
    { ...data, status: 'investigating', reserves: { ...amounts, total: 5750.5 } },
    { ...data, status: 'investigating', reserves: { indemnity: 4000, expense: 0, total: 4000 } },
  ]);
  t.deepEqual(await eventsOf(admin, 'claim.closed'), [{ ...data, status: 'closed' }]);
});

test('a move that the state does not allow is refused with 422, which lists the allowed ones; a close before a decision needs its outcome', async (t) => {
  const { file, supervisor } = await covered(platform);
  const { id } = bodyOf(await file(), 201);
  const path = `/v1/claims/${id}`;
  const refused = async (action: string, body: object, from: string, allowed: string[]) => {
    const answer = await supervisor.post(`${path}/${action}`, body);
    t.is(answer.status, 422, action);
    t.like(answer.body, { error: 'invalid_state_transition', details: { resource: 'claim', from } });
    t.deepEqual(answer.body.details.allowed, allowed);
  };
  const open = ['investigate', 'assign', 'reserve', 'deny', 'close'];
  await refused('reopen', { reason: 'Why not.' }, 'reported', open);
  await refused('close', {}, 'reported', open);
  await refused('close', { outcome: 'paid' }, 'reported', open);
  t.is(bodyOf(await supervisor.post(`${path}/close`, { outcome: 'no_payment' })).status, 'closed');
  for (const [action, body] of Object.entries({
    investigate: {},
    assign: { adjusterId: 'usr_a' },
    reserves: { indemnity: 1, expense: 1, reason: 'x' },
    deny: { reason: 'x' },
    close: {},
  })) {
    await refused(action, body, 'closed', ['reopen']);
  }
});

test('a status letter that was sent is on record, and is refused where none is owed', async (t) => {
  const { file, supervisor, today } = await covered(platform, { state: 'CA' });
  const { id, statusLetterBy, statusLetterSentOn } = bodyOf(await file(), 201);
  // Forty days to decide, and another thirty to the first letter: one sent today does not bring it forward.
  t.deepEqual([statusLetterBy, statusLetterSentOn], [addDays(today, 70), null]);
  const send = (body: object) => supervisor.post(`/v1/claims/${id}/status-letters`, body);
  const notes = 'The report of the engineer is awaited.';
  t.like(bodyOf(await send({ notes }), 201), { statusLetterBy, statusLetterSentOn: today, status: 'reported' });
  const early = await send({ sentOn: addDays(today, 1) });
  t.like(early, { status: 400, body: { error: 'validation_failed', details: { field: 'sentOn', rule: 'max' } } });
  const { data } = bodyOf(await supervisor.get(`/v1/claims/${id}/timeline`));
  t.like(data.at(-1), { action: 'status_letter', note: notes });
  bodyOf(await supervisor.post(`/v1/claims/${id}/deny`, { reason: 'Excluded.' }));
  const refusal = { error: 'invalid_state_transition', details: { from: 'denied', action: 'send_status_letter' } };
  t.like(await send({}), { status: 422, body: refusal });
});

test('a write with an outdated If-Match is refused with 412 and changes nothing', async (t) => {
  const { file, supervisor } = await covered(platform);
  const filed = await file();
  const path = `/v1/claims/${filed.body.id}`;
  const headers = { 'If-Match': filed.headers.get('etag') ?? '' };
  t.is((await supervisor.post(`${path}/investigate`, {}, { headers })).status, 200);
  const late = await supervisor.post(`${path}/deny`, { reason: 'Too late.' }, { headers });
  t.like(late, { status: 412, body: { error: 'precondition_failed' } });
  t.is(bodyOf(await supervisor.get(path)).status, 'investigating');
});

test('reserves above an own authority are refused with the limit and the amount; the administrator has none', async (t) => {
  const { file, house, supervisor } = await covered(platform);
  const admin = house.as('org_admin');
  const { id: userId } = bodyOf(
    await admin.post('/v1/users', { email: 'adjuster@example.com', role: 'claims_adjuster' }),
    201,
  );
  const limits = { maxLimit: 100_000, maxPremium: 5000, maxReserve: 10_000, maxSettlement: 5000 };
  const set = bodyOf(await admin.put(`/v1/users/${userId}/authority`, limits));
  t.like(set, limits);
  t.like(bodyOf(await admin.get(`/v1/users/${userId}/authority`)), limits);
  const { id } = bodyOf(await file(), 201);
  bodyOf(await supervisor.post(`/v1/claims/${id}/assign`, { adjusterId: userId }));
  const adjuster = house.as('claims_adjuster', userId);
  const reserve = (indemnity: number, by = adjuster) =>
    by.post(`/v1/claims/${id}/reserves`, { indemnity, expense: 1000, reason: 'Estimate.' });
  bodyOf(await reserve(9000), 201);
  const beyond = await reserve(9000.01);
  t.like(beyond, { status: 403, body: { error: 'forbidden' } });
  t.deepEqual(beyond.body.details, { permission: 'claim:reserve', limit: 10_000, actual: 10_000.01 });
  bodyOf(await reserve(50_000, admin), 201);
});

test('an adjuster is given limits for claims alone, and may underwrite nothing by them; an underwriter needs both figures', async (t) => {
  const { house, file, supervisor } = await covered(platform);
  const admin = house.as('org_admin');
  const invited = async (role: string) =>
    bodyOf(await admin.post('/v1/users', { email: `${role}@example.com`, role }), 201).id;
  const [adjuster, underwriter] = [await invited('claims_adjuster'), await invited('underwriter')];
  const set = (id: string, limits: object) => admin.put(`/v1/users/${id}/authority`, limits);
  t.like(bodyOf(await set(adjuster, { maxReserve: 500 })), {
    ...{ maxReserve: 500, maxSettlement: null, maxLimit: 0, maxPremium: 0, inherited: false },
  });
  for (const [id, limits, field] of [
    [underwriter, { maxReserve: 500 }, 'maxLimit'],
    [underwriter, { maxLimit: 1000, maxReserve: 500 }, 'maxPremium'],
    [adjuster, {}, 'maxLimit'],
  ] as const) {
    const refused = await set(id, limits);
    t.like(refused, { status: 400, body: { error: 'validation_failed', details: { field, rule: 'required' } } });
  }
  const { id } = bodyOf(await file(), 201);
  bodyOf(await supervisor.post(`/v1/claims/${id}/assign`, { adjusterId: adjuster }));
  const reserve = (indemnity: number) => ({ indemnity, expense: 0, reason: 'Estimate.' });
  const own = house.as('claims_adjuster', adjuster);
  bodyOf(await own.post(`/v1/claims/${id}/reserves`, reserve(500)), 201);
  const beyond = await own.post(`/v1/claims/${id}/reserves`, reserve(500.01));
  t.is(beyond.status, 403);
  t.regex(beyond.body.message, /total reserves on one claim of \$500\.00, and this is \$500\.01/);
});

test('deadlines are announced by the business clock seven days and one day before; missed, they are noted and shown', async (t) => {
  const { file, house, supervisor, today, advance } = await covered(platform);
  const { id } = bodyOf(await file(), 201);
  const admin = house.as('org_admin');
  const { data: clocks } = bodyOf(await admin.get('/v1/compliance/filings', { query: { claimId: id } }));
  const filingId = clocks.find(({ kind }: { kind: string }) => kind === 'claim_ack').id;
  const acknowledgement = { filingId, claimId: id, kind: 'claim_ack', state: 'TX', dueDate: addDays(today, 10) };
  const decision = { ...acknowledgement, kind: 'claim_decision', dueDate: addDays(today, 30) };
  const ofClaim = async () =>
    (await eventsOf(admin, 'compliance.deadline_approaching')).filter(
      (data: { claimId?: string }) => data.claimId === id,
    );
  await advance(addDays(today, 9));
  const announced = [7, 1].map((daysLeft) => ({ ...acknowledgement, daysLeft }));
  t.deepEqual(await ofClaim(), announced);
  t.deepEqual(bodyOf(await supervisor.get(`/v1/claims/${id}`)).missedDeadlines, []);
  await advance(addDays(today, 11));
  t.deepEqual(bodyOf(await supervisor.get(`/v1/claims/${id}`)).missedDeadlines, ['claim_ack']);
  const { data: audited } = bodyOf(await admin.get('/v1/audit', { query: { entity: id } }));
  const missed = audited.find(({ action }: { action: string }) => action === 'claim:deadline');
  t.like(missed, { actor: { id: 'calendar' } });
  bodyOf(await supervisor.post(`/v1/claims/${id}/deny`, { reason: 'Excluded.' }));
  await advance(addDays(today, 40));
  t.deepEqual(await ofClaim(), announced);
  const denied = bodyOf(await supervisor.get(`/v1/claims/${id}`));
  t.like(denied, { missedDeadlines: ['claim_ack'], decisionBy: decision.dueDate, decidedOn: addDays(today, 11) });
});
