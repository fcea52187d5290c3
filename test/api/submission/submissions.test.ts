import test, { type ExecutionContext } from 'ava';
import { newId } from '../../../db/ids.ts';
import { allPages, bodyOf, bound, EFFECTIVE_DATE, newHouse, quoted, risk, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a new submission returns 201, triaged, with everything that was sent, and reads the same afterwards', async (t) => {
  const house = await newHouse(platform);
  const underwriter = house.as('underwriter');
  const sent = risk({
    producerId: await house.addProducer(),
    insuredEmail: 'office@example.com',
    insuredPhone: '+1 512 555 0100',
    insuredAddress: { line1: '1 Congress Ave', city: 'Austin', state: 'TX', postalCode: '78701' },
    deductible: 1000.5,
    yearsInBusiness: 7,
    usdotNumber: '1234567',
    description: 'Diner with two dining rooms.',
  });
  const created = await underwriter.post('/v1/submissions', sent);
  t.is(created.status, 201);
  const { id, triage, insuredAddress, ...rest } = created.body;
  t.regex(id, /^sub_[0-9a-z]{26}$/);
  t.like(rest, { ...sent, insuredAddress: undefined, status: 'triaged', orgId: house.orgId, version: 1, quote: null });
  t.like(rest, { policyId: null, missingFields: [], referralIds: [], clearance: { duplicateOf: null } });
  t.deepEqual(insuredAddress, {
    line1: '1 Congress Ave',
    line2: null,
    city: 'Austin',
    state: 'TX',
    postalCode: '78701',
  });
  // D §3.8 by hand: appetite 22, completeness 20, losses 12, size 10, limit 10, state 5, lead 5, producer 5.
  t.is(triage.score, 89);
  t.is(triage.band, 'auto_quote');
  t.is(sum(triage.factors.map((factor: { points: number }) => factor.points)), 89);

  const read = await underwriter.get(`/v1/submissions/${id}`);
  t.is(read.status, 200);
  t.deepEqual(read.body, created.body);
  t.is(read.headers.get('etag'), created.headers.get('etag'));
});

test('the same Idempotency-Key creates one submission and returns the same response again', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const headers = { 'Idempotency-Key': 'the same twice' };
  const body = risk();
  const first = await client.post('/v1/submissions', body, { headers });
  const second = await client.post('/v1/submissions', body, { headers });
  t.deepEqual([first.status, second.status], [201, 201]);
  t.deepEqual(second.body, first.body);
  t.is(second.headers.get('idempotent-replayed'), 'true');
  t.is((await allPages(client, '/v1/submissions')).length, 1);
});

test('a second submission of the same risk is taken in and names the first', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const first = await submit(client, { insuredName: 'Harbor Lights, Inc.' });
  const second = await submit(client, { insuredName: 'HARBOR LIGHTS' });
  t.is(second.clearance.duplicateOf, first.id);
  t.is(second.status, 'triaged');
});

test('a correction that changes the risk supersedes the quote; one of the contact leaves it standing', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { submissionId, id } = await quoted(client);
  const path = `/v1/submissions/${submissionId}`;
  const contact = bodyOf(await client.patch(path, { insuredPhone: '+1 512 555 0199' }));
  t.like(contact, { status: 'quoted', insuredPhone: '+1 512 555 0199', quote: { id, status: 'quoted' } });
  const changed = bodyOf(await client.patch(path, { annualRevenue: 2_000_000 }));
  t.like(changed, { status: 'triaged', annualRevenue: 2_000_000, quote: { id, status: 'superseded' } });
  t.true(changed.version > contact.version);
});

test('a write with an outdated If-Match is refused with 412 and changes nothing', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { id } = await submit(client);
  const path = `/v1/submissions/${id}`;
  const etag = (await client.get(path)).headers.get('etag') ?? '';
  const first = await client.patch(path, { description: 'First.' }, { headers: { 'If-Match': etag } });
  t.is(first.status, 200);
  t.not(first.headers.get('etag'), etag);
  const second = await client.patch(path, { description: 'Second.' }, { headers: { 'If-Match': etag } });
  t.is(second.status, 412);
  t.is(second.body.error, 'precondition_failed');
  const read = await client.get(path);
  t.is(read.body.description, 'First.');
  t.is(read.headers.get('etag'), first.headers.get('etag'));
});

test('one of five simultaneous writes with one If-Match is taken and four are refused with 412', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const { id } = await submit(client);
  const path = `/v1/submissions/${id}`;
  const etag = (await client.get(path)).headers.get('etag') ?? '';
  const write = (i: number) => client.patch(path, { description: `Writer ${i}.` }, { headers: { 'If-Match': etag } });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(write));
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412]);
  const taken = answers.find(({ status }) => status === 200);
  t.is((await client.get(path)).body.description, taken?.body.description);
});

test('a bind repeated under its key after its response was lost returns its policy, though If-Match and state have moved on', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter', 'usr_of_the_lost_answer');
  const { submissionId } = await quoted(client);
  const path = `/v1/submissions/${submissionId}`;
  const etag = (await client.get(path)).headers.get('etag') ?? '';
  const headers = { 'Idempotency-Key': 'lost answer', 'If-Match': etag };
  const body = { installmentPlan: 'PAY_IN_FULL' };
  const first = await client.post(`${path}/bind`, body, { headers });
  t.is(first.status, 201);
  await platform.database.transaction(house.orgId, (em) =>
    em.execute("update idempotency_keys set state = 'released', status = null, headers = null, body = null"),
  );
  const again = await client.post(`${path}/bind`, body, { headers });
  t.is(again.status, 201);
  t.deepEqual(again.body, first.body);
  t.is(again.headers.get('idempotent-replayed'), null);
});

test('an open submission is withdrawn or declined once, and an ended one allows nothing more', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const withdrawn = await submit(client);
  const reason = 'Insured elsewhere.';
  const gone = bodyOf(await client.post(`/v1/submissions/${withdrawn.id}/withdraw`, { reason }));
  t.like(gone, { status: 'withdrawn', declineReason: null });
  const declined = await submit(client);
  const decline = { reason: 'Outside of our appetite.' };
  const ended = bodyOf(await client.post(`/v1/submissions/${declined.id}/decline`, decline));
  t.like(ended, { status: 'declined', declineReason: decline.reason });
  const audit = bodyOf(await house.as('org_admin').get('/v1/audit', { query: { entity: withdrawn.id } }));
  const [end] = audit.data.filter(({ action }: { action: string }) => action === 'submission:withdraw');
  t.deepEqual(end.changes.at(-1), { field: 'withdrawReason', before: null, after: reason });
  for (const { id, status } of [bodyOf(await client.get(`/v1/submissions/${withdrawn.id}`)), ended]) {
    const steps = { withdraw: undefined, decline, quote: undefined };
    for (const [action, body] of Object.entries(steps)) {
      const refused = await client.post(`/v1/submissions/${id}/${action}`, body);
      t.is(refused.status, 422);
      t.is(refused.body.error, 'invalid_state_transition');
      t.deepEqual(refused.body.details, { resource: 'submission', from: status, action, allowed: [] });
    }
  }
});

test('a body that is neither JSON nor a form is refused with 415', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  for (const type of ['application/xml', 'text/plain']) {
    const refused = await client.send('POST', '/v1/submissions', '%PDF-1.7', { headers: { 'content-type': type } });
    t.is(refused.status, 415);
    t.is(refused.body.error, 'unsupported_media_type');
  }
});

test('each filter of the list shows the rows it describes and no others', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const producerId = await house.addProducer();
  const plain = await submit(client, { insuredName: 'Plain Bakery' });
  const florida = await submit(client, { insuredName: 'Palm Cafe', state: 'FL' });
  const auto = await submit(client, { insuredName: 'Road 100%_Haul', lineOfBusiness: 'CA', naicsCode: '484110' });
  const produced = await submit(client, { insuredName: 'Produced Bakery', producerId });
  const bind = await bound(client, { insuredName: 'Bound Bistro' });
  const today = plain.createdAt.slice(0, 10);
  const all = [bind.submissionId, produced.id, auto.id, florida.id, plain.id];
  await listed(t, client, {}, all);
  await listed(t, client, { status: 'bound' }, [bind.submissionId]);
  await listed(t, client, { state: 'FL' }, [florida.id]);
  await listed(t, client, { lineOfBusiness: 'CA' }, [auto.id]);
  await listed(t, client, { producerId }, [produced.id]);
  await listed(t, client, { producerId: newId('producer') }, []);
  await listed(t, client, { q: 'bakery' }, [produced.id, plain.id]);
  await listed(t, client, { q: '100%_' }, [auto.id]);
  await listed(t, client, { q: '1000' }, []);
  await listed(t, client, { createdFrom: today, createdTo: today }, all);
  await listed(t, client, { createdTo: '2020-01-01' }, []);
  await listed(t, client, { createdFrom: '2190-01-01' }, []);
  await listed(t, client, { q: 'bakery', producerId, state: 'TX' }, [produced.id]);
});

test('pages of any size show every submission exactly once, newest first', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const ids: string[] = [];
  for (let i = 0; i < 7; i += 1) ids.unshift((await submit(client)).id);
  for (const limit of [1, 2, 3, 7, 100]) {
    const rows = await allPages(client, '/v1/submissions', { limit });
    t.deepEqual(
      rows.map(({ id }) => id),
      ids,
    );
  }
});

test('an unknown parameter, a bad page size and a bad cursor are refused with field and rule', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const cases: [query: Record<string, string>, field: string, rule: string][] = [
    [{ colour: 'red' }, 'colour', 'unknown_field'],
    [{ limit: '0' }, 'limit', 'min'],
    [{ limit: '101' }, 'limit', 'max'],
    [{ limit: 'many' }, 'limit', 'type'],
    [{ cursor: 'nonsense' }, 'cursor', 'format'],
    [{ status: 'sleeping' }, 'status', 'enum'],
    [{ createdFrom: '2026-02-30' }, 'createdFrom', 'format'],
  ];
  for (const [query, field, rule] of cases) {
    const refused = await client.get('/v1/submissions', { query });
    t.is(refused.status, 400, JSON.stringify(query));
    t.like(refused.body, { error: 'validation_failed', details: { field, rule } });
  }
});

test('a producer user submits under their own producer, and no other exists for them', async (t) => {
  const house = await newHouse(platform);
  const [own, other] = [await house.addProducer('Own'), await house.addProducer('Other')];
  const producer = await house.asProducer(own);
  t.is((await submit(producer)).producerId, own);
  t.is((await submit(producer, { producerId: own })).producerId, own);
  for (const producerId of [other, newId('producer')]) {
    const refused = await producer.post('/v1/submissions', risk({ producerId }));
    t.is(refused.status, 400);
    t.like(refused.body, { details: { field: 'producerId', rule: 'unknown_reference' } });
  }
  const unknown = await house.as('underwriter').post('/v1/submissions', risk({ producerId: newId('producer') }));
  t.like(unknown.body, { details: { field: 'producerId', rule: 'unknown_reference' } });
  const ofBoth = await house.asProducer(own, other);
  t.like((await ofBoth.post('/v1/submissions', risk())).body, { details: { field: 'producerId', rule: 'required' } });
  t.is((await submit(ofBoth, { producerId: other })).producerId, other);
  const ofNone = house.as('producer');
  t.is((await ofNone.post('/v1/submissions', risk())).status, 403);
});

test('the lists of a producer show exactly the rows they may read one by one', async (t) => {
  const house = await newHouse(platform);
  const [own, other] = [await house.addProducer('Own'), await house.addProducer('Other')];
  const underwriter = house.as('underwriter');
  const mine = await submit(underwriter, { producerId: own });
  const theirs = await submit(underwriter, { producerId: other });
  const nobodys = await submit(underwriter);
  const producer = await house.asProducer(own);
  await listed(t, producer, {}, [mine.id]);
  await listed(t, producer, { producerId: other }, []);
  t.is((await producer.get(`/v1/submissions/${mine.id}`)).status, 200);
  for (const { id } of [theirs, nobodys]) {
    t.is((await producer.get(`/v1/submissions/${id}`)).status, 403);
    t.is((await producer.post(`/v1/submissions/${id}/withdraw`)).status, 403);
  }
  const stranger = house.as('producer');
  await listed(t, stranger, {}, []);
  t.is((await stranger.get(`/v1/submissions/${mine.id}`)).status, 403);
});

test('another organization has no such submission', async (t) => {
  const [house, other] = [await newHouse(platform), await newHouse(platform)];
  const { id } = await submit(house.as('underwriter'));
  const stranger = other.as('org_admin');
  const answers = [
    await stranger.get(`/v1/submissions/${id}`),
    await stranger.patch(`/v1/submissions/${id}`, { description: 'Mine now.' }),
    await stranger.post(`/v1/submissions/${id}/quote`),
    await stranger.post(`/v1/submissions/${id}/bind`, { installmentPlan: 'PAY_IN_FULL' }),
    await stranger.get(`/v1/submissions/${id}/quote-readiness`),
  ];
  for (const answer of answers) t.like(answer, { status: 404, body: { error: 'not_found' } });
  await listed(t, stranger, {}, []);
});

test('a date that does not exist or is out of reach and an amount with fractions of a cent are refused', async (t) => {
  const client = (await newHouse(platform)).as('underwriter');
  const cases: [changes: Record<string, unknown>, field: string, rule: string][] = [
    [{ effectiveDate: '2026-02-29' }, 'effectiveDate', 'format'],
    [{ effectiveDate: `${EFFECTIVE_DATE}T00:00:00Z` }, 'effectiveDate', 'format'],
    [{ effectiveDate: '9999-12-31' }, 'effectiveDate', 'format'],
    [{ annualRevenue: 0.001 }, 'annualRevenue', 'min'],
    [{ annualRevenue: 10.005 }, 'annualRevenue', 'format'],
    [{ annualRevenue: '1000' }, 'annualRevenue', 'type'],
    [{ annualRevenue: 1e300 }, 'annualRevenue', 'max'],
    [{ deductible: -1 }, 'deductible', 'min'],
    [{ state: 'PR' }, 'state', 'enum'],
    [{ lineOfBusiness: 'gl' }, 'lineOfBusiness', 'enum'],
    [{ naicsCode: '7' }, 'naicsCode', 'format'],
    [{ insuredName: '   ' }, 'insuredName', 'min'],
    [{ insuredName: 'x'.repeat(201) }, 'insuredName', 'max'],
    [{ insuredAddress: { line1: 'x', city: 'y', state: 'TX' } }, 'insuredAddress.postalCode', 'required'],
  ];
  for (const [changes, field, rule] of cases) {
    const refused = await client.post('/v1/submissions', risk(changes));
    t.is(refused.status, 400, JSON.stringify(changes));
    t.like(refused.body, { error: 'validation_failed', details: { field, rule } }, JSON.stringify(refused.body));
  }
  const several = await client.post('/v1/submissions', { colour: 'red' });
  t.is(several.body.details.rule, 'required');
  t.is(several.body.details.issues.length, 8);
});

type Client = ReturnType<Platform['as']>;

async function listed(t: ExecutionContext, client: Client, query: Record<string, string>, ids: string[]) {
  const { data } = bodyOf(await client.get('/v1/submissions', { query }));
  t.deepEqual(
    data.map(({ id }: { id: string }) => id),
    ids,
    JSON.stringify(query),
  );
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
