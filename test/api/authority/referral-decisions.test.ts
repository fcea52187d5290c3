// Decisions on referrals: by someone other than the requester, within their authority, only once, and what an approval
// does.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { type TestClient, testClient } from '../../support/client.ts';
import { dieOf } from '../../support/fixed/chance.ts';
import { bodyOf, newHouse, quoted, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { decide, referralOf } from './referral-calls.ts';

const BIND = { installmentPlan: 'PAY_IN_FULL' };
const LOSSES = { lossesLast5Years: 3 };

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const submissionOf = async (client: TestClient, id: string) => bodyOf(await client.get(`/v1/submissions/${id}`));

test('an approval by somebody else clears the flags of the quote with its conditions, and the quote can be bound', async (t) => {
  const house = await newHouse(platform);
  const [asking, deciding] = [house.as('underwriter', 'asking'), house.as('underwriter', 'deciding')];
  const quote = await quoted(asking, LOSSES);
  const { submissionId } = quote;
  const id = referralOf(quote);
  t.is((await submissionOf(asking, submissionId)).status, 'referred');
  t.like(await decide(asking, id, 'approve'), { status: 403, body: { details: { reason: 'own_request' } } });
  t.like((await asking.post(`/v1/submissions/${submissionId}/bind`, BIND)).body, {
    error: 'delegated_authority_exceeded',
  });

  const conditions = ['An inspection within 30 days.'];
  const approved = bodyOf(await decide(deciding, id, 'approve', { notes: 'Known for years.', conditions }));
  t.like(approved, { status: 'approved', decidedBy: 'deciding', notes: 'Known for years.', conditions });
  const submission = await submissionOf(asking, submissionId);
  t.like(submission, { status: 'quoted', quote: { id: quote.id, status: 'quoted', bindable: true, conditions } });
  t.like(submission.quote.daFlags[0], { code: 'DA_LOSS_HISTORY', clearedBy: 'deciding', referralId: id });
  t.truthy(submission.quote.daFlags[0].clearedAt);
  for (const decision of ['approve', 'reject', 'request_info']) {
    const again = await decide(deciding, id, decision, { notes: 'Once more.' });
    t.like(again, { status: 422, body: { error: 'invalid_state_transition', details: { from: 'approved' } } });
  }
  bodyOf(await asking.post(`/v1/submissions/${submissionId}/bind`, BIND), 201);
});

test('the creator of an API key cannot decide on its requests nor answer their own question by it, and another caller gets a response with another tag', async (t) => {
  const house = await newHouse(platform);
  const [maker, other] = [house.as('org_admin', newId('user')), house.as('org_admin', newId('user'))];
  const scopes = ['submissions:write', 'referrals:write'];
  const { id: keyId, key, createdBy } = bodyOf(await maker.post('/v1/api-keys', { name: 'CI', scopes }), 201);
  const client = testClient(platform.url, async () => ({ 'x-api-key': key }));
  const byQuote = referralOf(await quoted(client, LOSSES));
  const { id: submissionId } = await submit(client);
  const presented = bodyOf(await client.post('/v1/referrals', { submissionId, reason: 'Old kitchen.' }), 201);
  for (const id of [byQuote, presented.id]) {
    const path = `/v1/referrals/${id}`;
    const seen = await maker.get(path);
    t.like(bodyOf(seen), { mayDecide: false, requestedBy: keyId, requesters: [keyId, createdBy] });
    t.like(await decide(maker, id, 'approve'), { status: 403, body: { details: { reason: 'own_request' } } });
    const headers = { 'if-none-match': seen.headers.get('etag') ?? '' };
    t.is((await maker.get(path, { headers })).status, 304);
    t.like(await other.get(path, { headers }), { status: 200, body: { mayDecide: true } });
  }
  t.deepEqual(bodyOf(await maker.get('/v1/referrals', { query: { decidableBy: 'me' } })).data, []);
  const headers = { 'if-match': (await maker.get(`/v1/referrals/${byQuote}`)).headers.get('etag') ?? '' };
  const approved = await other.post(`/v1/referrals/${byQuote}/decision`, { decision: 'approve' }, { headers });
  t.is(bodyOf(approved).status, 'approved');

  const ofOther = referralOf(await quoted(other, LOSSES));
  bodyOf(await decide(maker, ofOther, 'request_info', { notes: 'Which losses?' }));
  const answered = await client.post(`/v1/referrals/${ofOther}/answer`, { answer: 'Small ones.' });
  t.like(answered, { status: 403, body: { details: { reason: 'own_question' } } });
});

test('a question has its text, only an approval has conditions, and a room is about the same submission', async (t) => {
  const house = await newHouse(platform);
  const [asking, deciding] = [house.as('underwriter', 'asking'), house.as('underwriter', 'deciding')];
  const id = referralOf(await quoted(asking, LOSSES));
  for (const [decision, more, field] of [
    ['reject', { conditions: ['A sprinkler.'] }, 'conditions'],
    ['request_info', { notes: 'Why?', conditions: ['A sprinkler.'] }, 'conditions'],
  ] as const) {
    t.like(await decide(deciding, id, decision, more), { status: 400, body: { details: { field } } });
  }
  const [{ id: submissionId }, { id: another }] = [await submit(asking), await submit(asking)];
  const roomOf = async (about: string) =>
    bodyOf(await asking.post('/v1/deal-rooms', { submissionId: about, participants: [] }), 201).id;
  const [dealRoomId, roomOfAnother] = [await roomOf(submissionId), await roomOf(another)];
  const body = { submissionId, reason: 'The kitchen is very old.' };
  t.like(await asking.post('/v1/referrals', { ...body, dealRoomId: roomOfAnother }), {
    ...{ status: 400, body: { details: { field: 'dealRoomId', rule: 'unknown_reference' } } },
  });
  t.is(bodyOf(await asking.post('/v1/referrals', { ...body, dealRoomId }), 201).dealRoomId, dealRoomId);
});

test('nobody decides above their own authority, nor an underwriter without one above the contract', async (t) => {
  const house = await newHouse(platform);
  const asking = house.as('underwriter', 'asking');
  const id = referralOf(await quoted(asking, { requestedLimit: 5_000_000 }));
  const own = { maxLimitCents: 100_000_000, maxPremiumCents: 10_000_000, linesOfBusiness: null };
  for (const [client, limit] of [
    [await house.asUnderwriter(own), 1_000_000],
    [house.as('underwriter', 'deciding'), 2_000_000],
  ] as const) {
    const refused = await decide(client, id, 'approve');
    t.like(refused, { status: 403, body: { error: 'forbidden' } });
    t.like(refused.body.details, { permission: 'referral:decide', limit, actual: 5_000_000 });
    t.false(bodyOf(await client.get(`/v1/referrals/${id}`)).mayDecide);
  }
  t.is((await decide(house.as('auditor'), id, 'approve')).status, 403);
  t.is((await decide((await newHouse(platform)).as('org_admin'), id, 'approve')).status, 404);
  t.is(bodyOf(await decide(house.as('org_admin'), id, 'approve')).status, 'approved');
});

test('an uncleared flag still prevents the bind, and a lowered authority of the organization counts at the bind', async (t) => {
  const house = await newHouse(platform);
  const [client, admin] = [house.as('underwriter'), house.as('org_admin')];
  const prohibited = await quoted(client, { ...LOSSES, naicsCode: '713990' });
  t.true(prohibited.daFlags.some(({ code }: { code: string }) => code === 'DA_CLASS_PROHIBITED'));
  bodyOf(await decide(admin, referralOf(prohibited), 'approve'));
  const { quote } = await submissionOf(client, prohibited.submissionId);
  t.deepEqual(
    quote.daFlags
      .filter((flag: { clearedAt: string | null }) => flag.clearedAt === null)
      .map(({ code }: { code: string }) => code),
    ['DA_CLASS_PROHIBITED'],
  );
  t.false(quote.bindable);
  const path = (submissionId: string) => `/v1/submissions/${submissionId}/bind`;
  t.is((await client.post(path(prohibited.submissionId), BIND)).status, 422);

  const losses = await quoted(client, LOSSES);
  bodyOf(await decide(admin, referralOf(losses), 'approve'));
  const [contract] = bodyOf(await admin.get('/v1/da-contracts')).data;
  bodyOf(await admin.patch(`/v1/da-contracts/${contract.id}`, { maxPolicyLimit: 500_000 }));
  const refused = await client.post(path(losses.submissionId), BIND);
  t.like(refused, { status: 422, body: { error: 'delegated_authority_exceeded' } });
  t.true(refused.body.details.daFlags.some(({ code }: { code: string }) => code === 'DA_LIMIT_EXCEEDED'));
});

test('somebody else answers a question before the decision, and a rejection declines the submission', async (t) => {
  const house = await newHouse(platform);
  const [asking, deciding] = [house.as('underwriter', 'asking'), house.as('underwriter', 'deciding')];
  const quote = await quoted(asking, LOSSES);
  const id = referralOf(quote);
  const questioned = bodyOf(await decide(deciding, id, 'request_info', { notes: 'Which losses?' }));
  t.like(questioned, { status: 'info_requested', decidedBy: null });
  t.is((await decide(deciding, id, 'request_info', { notes: 'And when?' })).status, 422);
  const own = await deciding.post(`/v1/referrals/${id}/answer`, { answer: 'It will be fine.' });
  t.like(own, { status: 403, body: { error: 'forbidden', details: { reason: 'own_question' } } });
  const answered = bodyOf(await asking.post(`/v1/referrals/${id}/answer`, { answer: 'Three broken windows.' }));
  t.like(answered, { status: 'pending' });
  const remarks = answered.remarks.map(({ kind, by, text }: Record<string, string>) => [kind, by, text]);
  t.deepEqual(remarks, [
    ['question', 'deciding', 'Which losses?'],
    ['answer', 'asking', 'Three broken windows.'],
  ]);
  t.is((await asking.post(`/v1/referrals/${id}/answer`, { answer: 'And a door.' })).status, 422);
  const unspoken = bodyOf(await decide(deciding, id, 'request_info'));
  t.regex(unspoken.remarks.at(-1).text, /information/);
  bodyOf(await asking.post(`/v1/referrals/${id}/answer`, { answer: 'Photographs are attached.' }));
  const stale = { headers: { 'If-Match': `"${id}-1"` } };
  t.is((await deciding.post(`/v1/referrals/${id}/decision`, { decision: 'approve' }, stale)).status, 412);
  bodyOf(await decide(deciding, id, 'reject', { notes: 'Too many.' }));
  t.like(await submissionOf(asking, quote.submissionId), { status: 'declined', quote: { status: 'superseded' } });
});

test('a person opens one referral at most, gives the reason of one that a quote has opened, and a bind withdraws it', async (t) => {
  const house = await newHouse(platform);
  const [one, other] = [house.as('underwriter', 'one'), house.as('underwriter', 'other')];
  const { id: submissionId } = await submit(one);
  const body = { submissionId, reason: 'The kitchen is very old.' };
  const opened = bodyOf(await one.post('/v1/referrals', body), 201);
  t.like(opened, { ...body, status: 'pending', requestedBy: 'one', daFlags: [], policyId: null });
  t.like(opened.figures, { limit: 1_000_000, premium: 3990, lineOfBusiness: 'GL' });
  const second = await other.post('/v1/referrals', body);
  t.like(second, { status: 409, body: { error: 'already_exists', details: { referralId: opened.id } } });
  bodyOf(await other.post(`/v1/submissions/${submissionId}/quote`), 201);
  const moved = bodyOf(await one.get(`/v1/referrals/${opened.id}`));
  t.like(moved, { status: 'pending', requesters: ['one', 'other'], figures: { premium: 3990 } });
  bodyOf(await one.post(`/v1/submissions/${submissionId}/bind`, BIND), 201);
  t.is(bodyOf(await one.get(`/v1/referrals/${opened.id}`)).status, 'withdrawn');
  t.is((await one.post('/v1/referrals', body)).status, 422);

  const quote = await quoted(one, LOSSES);
  const joined = bodyOf(await other.post('/v1/referrals', { ...body, submissionId: quote.submissionId }), 201);
  t.like(joined, { id: referralOf(quote), reason: body.reason, requesters: ['one', 'other'] });
  t.is((await decide(other, joined.id, 'approve')).status, 403);
  for (const wrong of [{ reason: 'x' }, { ...body, policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha' }]) {
    t.is((await one.post('/v1/referrals', wrong)).status, 400, JSON.stringify(wrong));
  }
  for (const [field, id] of [
    ['submissionId', 'sub_01jz8k3v5ne0rbx4q2mw7t6yha'],
    ['dealRoomId', 'drm_01jz8k3v5ne0rbx4q2mw7t6yha'],
  ] as const) {
    const unknown = await one.post('/v1/referrals', { ...body, submissionId: quote.submissionId, [field]: id });
    t.like(unknown, { status: 400, body: { details: { field, rule: 'unknown_reference' } } });
  }
});

test('a decision that races a withdrawal, a new quote and a bind leaves one consistent end', async (t) => {
  const house = await newHouse(platform);
  const [client, admin] = [house.as('underwriter', 'asking'), house.as('org_admin')];
  const rounds = Array.from({ length: 6 }, async () => {
    const quote = await quoted(client, LOSSES);
    const path = `/v1/submissions/${quote.submissionId}`;
    const answers = await Promise.all([
      decide(admin, referralOf(quote), 'approve'),
      client.post(`${path}/withdraw`),
      client.post(`${path}/quote`),
      client.post(`${path}/bind`, BIND),
      decide(admin, referralOf(quote), 'reject'),
    ]);
    const [approval, withdrawal, requote, bind, rejection] = answers.map(({ status }) => status);
    const { status, referralIds } = await submissionOf(client, quote.submissionId);
    const ended = [withdrawal === 200, bind === 201, rejection === 200].filter(Boolean).length;
    t.true(ended <= 1, JSON.stringify({ approval, withdrawal, requote, bind, rejection, status }));
    t.false(approval === 200 && rejection === 200 && requote !== 201);
    const referrals = await Promise.all(
      referralIds.map(async (id: string) => bodyOf(await client.get(`/v1/referrals/${id}`)).status),
    );
    const open = referrals.filter((each) => each === 'pending').length;
    t.is(open, status === 'referred' ? 1 : 0, JSON.stringify({ referrals, status }));
  });
  await Promise.all(rounds);
});

test('random approvers decide exactly what the authority allows, each referral once, and their lists say which', async (t) => {
  const house = await newHouse(platform);
  const asking = house.as('underwriter', 'asking');
  const LIMITS = [500_000, 1_000_000, 2_000_000];
  const die = dieOf('referrals');
  const chosen = <T>(from: readonly T[]): T => from[die(from.length)] as T;
  const approvers = await Promise.all(
    LIMITS.map(async (most) => {
      const limits = { maxLimitCents: most * 100, maxPremiumCents: 100_000_000, linesOfBusiness: null };
      return { most, client: await house.asUnderwriter(limits) };
    }),
  );
  const referrals = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const limit = chosen(LIMITS);
      return { limit, id: referralOf(await quoted(asking, { ...LOSSES, requestedLimit: limit })) };
    }),
  );
  for (const { most, client } of approvers) {
    const { data } = bodyOf(await client.get('/v1/referrals', { query: { decidableBy: 'me', limit: 100 } }));
    const expected = referrals.filter(({ limit }) => limit <= most).map(({ id }) => id);
    t.deepEqual(data.map(({ id }: { id: string }) => id).sort(), expected.sort());
  }
  t.deepEqual(bodyOf(await asking.get('/v1/referrals', { query: { decidableBy: 'me' } })).data, []);
  await Promise.all(
    referrals.map(async ({ limit, id }) => {
      const tries = Array.from({ length: 3 }, () => chosen(approvers));
      const answers = await Promise.all(tries.map(({ client }) => decide(client, id, 'approve')));
      const allowed = tries.filter(({ most }) => most >= limit).length;
      const statuses = answers.map(({ status }) => status);
      t.is(statuses.filter((status) => status === 403).length, tries.length - allowed);
      t.is(statuses.filter((status) => status === 200).length, Math.min(allowed, 1));
      t.is(statuses.filter((status) => status === 422).length, Math.max(allowed - 1, 0));
    }),
  );
});
