import test from 'ava';
import pg from 'pg';
import { sealAudit } from '../../../db/audit/audit-seal.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { addDays } from '../../../domain/dates.ts';
import { testToday } from '../../support/fixed/today.ts';
import { allPages, bodyOf, bound, newHouse, submit } from '../../support/house.ts';
import { silentLogger } from '../../support/logger.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

// biome-ignore lint/suspicious/noExplicitAny: entries as the wire has them
type Entry = any;

const today = () => testToday();

test('the log lists newest first, in pages, who did what to which entity in which request', async (t) => {
  const house = await newHouse(platform);
  const underwriter = house.as('underwriter', 'usr_the_underwriter');
  const { id } = await submit(underwriter);
  const requestId = `req_${id.slice(4)}`;
  await underwriter.post(`/v1/submissions/${id}/withdraw`, undefined, { headers: { 'x-request-id': requestId } });
  const entries: Entry[] = await allPages(house.as('org_admin'), '/v1/audit', { limit: 1, entity: id });
  t.deepEqual(
    entries.map(({ action }) => action),
    ['submission:withdraw', 'submission:create'],
  );
  const [withdrawn] = entries;
  const ofRequest = await house.as('org_admin').get('/v1/audit', { query: { requestId } });
  t.deepEqual(ofRequest.body.data, [withdrawn]);
  t.like(withdrawn, {
    orgId: house.orgId,
    actor: { kind: 'user', id: 'usr_the_underwriter', role: 'underwriter' },
    entity: { type: 'submission', id },
    requestId,
  });
  t.regex(withdrawn.id, /^aud_/);
  t.regex(withdrawn.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.is('seal' in withdrawn, withdrawn.sealed);
});

test('every changed field is listed with its values before and after', async (t) => {
  const house = await newHouse(platform);
  const { id } = bodyOf(await house.as('org_admin').get('/v1/da-contracts')).data[0];
  bodyOf(await house.as('org_admin').patch(`/v1/da-contracts/${id}`, { maxPremium: 1000 }));
  const [entry] = bodyOf(await house.as('org_admin').get('/v1/audit', { query: { entity: id } })).data;
  t.is(entry.action, 'da_contract:update');
  const { before, after } = entry.changes.find(({ field }: { field: string }) => field === 'maxPremiumCents');
  t.true(before > 100_000);
  t.is(after, 100_000);
});

test('a correction shows what changed and from what, but of personal data only that it changed', async (t) => {
  const house = await newHouse(platform);
  const underwriter = house.as('underwriter');
  const { id } = await submit(underwriter, { insuredEmail: 'old@example.com', lossesLast5Years: 1 });
  const changes = { insuredEmail: 'new@example.com', insuredPhone: '+1 512 555 0123', lossesLast5Years: 4 };
  bodyOf(await underwriter.patch(`/v1/submissions/${id}`, changes));
  const response = await house.as('org_admin').get('/v1/audit', { query: { entity: id } });
  const [corrected, created] = bodyOf(response).data;
  t.deepEqual(corrected.changes.toSorted(byField), [
    { field: 'insuredEmail', before: 'withheld', after: 'withheld' },
    { field: 'insuredPhone', before: null, after: 'withheld' },
    { field: 'lossesLast5Years', before: 1, after: 4 },
  ]);
  const byName = new Map(created.changes.map(({ field, after }: Entry) => [field, after]));
  t.is(byName.get('status'), 'triaged');
  t.is(byName.get('state'), 'TX');
  t.is(byName.get('insuredName'), 'withheld');
  t.notRegex(response.text, /example\.com|Blue Door|512 555/);
});

const byField = (a: Entry, b: Entry) => (a.field < b.field ? -1 : 1);

test('the filters take an actor, an entity or a kind of entity, and days with both ends included', async (t) => {
  const house = await newHouse(platform);
  const bind = await bound(house.as('underwriter', 'usr_a'));
  await submit(house.as('underwriter', 'usr_b'));
  const client = house.as('compliance_officer');
  const list = async (query: Record<string, string>): Promise<Entry[]> => allPages(client, '/v1/audit', query);
  const all = await list({});
  t.is((await list({ actor: 'usr_b' })).length, 1);
  t.is((await list({ actor: 'usr_a' })).length, all.length - 1);
  t.deepEqual(await list({ actor: 'usr_nobody' }), []);
  t.true((await list({ entity: bind.submissionId })).every(({ entity }) => entity.id === bind.submissionId));
  t.deepEqual(
    await list({ entity: 'submission' }),
    all.filter(({ entity }) => entity.type === 'submission'),
  );
  t.deepEqual(await list({ from: today(), to: today() }), all);
  t.deepEqual(await list({ from: addDays(today(), 1) }), []);
  t.deepEqual(await list({ to: addDays(today(), -1) }), []);
  t.deepEqual(
    await list({ actor: 'usr_b', entity: 'submission', from: addDays(today(), -1) }),
    await list({ actor: 'usr_b' }),
  );
});

test('a day of the filter ends at midnight in UTC', async (t) => {
  const house = await newHouse(platform);
  const instants = [
    '2026-02-28T23:59:59.999Z',
    '2026-03-01T00:00:00.000Z',
    '2026-03-01T23:59:59.999Z',
    '2026-03-02T00:00:00.000Z',
  ];
  const actor = { kind: 'user', id: 'usr_x', role: 'underwriter' };
  await platform.database.transaction(house.orgId, async (em) => {
    for (const instant of instants) {
      em.assign(writeAudit(em, { actor, action: 'a:b', entityType: 'x' }), { createdAt: new Date(instant) });
    }
  });
  const query = { actor: 'usr_x', from: '2026-03-01', to: '2026-03-01' };
  const { data } = bodyOf(await house.as('auditor').get('/v1/audit', { query }));
  t.deepEqual(data.map(({ at }: { at: string }) => at).sort(), instants.slice(1, 3));
});

test('a sealed entry names its seal', async (t) => {
  const house = await newHouse(platform);
  await submit(house.as('underwriter'));
  await sealAudit(platform.database, { limit: 100, now: Date.now, logger: silentLogger });
  await submit(house.as('underwriter'));
  const entries: Entry[] = await allPages(house.as('org_admin'), '/v1/audit');
  t.deepEqual(
    entries.map(({ sealed }) => sealed),
    [false, true],
  );
  t.regex(entries[1].seal.hash, /^[0-9a-f]{64}$/);
  t.is(entries[1].seal.sequence, 1);
});

test('administrators, auditors, compliance officers and operators read it; nobody else does, and no key', async (t) => {
  const house = await newHouse(platform);
  for (const role of ['org_admin', 'auditor', 'compliance_officer', 'platform_operator', 'superadmin']) {
    t.is((await house.as(role).get('/v1/audit')).status, 200, role);
  }
  const others = [
    'underwriter',
    'producer',
    'finance_analyst',
    'billing_admin',
    'claims_adjuster',
    'claims_supervisor',
  ];
  for (const role of others) {
    const refused = await house.as(role).get('/v1/audit');
    t.like(refused, { status: 403, body: { details: { permission: 'audit:read' } } }, role);
  }
  const { key } = bodyOf(await house.as('org_admin').post('/v1/api-keys', { name: 'all', scopes: ['*'] }), 201);
  t.is((await platform.as({ apiKey: key }).get('/v1/audit')).status, 403);
  t.is((await platform.anonymous.get('/v1/audit')).status, 401);
});

test("another organization's log is never visible", async (t) => {
  const house = await newHouse(platform);
  const { id } = await submit(house.as('underwriter'));
  const stranger = (await newHouse(platform)).as('org_admin');
  t.deepEqual(bodyOf(await stranger.get('/v1/audit', { query: { entity: id } })).data, []);
  t.is((await stranger.get('/v1/audit', { query: { orgId: house.orgId } })).status, 404);
});

test('a filter that is malformed or unknown is refused', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('org_admin');
  const bad = { from: '2026-02-30', to: 'yesterday', cursor: 'nonsense', limit: '0', actor: '', who: 'usr_x' };
  for (const [field, value] of Object.entries(bad)) {
    const refused = await client.get('/v1/audit', { query: { [field]: value } });
    t.like(refused, { status: 400, body: { error: 'validation_failed', details: { field } } }, field);
  }
});

test('every read by an auditor is one entry of the log: rows, lists, missing rows and the log itself', async (t) => {
  const house = await newHouse(platform);
  const { id } = await submit(house.as('underwriter'));
  const auditor = house.as('auditor', 'usr_the_auditor');
  const answers = [
    await auditor.get(`/v1/submissions/${id}`),
    await auditor.get('/v1/submissions'),
    await auditor.send('HEAD', `/v1/submissions/${id}`),
    await auditor.get('/v1/submissions/sub_01jc000000e008000000000001'),
    await auditor.get('/v1/audit'),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 404, 200],
  );
  const entries: Entry[] = await allPages(house.as('org_admin'), '/v1/audit', { actor: 'usr_the_auditor' });
  t.deepEqual(
    entries.reverse().map(({ action, entity, requestId }) => [action, entity.type, entity.id, requestId]),
    answers.map(({ headers }, index) => [
      ...(index === 4 ? ['audit:read', 'audit'] : ['submission:read', 'submission']),
      [id, null, id, 'sub_01jc000000e008000000000001', null][index],
      headers.get('x-request-id'),
    ]),
  );
  t.deepEqual(entries[0].changes, [{ field: 'call', before: null, after: 'GET /v1/submissions/:id' }]);
});

test('an auditor sees nothing that cannot be recorded, and others read on', async (t) => {
  const house = await newHouse(platform);
  const { id } = await submit(house.as('underwriter'));
  const owner = new pg.Client({ connectionString: platform.testDatabase.ownerUrl });
  await owner.connect();
  t.teardown(() => owner.end());
  await owner.query(`alter table audit_entries add constraint no_more check (org_id <> '${house.orgId}') not valid`);
  const refused = await house.as('auditor').get(`/v1/submissions/${id}`);
  t.true(refused.status >= 500);
  t.false(refused.text.includes(id));
  t.is((await house.as('underwriter').get(`/v1/submissions/${id}`)).status, 200);
});
