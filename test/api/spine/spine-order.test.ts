// The order in which a request is checked, and the errors for paths and methods. Contract 1 "Order of checks".
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { type Spine, startSpine } from './spine-app.ts';

let spine: Spine;

test.before('a spine', async (t) => {
  spine = await startSpine(t);
});

const THING = { name: 'A', amount: 1, on: '2026-03-01' };
const BIG = 'x'.repeat(2 * 1024 * 1024);

test('an unknown path is 404 before anything else, with or without a credential', async (t) => {
  for (const client of [spine.with({}), spine.as('org_admin'), spine.with({ authorization: 'Bearer nonsense' })]) {
    const answer = await client.send('POST', '/v1/nothing', BIG);
    t.is(answer.status, 404);
    t.like(answer.body, { error: 'not_found', details: {} });
  }
  for (const path of ['/things', '/v1/things/', '/v1/Things', '/v1', '/', '/v1/things/a/b/c', '/v1/%E0%A4%A']) {
    t.is((await spine.with({}).get(path)).status, 404, path);
  }
});

test('a known path with another method is 405 with Allow, before the credential is checked', async (t) => {
  const answer = await spine.with({}).send('DELETE', '/v1/things');
  t.is(answer.status, 405);
  t.is(answer.headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
  t.like(answer.body, { error: 'method_not_allowed' });
  const detail = await spine.with({}).put(`/v1/things/${newId('daContract')}`, {});
  t.is(detail.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, PATCH');
});

test('OPTIONS lists what a path allows and needs no credential', async (t) => {
  const answer = await spine.with({}).send('OPTIONS', '/v1/things');
  t.is(answer.status, 204);
  t.is(answer.headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
  t.is(answer.headers.get('access-control-allow-origin'), null);
});

test('HEAD returns what GET does without the body', async (t) => {
  const answer = await spine.as('org_admin').send('HEAD', '/v1/things');
  t.is(answer.status, 200);
  t.is(answer.text, '');
  t.is((await spine.with({}).send('HEAD', '/v1/things')).status, 401);
});

test('a literal segment comes before a parameter', async (t) => {
  t.deepEqual((await spine.as('org_admin').get('/v1/things/special')).body, { special: true });
});

test('no credential is 401, whatever else is wrong', async (t) => {
  for (const path of ['/v1/things?what=ever', `/v1/things/nonsense`, `/v1/things?orgId=nonsense`]) {
    const answer = await spine.with({}).get(path);
    t.is(answer.status, 401);
    t.like(answer.body, { error: 'unauthenticated' });
    t.is(answer.headers.get('www-authenticate'), 'Bearer');
  }
  t.is((await spine.with({ 'content-type': 'text/plain' }).send('POST', '/v1/things', BIG)).status, 401);
});

test('a role without permission is 403 before the body is read', async (t) => {
  const auditor = spine.as('auditor');
  const forbidden = { error: 'forbidden', details: { permission: 'submission:create' } };
  t.like(await auditor.post('/v1/things', { what: 'ever' }), { status: 403, body: forbidden });
  t.like(await auditor.send('POST', '/v1/things', BIG), { status: 403 });
  t.like(await auditor.send('POST', '/v1/things', '{', { headers: { 'content-type': 'text/plain' } }), { status: 403 });
  t.like(await auditor.post('/v1/things', THING, { query: { orgId: newId('organization') } }), { status: 403 });
});

test('the size comes before the content type, the content type before the JSON, the JSON before its fields', async (t) => {
  const admin = spine.as('org_admin');
  const send = (body: string, type: string) =>
    admin.send('POST', '/v1/things', body, { headers: { 'content-type': type } });
  t.like(await send(BIG, 'text/plain'), { status: 413, body: { error: 'payload_too_large' } });
  t.like(await send('{', 'text/plain'), { status: 415, body: { error: 'unsupported_media_type' } });
  t.like(await send('{', 'application/json'), { status: 400, body: { error: 'malformed_json' } });
  t.like(await send('{}', 'application/json'), { status: 400, body: { error: 'validation_failed' } });
});

test('an invalid request is refused before the row is looked up', async (t) => {
  const admin = spine.as('org_admin');
  t.is((await admin.patch(`/v1/things/${newId('daContract')}`, { carrier: 1 })).status, 400);
  t.is((await admin.get(`/v1/things/${newId('daContract')}?x=1`)).status, 400);
  t.is((await admin.patch(`/v1/things/${newId('daContract')}`, { carrier: 'A' })).status, 404);
});

test('an id of another shape or prefix names nothing', async (t) => {
  const admin = spine.as('org_admin');
  const ids = [
    'nonsense',
    newId('policy'),
    'dac_',
    `${newId('daContract')}x`,
    'dac_zzzzzzzzzzzzzzzzzzzzzzzzzz',
    '%00',
    "'--",
  ];
  for (const id of ids) t.like(await admin.get(`/v1/things/${id}`), { status: 404, body: { error: 'not_found' } }, id);
});

test('a row of another organization is 404, one that the caller is not related to is 403', async (t) => {
  const thing = await spine.thingOf(spine.orgId);
  const other = await spine.thingOf(await spine.createOrg());
  t.is((await spine.as('org_admin').get(`/v1/things/${thing.id}`)).status, 200);
  t.is((await spine.as('org_admin').get(`/v1/things/${other.id}`)).status, 404);
  t.like(await spine.as('producer').get(`/v1/things/${thing.id}`), {
    status: 403,
    body: { details: { permission: 'submission:read' } },
  });
  t.is((await spine.as('producer').get(`/v1/things/${other.id}`)).status, 404);
});

test('permission comes before If-Match, and If-Match before the handler', async (t) => {
  const { id } = await spine.thingOf(spine.orgId);
  const stale = { headers: { 'if-match': '"stale"' } };
  t.is((await spine.as('producer').patch(`/v1/things/${id}`, { carrier: 'A' }, stale)).status, 403);
  t.is((await spine.as('org_admin').patch(`/v1/things/${id}`, { carrier: 'A' }, stale)).status, 412);
});

test('an operation without a body needs no content type, and refuses one that means something', async (t) => {
  const { id } = await spine.thingOf(spine.orgId);
  const admin = spine.as('org_admin');
  const act = (body?: string, headers: Record<string, string> = {}) =>
    admin.send('POST', `/v1/things/${id}/act`, body, { headers });
  const json = { 'content-type': 'application/json' };
  t.is((await act()).status, 200);
  t.is((await act('', { 'content-type': 'application/x-www-form-urlencoded' })).status, 200);
  t.is((await act('{}', json)).status, 200);
  t.like(await act('{"preview":true}', json), {
    status: 400,
    body: { details: { field: 'preview', rule: 'unknown_field' } },
  });
  t.like(await act('[]', json), { status: 400, body: { details: { rule: 'type' } } });
  t.is((await act('preview=true', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415);
});

test('an operation of other environments does not exist here', async (t) => {
  t.is((await spine.with({}).get('/v1/sandbox-only')).status, 404);
});
