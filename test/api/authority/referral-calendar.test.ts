// An undecided referral: its reminders, its expiration, and what follows, as the test clock moves.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { bodyOf, bound, EFFECTIVE_DATE, newHouse, quoted } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { referralOf } from './referral-calls.ts';

/** A risk that is referred and stays valid longer than a referral waits. */
const REFERRED = { lossesLast5Years: 3, effectiveDate: addDays(EFFECTIVE_DATE, 30) };

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('reminders are announced as events, then the referral ends; the risk is quoted again, and the new referral is decided', async (t) => {
  const house = await newHouse(platform);
  const [admin, asking] = [house.as('org_admin'), house.as('underwriter', 'asking')];
  const { submissionId, ...quote } = await quoted(asking, REFERRED);
  const decided = referralOf(await quoted(asking, REFERRED));
  bodyOf(await admin.post(`/v1/referrals/${decided}/decision`, { decision: 'approve' }));
  const id = referralOf(quote);
  const { date: opened } = bodyOf(await admin.get('/v1/test-clock'));
  t.is(bodyOf(await asking.get(`/v1/referrals/${id}`)).expiresOn, addDays(opened, 14));
  const advance = (days: number) => admin.post('/v1/test-clock', { advanceTo: addDays(opened, days) });
  const said = async (type: string) =>
    bodyOf(await admin.get('/v1/events', { query: { type } })).data.map(({ data }: { data: object }) => data);
  const data = { referralId: id, submissionId, policyId: null, expiresOn: addDays(opened, 14) };
  const { version } = bodyOf(await asking.get(`/v1/referrals/${id}`));
  bodyOf(await advance(6));
  t.is(bodyOf(await asking.get(`/v1/referrals/${id}`)).version, version, 'who has read it may still decide');
  t.deepEqual(await said('referral.reminder'), [{ ...data, daysLeft: 11 }]);
  const question = { decision: 'request_info', notes: 'How many ovens?' };
  bodyOf(await admin.post(`/v1/referrals/${id}/decision`, question));
  bodyOf(await advance(13));
  t.deepEqual(await said('referral.expired'), []);
  bodyOf(await advance(20));
  t.deepEqual(
    await said('referral.reminder'),
    [2, 7, 11].map((daysLeft) => ({ ...data, daysLeft })),
  );
  t.deepEqual(await said('referral.expired'), [{ ...data, daysLeft: 0 }]);
  t.like(bodyOf(await admin.get(`/v1/referrals/${id}`)), { status: 'expired', mayDecide: false, deciders: [] });
  t.like(await admin.post(`/v1/referrals/${id}/decision`, { decision: 'approve' }), {
    status: 422,
    body: { error: 'invalid_state_transition', details: { from: 'expired', allowed: [] } },
  });
  t.is(bodyOf(await admin.get(`/v1/submissions/${submissionId}`)).status, 'referred');

  const again = bodyOf(await asking.post(`/v1/submissions/${submissionId}/quote`), 201);
  const next = referralOf(again);
  t.not(next, id);
  t.is(bodyOf(await admin.get(`/v1/referrals/${next}`)).expiresOn, addDays(opened, 34));
  bodyOf(await admin.post(`/v1/referrals/${next}/decision`, { decision: 'approve' }));
  t.is(bodyOf(await admin.get(`/v1/submissions/${submissionId}`)).status, 'quoted');
});

test('an expired referral can be opened again with its flags, as the request of the person who quoted', async (t) => {
  const house = await newHouse(platform);
  const [admin, asking, helping] = [house.as('org_admin'), house.as('underwriter', 'asking'), house.as('underwriter')];
  const quote = await quoted(asking, { ...REFERRED, requestedLimit: 5_000_000 });
  const { submissionId } = quote;
  const { policyId } = await bound(asking);
  const endorsement = { effectiveDate: EFFECTIVE_DATE, changes: { requestedLimit: 5_000_000 } };
  const refused = async () => (await asking.post(`/v1/policies/${policyId}/endorse`, endorsement)).body.details;
  const ofPolicy = referralOf(await refused());
  t.is(referralOf(await refused()), ofPolicy);
  const { date: opened } = bodyOf(await admin.get('/v1/test-clock'));
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(opened, 14) }));
  t.is(bodyOf(await admin.get(`/v1/referrals/${ofPolicy}`)).status, 'expired');
  const repeated = referralOf(await refused());
  t.like(bodyOf(await admin.get(`/v1/referrals/${repeated}`)), { status: 'pending', policyId });
  t.not(repeated, ofPolicy);

  const reason = 'The broker waits for an answer.';
  const { id, daFlags } = bodyOf(await helping.post('/v1/referrals', { submissionId, reason }), 201);
  t.not(id, referralOf(quote));
  const codes = ['DA_LIMIT_EXCEEDED', 'DA_LOSS_HISTORY'];
  t.deepEqual(
    daFlags.map(({ code, referralId }: never) => [code, referralId]).sort(),
    codes.map((code) => [code, id]),
  );
  const decide = (client: TestClient) => client.post(`/v1/referrals/${id}/decision`, { decision: 'approve' });
  t.like(await decide(asking), { status: 403, body: { details: { reason: 'own_request' } } });
  t.like(await decide(house.as('underwriter', 'third')), {
    ...{ status: 403, body: { details: { limit: 2_000_000, actual: 5_000_000 } } },
  });
  bodyOf(await decide(admin));
  t.like(bodyOf(await admin.get(`/v1/submissions/${submissionId}`)), { status: 'quoted', quote: { bindable: true } });
});

test('the same change joins its open referral and keeps its days; another takes its place and waits all its own', async (t) => {
  const house = await newHouse(platform);
  const [admin, asking] = [house.as('org_admin'), house.as('underwriter', 'asking')];
  const { submissionId, ...quote } = await quoted(asking, REFERRED);
  const { policyId } = await bound(asking);
  const refusedFor = async (changes: object) => {
    const endorsement = { effectiveDate: EFFECTIVE_DATE, changes: { requestedLimit: 5_000_000, ...changes } };
    return referralOf((await asking.post(`/v1/policies/${policyId}/endorse`, endorsement)).body.details);
  };
  const [ofQuote, ofPolicy] = [referralOf(quote), await refusedFor({})];
  const { date: opened } = bodyOf(await admin.get('/v1/test-clock'));
  const ends = async (id: string) => bodyOf(await asking.get(`/v1/referrals/${id}`)).expiresOn;
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(opened, 13) }));
  t.is(referralOf(bodyOf(await asking.post(`/v1/submissions/${submissionId}/quote`), 201)), ofQuote);
  t.is(await refusedFor({}), ofPolicy);
  t.deepEqual([await ends(ofQuote), await ends(ofPolicy)], [addDays(opened, 14), addDays(opened, 14)]);
  const later = await refusedFor({ annualRevenue: 900_000 });
  t.not(later, ofPolicy);
  t.is(await ends(later), addDays(opened, 27));
  t.like(bodyOf(await admin.get(`/v1/referrals/${ofPolicy}`)), {
    status: 'withdrawn',
    notes: `Replaced by a later request: ${later}.`,
  });
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(opened, 16) }));
  const [reminder] = bodyOf(await admin.get('/v1/events', { query: { type: 'referral.reminder' } })).data;
  t.like(reminder.data, { referralId: later, daysLeft: 11 });
  t.is(bodyOf(await admin.get(`/v1/referrals/${ofQuote}`)).status, 'expired');
});

test('an approval needs a quote that can still be bound: quoted again, the same referral is decided', async (t) => {
  const house = await newHouse(platform);
  const [admin, asking] = [house.as('org_admin'), house.as('underwriter', 'asking')];
  const quote = await quoted(asking, { lossesLast5Years: 3 });
  const [id, path] = [referralOf(quote), `/v1/submissions/${quote.submissionId}`];
  const decide = (decision: string, notes: string) => admin.post(`/v1/referrals/${id}/decision`, { decision, notes });
  const advance = (advanceTo: string) => admin.post('/v1/test-clock', { advanceTo });
  bodyOf(await decide('request_info', 'How many ovens?'));
  bodyOf(await advance(addDays(EFFECTIVE_DATE, 1)));
  const late = await decide('approve', 'A good risk.');
  t.like(late, { status: 422, body: { error: 'quote_expired', details: { expiresOn: EFFECTIVE_DATE } } });
  t.like(bodyOf(await admin.get(`/v1/referrals/${id}`)), { status: 'info_requested', decidedBy: null });
  t.is(bodyOf(await admin.get(path)).status, 'referred');

  const again = bodyOf(await asking.post(`${path}/quote`), 201);
  t.is(referralOf(again), id);
  t.like(bodyOf(await decide('approve', 'A good risk.')), { status: 'approved', quoteId: again.id });
  t.like(bodyOf(await admin.get(path)), { status: 'quoted', quote: { id: again.id, bindable: true } });
});
