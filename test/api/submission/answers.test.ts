// What answers carry besides their body: where to read a new resource, the next page, and the version. Contract 1.
import test from 'ava';
import { Rows } from '../../faults/bind.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, newHouse, risk } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a response says where its resource is read, and a version that the caller has is not sent again', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const headers = { 'Idempotency-Key': 'where is it' };
  const body = risk();
  const created = await client.post('/v1/submissions', body, { headers });
  t.is(created.headers.get('location'), `/v1/submissions/${created.body.id}`);
  const again = await client.post('/v1/submissions', body, { headers });
  t.is(again.headers.get('location'), created.headers.get('location'));
  const path = created.headers.get('location') ?? '';
  const etag = created.headers.get('etag') ?? '';
  const known = await client.get(path, { headers: { 'If-None-Match': `"another", ${etag}` } });
  t.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', etag]);
  t.is((await client.get(path, { headers: { 'If-None-Match': '"another"' } })).status, 200);
  t.is((await house.as('auditor').post('/v1/submissions', risk())).headers.get('location'), null);
});

test('a detail whose kind has no version carries the tag of its contents', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const { batchId } = bodyOf(await admin.post('/v1/renewals/batch', { expiringWithinDays: 30 }), 202);
  const path = `/v1/renewals/batch/${batchId}`;
  const ended = await eventually(
    async () => {
      const answer = await admin.get(path);
      return answer.body.status === 'completed' && answer;
    },
    { what: 'the batch' },
  );
  const etag = ended.headers.get('etag') ?? '';
  t.true(etag.startsWith(`"${batchId}.`));
  t.is((await admin.get(path, { headers: { 'If-None-Match': etag } })).status, 304);
});

test('a resource created in any collection is found where its response says', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const { id: submissionId } = bodyOf(await admin.post('/v1/submissions', risk()), 201);
  const room = await admin.post('/v1/deal-rooms', {
    submissionId,
    participants: [{ userId: 'usr_agent_of_the_room' }],
  });
  const webhook = await admin.post('/v1/webhooks', { url: 'https://example.com/hooks', events: ['policy.bound'] });
  for (const made of [room, webhook]) {
    t.is(made.status, 201, made.text);
    t.is((await admin.get(made.headers.get('location') ?? '')).body.id, made.body.id);
  }
});

test('an Idempotency-Key that is used again after a day makes something new', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const headers = { 'Idempotency-Key': 'used every day' };
  const post = async () => bodyOf(await client.post('/v1/submissions', risk(), { headers }), 201);
  const first = await post();
  const rows = new Rows(platform.testDatabase.ownerUrl);
  await rows.query("update idempotency_keys set expires_at = now() - interval '1 second' where org_id = $1", [
    house.orgId,
  ]);
  const second = await post();
  t.not(second.id, first.id);
  t.is(bodyOf(await client.get(`/v1/submissions/${second.id}`)).insuredName, second.insuredName);
});

test('a list names its next page with the same filters', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  for (const insuredName of ['First Diner', 'Second Diner'])
    await client.post('/v1/submissions', risk({ insuredName }));
  const first = await client.get('/v1/submissions?state=TX&limit=1');
  const [, next = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
  const second = await client.get(next);
  t.deepEqual([first.body.data[0].insuredName, second.body.data[0].insuredName], ['Second Diner', 'First Diner']);
  t.is(new URL(next, 'http://localhost').searchParams.get('state'), 'TX');
  t.is(second.headers.get('link'), null);
});
