import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { addDays } from '../../../domain/dates.ts';
import { allPages, bodyOf, EFFECTIVE_DATE } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured } from '../policy/policy-calls.ts';
import { covered, coveredForAMonth, notice } from './claim-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a first notice of loss returns 201 with everything sent, the coverage on that day and its deadlines', async (t) => {
  const { file, supervisor, house, policyId, today } = await covered(platform);
  const sent = notice(policyId, today);
  const filed = await file(sent);
  t.is(filed.status, 201);
  const { id, claimNumber, claimant, ...rest } = filed.body;
  t.regex(id, /^clm_[0-9a-z]{26}$/);
  t.regex(claimNumber, new RegExp(`^CLM-${today.slice(0, 4)}-000001$`));
  const { claimant: _, ...plain } = sent;
  t.like(rest, { ...plain, status: 'reported', orgId: house.orgId, version: 1, redacted: false, containsPhi: false });
  t.deepEqual(claimant, { ...sent.claimant, phone: null });
  t.deepEqual(rest.coverage, { status: 'active', limit: 1_000_000, aggregateLimit: 2_000_000, deductible: 0 });
  t.deepEqual(rest.coverageFlags, []);
  const none = { indemnity: 0, expense: 0, total: 0 };
  t.like(rest, { reserves: none, paid: none, incurred: 0, settlement: null, denial: null, closedAt: null });
  // Texas has no deadlines of its own: ten and thirty days.
  t.like(rest, { reportedDate: today, acknowledgeBy: addDays(today, 10), decisionBy: addDays(today, 30) });
  t.is(rest.adjusterId, null);
  const read = await supervisor.get(`/v1/claims/${id}`);
  t.deepEqual(read.body, filed.body);
  t.is(read.headers.get('etag'), filed.headers.get('etag'));

  const events = bodyOf(await house.as('org_admin').get('/v1/events', { query: { type: 'claim.filed' } })).data;
  t.deepEqual(
    events.map(({ data }: { data: object }) => data),
    [{ claimId: id, claimNumber, policyId, status: 'reported' }],
  );
});

test("a claimant's telephone number must be a valid one", async (t) => {
  const { file } = await covered(platform);
  const claimant = { name: 'Ada Guest', phone: '(512) 555-0111 ext. 4' };
  t.like(bodyOf(await file({ claimant }), 201).claimant, claimant);
  const refused = { status: 400, body: { details: { field: 'claimant.phone', rule: 'format' } } };
  for (const phone of ['none', '555', '5125550111 or 0112']) {
    t.like(await file({ claimant: { ...claimant, phone } }), refused, phone);
  }
});

test('a policy is named by its id or its number; by neither, by both or by an unknown one is refused with 400', async (t) => {
  const { file, read, today, policyId } = await covered(platform);
  const { policyNumber } = await read();
  const byNumber = bodyOf(await file({ policyId: undefined, policyNumber }), 201);
  t.like(byNumber, { policyId, policyNumber });
  const refusals: [object, object][] = [
    [{ policyId: undefined }, { field: 'policyId', rule: 'required' }],
    [{ policyNumber }, { field: 'policyNumber', rule: 'unknown_field' }],
    [{ policyId: newId('policy') }, { field: 'policyId', rule: 'unknown_reference' }],
    [
      { policyId: undefined, policyNumber: 'GL-TX-1999-000001' },
      { field: 'policyNumber', rule: 'unknown_reference' },
    ],
    [{ lossDate: addDays(today, 1) }, { field: 'lossDate', rule: 'max' }],
  ];
  for (const [changes, details] of refusals) {
    t.like(await file(changes), { status: 400, body: { error: 'validation_failed', details } });
  }
});

test('a loss is filed on the term that contains its day, whichever term was named', async (t) => {
  const first = await coveredForAMonth(platform);
  await first.advance(addDays(first.expirationDate, -30));
  const renewed = bodyOf(await first.change('renew'), 201);
  await first.advance(addDays(first.expirationDate, 5));
  const lossDates = { [first.policyId]: addDays(first.expirationDate, -1), [renewed.policyId]: first.expirationDate };
  for (const [policyId, lossDate] of Object.entries(lossDates)) {
    for (const named of [first.policyId, renewed.policyId]) {
      const claim = bodyOf(await first.file({ policyId: named, lossDate }), 201);
      t.is(claim.policyId, policyId);
      t.false(claim.coverageFlags.includes('loss_outside_term'));
    }
  }
});

test('a notice is never refused for coverage: doubtful coverage is flagged', async (t) => {
  const pending = await insured(platform);
  const early = notice(pending.policyId, addDays(EFFECTIVE_DATE, -10));
  const before = bodyOf(await pending.house.as('claims_supervisor').post('/v1/claims', early), 201);
  t.deepEqual(before.coverageFlags, ['loss_outside_term', 'policy_pending']);
  t.deepEqual(before.coverage, { status: null, limit: null, aggregateLimit: null, deductible: null });

  const policy = await coveredForAMonth(platform);
  const { today, file } = policy;
  const half = { effectiveDate: addDays(today, -10), changes: { requestedLimit: 500_000, deductible: 2500 } };
  bodyOf(await policy.change('endorse', half), 201);
  t.like(bodyOf(await file({ lossDate: addDays(today, -11) }), 201), {
    coverageFlags: [],
    coverage: { limit: 1_000_000 },
  });
  const reduced = bodyOf(await file({ lossDate: addDays(today, -10) }), 201);
  t.deepEqual(reduced.coverageFlags, ['limit_reduced']);
  t.deepEqual(reduced.coverage, { status: 'active', limit: 500_000, aggregateLimit: 1_000_000, deductible: 2500 });
  const on = addDays(today, 10);
  bodyOf(await policy.change('cancel', { effectiveDate: on, reason: 'insured_request' }), 201);
  await policy.advance(addDays(on, 25));
  const cancelled = bodyOf(await file({ lossDate: on }), 201);
  t.deepEqual(cancelled.coverageFlags, ['policy_cancelled', 'limit_reduced']);
  const late = bodyOf(await file({ lossDate: addDays(on, -6) }), 201);
  t.deepEqual(late.coverageFlags, ['limit_reduced', 'late_report']);
});

test('a change that reaches back to the day of the loss changes the coverage of open claims, and their history says so', async (t) => {
  const policy = await coveredForAMonth(platform);
  const { today, file, supervisor, change } = policy;
  const open = bodyOf(await file({ lossDate: addDays(today, -2) }), 201);
  const closed = bodyOf(await file({ lossDate: addDays(today, -2), cause: 'Fire' }), 201);
  bodyOf(await supervisor.post(`/v1/claims/${closed.id}/close`, { outcome: 'no_payment' }));
  const half = { effectiveDate: addDays(today, -5), changes: { requestedLimit: 500_000 } };
  bodyOf(await change('endorse', half), 201);
  const lowered = bodyOf(await supervisor.get(`/v1/claims/${open.id}`));
  t.like(lowered, { coverageFlags: ['limit_reduced'], coverage: { limit: 500_000 }, version: open.version + 1 });
  bodyOf(await change('cancel', { effectiveDate: addDays(today, -3), reason: 'insured_request' }), 201);
  const cancelled = bodyOf(await supervisor.get(`/v1/claims/${open.id}`));
  t.deepEqual(cancelled.coverageFlags, ['policy_cancelled', 'limit_reduced']);
  const timeline = bodyOf(await supervisor.get(`/v1/claims/${open.id}/timeline`)).data;
  t.deepEqual(
    timeline.map(({ action }: { action: string }) => action),
    ['file', 'recheck', 'recheck'],
  );
  t.deepEqual(timeline[1].changes.coverage.before.limit, 1_000_000);
  t.deepEqual(timeline[1].changes.coverage.after.limit, 500_000);
  t.deepEqual(timeline[2].changes.coverageFlags.after, ['policy_cancelled', 'limit_reduced']);
  t.deepEqual(bodyOf(await supervisor.get(`/v1/claims/${closed.id}`)).coverageFlags, []);
  const reopened = bodyOf(await supervisor.post(`/v1/claims/${closed.id}/reopen`, { reason: 'More was heard.' }));
  t.deepEqual(reopened.coverageFlags, ['policy_cancelled', 'limit_reduced']);
});

test('a limit lowered from the first day of the term is flagged, even after the notice', async (t) => {
  const { today, file, supervisor, change } = await covered(platform);
  const { id, coverageFlags } = bodyOf(await file(), 201);
  t.deepEqual(coverageFlags, []);
  bodyOf(await change('endorse', { effectiveDate: today, changes: { requestedLimit: 500_000 } }), 201);
  const lowered = bodyOf(await supervisor.get(`/v1/claims/${id}`));
  t.like(lowered, { coverageFlags: ['limit_reduced'], coverage: { limit: 500_000 } });
});

test('a second notice of the same loss is taken in, names the first and is flagged; another cause or claimant is another loss', async (t) => {
  const { file } = await covered(platform);
  const first = bodyOf(await file(), 201);
  const again = bodyOf(await file({ cause: ' slip and FALL', claimant: { name: 'ADA GUEST' } }), 201);
  t.like(again, { duplicateOf: first.id, coverageFlags: ['possible_duplicate'] });
  for (const changes of [{ cause: 'Fire' }, { claimant: { name: 'Bo Guest' } }, { claimant: undefined }]) {
    t.is(bodyOf(await file(changes), 201).duplicateOf, null);
  }
});

test('an adjuster without access to the first notice sees that there is one, and not which', async (t) => {
  const { house, file } = await covered(platform);
  const { id: first } = bodyOf(await file(), 201);
  const adjuster = house.as('claims_adjuster', 'usr_of_the_second');
  t.is((await adjuster.get(`/v1/claims/${first}`)).status, 403);
  const second = await file({}, adjuster);
  t.like(bodyOf(second, 201), { duplicateOf: null, coverageFlags: ['possible_duplicate'] });
  const { id } = second.body;
  for (const path of [`/v1/claims/${id}`, `/v1/claims/${id}/timeline`, '/v1/claims']) {
    t.false((await adjuster.get(path)).text.includes(first), path);
  }
  t.like(bodyOf(await house.as('claims_supervisor').get(`/v1/claims/${id}`)), { duplicateOf: first });
});

test('the same Idempotency-Key files one claim and returns the same response again, even with protected values', async (t) => {
  const { supervisor, policyId, today } = await covered(platform);
  const headers = { 'Idempotency-Key': 'the same twice' };
  const body = { ...notice(policyId, today), containsPhi: true };
  const first = await supervisor.post('/v1/claims', body, { headers });
  const second = await supervisor.post('/v1/claims', body, { headers });
  t.deepEqual([first.status, second.status], [201, 201]);
  t.deepEqual(second.body, first.body);
  t.is(second.headers.get('idempotent-replayed'), 'true');
  t.is((await allPages(supervisor, '/v1/claims')).length, 1);
});

test('the list filters by status, adjuster, policy and loss date, and finds numbers and the names of insured and claimant', async (t) => {
  const { file, supervisor, today, policyId, read } = await covered(platform);
  const { policyNumber, insuredName } = await read();
  const old = bodyOf(await file({ lossDate: addDays(today, -20) }), 201);
  const fresh = bodyOf(await file({ lossDate: today }), 201);
  bodyOf(await supervisor.post(`/v1/claims/${fresh.id}/investigate`, { adjusterId: 'usr_of_the_list' }));
  const found = async (query: Record<string, string>) =>
    (await allPages(supervisor, '/v1/claims', query)).map(({ id }) => id);
  t.deepEqual(await found({}), [fresh.id, old.id]);
  t.deepEqual(await found({ status: 'investigating' }), [fresh.id]);
  t.deepEqual(await found({ adjusterId: 'usr_of_the_list' }), [fresh.id]);
  t.deepEqual(await found({ policyId }), [fresh.id, old.id]);
  t.deepEqual(await found({ lossTo: addDays(today, -20) }), [old.id]);
  t.deepEqual(await found({ lossFrom: addDays(today, -19) }), [fresh.id]);
  t.deepEqual(await found({ q: old.claimNumber }), [old.id]);
  for (const q of [policyNumber, insuredName.toUpperCase()]) t.deepEqual(await found({ q }), [fresh.id, old.id]);
  const named = bodyOf(await file({ claimant: { name: 'Zoe Visitor', email: 'zoe@mail.example' } }), 201);
  const hidden = { claimant: { name: 'Zoe Visitor' }, containsPhi: true, cause: 'Fire' };
  bodyOf(await file(hidden), 201);
  t.deepEqual(await found({ q: 'zoe visit' }), [named.id]);
  for (const q of ['wet floor', 'zoe@mail', 'Slip', 'Zoe%Visitor']) t.deepEqual(await found({ q }), [], q);
  const [listed] = bodyOf(await supervisor.get('/v1/claims')).data;
  for (const field of ['description', 'claimant', 'cause', 'reportedBy', 'lossLocation'])
    t.false(field in listed, field);
});
