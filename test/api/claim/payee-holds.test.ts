import test from 'ava';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Covered, covered } from './claim-calls.ts';

let platform: Platform;
let listed = '';

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
  const [entry] = await platform.database.acrossOrgs('a name on the list', (em) =>
    em.execute<{ name: string }[]>('select name from sanctions_entries limit 1'),
  );
  listed = entry?.name ?? '';
});

async function reservedClaim({ file, supervisor }: Covered, changes = {}) {
  const { id } = bodyOf(await file(changes), 201);
  const path = `/v1/claims/${id}`;
  bodyOf(await supervisor.post(`${path}/investigate`, {}));
  bodyOf(await supervisor.post(`${path}/reserves`, { indemnity: 5000, expense: 500, reason: 'Estimate.' }), 201);
  return { id, path };
}

test('a claim shows a held payee and the roles that may clear them; compliance clears the name, and the offer is approved and paid', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house, today } = policy;
  const compliance = house.as('compliance_officer');
  const deposit = { carrier: 'Default Carrier', amount: 10_000, reference: 'Wire 1' };
  bodyOf(await house.as('billing_admin').post('/v1/loss-funds/deposits', deposit), 201);
  const { id, path } = await reservedClaim(policy);
  const offered = bodyOf(await supervisor.post(`${path}/settle`, { amount: 400, payee: listed }), 201);
  const [held] = offered.heldPayees;
  const clearableBy = ['org_admin', 'compliance_officer'];
  const { id: holdId, ...shown } = held;
  t.deepEqual(shown, { code: 'SANCTIONS_REVIEW', step: 'offer', payee: listed, heldOn: today, clearableBy });
  const { data } = bodyOf(await compliance.get(`${path}/payee-holds`));
  t.like(data, [{ id: holdId, status: 'held', payee: listed, clearableBy, matches: [{ name: listed, score: 100 }] }]);
  const clear = `${path}/payee-holds/${holdId}/clear`;
  const body = { reason: 'Another date of birth.' };
  for (const role of ['claims_supervisor', 'claims_adjuster', 'auditor', 'underwriter']) {
    t.is((await house.as(role).post(clear, body)).status, 403, role);
  }
  t.like(await compliance.post(clear, {}), { status: 400, body: { details: { field: 'reason', rule: 'required' } } });
  t.is((await house.as('org_admin').post(clear.replace(holdId, `phd_${holdId.slice(4, -3)}zzz`), body)).status, 404);
  const cleared = bodyOf(await compliance.post(clear, body));
  t.like(cleared, { status: 'cleared', clearedBy: 'usr_test_compliance_officer', clearedOn: today });
  t.like(await compliance.post(clear, body), { status: 422, body: { error: 'invalid_state_transition' } });
  t.is((await compliance.get(path)).status, 403, 'and the claim itself stays closed to compliance');
  t.like(bodyOf(await supervisor.get(path)), { heldPayees: [], settlement: { blockers: [] } });
  const admin = house.as('org_admin');
  bodyOf(await admin.post(`${path}/settle/approve`));
  const isPaid = async () => bodyOf(await supervisor.get(`${path}/payments`)).data[0]?.status === 'paid';
  await eventually(isPaid, { what: 'the settlement to be paid' });
  const timeline = bodyOf(await supervisor.get(`${path}/timeline`)).data;
  t.deepEqual(
    timeline.slice(-4).map(({ action, note }: Record<string, unknown>) => [action, note]),
    [
      ['settle', null],
      ['hold_payee', null],
      ['clear_payee', body.reason],
      ['approve', null],
    ],
  );
  const { data: audit } = bodyOf(await admin.get('/v1/audit', { query: { entity: id } }));
  const row = audit.find(({ action }: { action: string }) => action === 'claim:clear_payee');
  t.is(row.actor.id, 'usr_test_compliance_officer');
});

test('a payment to a listed payee is refused and held; on a protected claim compliance neither sees nor clears the name', async (t) => {
  const policy = await covered(platform);
  const { supervisor, house } = policy;
  const admin = house.as('org_admin');
  const { id, path } = await reservedClaim(policy, { containsPhi: true });
  const bill = { kind: 'expense', amount: 100, payee: listed, reference: 'Bill 7' };
  const refused = await supervisor.post(`${path}/payments`, bill);
  t.like(refused, { status: 422, body: { error: 'not_ready', details: { blockers: ['SANCTIONS_REVIEW'] } } });
  const [held] = bodyOf(await supervisor.get(path)).heldPayees;
  t.like(held, { step: 'payment', payee: listed, clearableBy: ['org_admin'] });
  const [redacted] = bodyOf(await house.as('auditor').get(path)).heldPayees;
  t.false('payee' in redacted);
  const clear = `${path}/payee-holds/${held.id}/clear`;
  for (const role of ['compliance_officer', 'auditor']) {
    t.is((await house.as(role).get(`${path}/payee-holds`)).status, 403, role);
  }
  t.is((await house.as('compliance_officer').post(clear, { reason: 'A namesake.' })).status, 403);
  const headers = { 'Idempotency-Key': 'clear-1' };
  for (const _ of ['once', 'again']) {
    t.is(bodyOf(await admin.post(clear, { reason: 'A namesake.' }, { headers })).payee, listed);
  }
  const { data: audit } = bodyOf(await admin.get('/v1/audit', { query: { entity: id } }));
  const reads = audit.filter(
    ({ action, actor }: { action: string; actor: { role: string } }) =>
      action === 'claim:read_phi' && actor.role === 'org_admin',
  );
  t.is(reads.length, 2, 'the repetition shows the name too');
  bodyOf(await supervisor.post(`${path}/payments`, bill), 201);
  t.deepEqual(bodyOf(await supervisor.get(path)).heldPayees, []);
});
