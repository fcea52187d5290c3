// Referrals of policies: an approval carries out the refused endorsement or renewal. Contract 3.2, 3.7.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured, pay } from '../policy/policy-calls.ts';
import { decide, referralOf } from './referral-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('an approved endorsement is carried out automatically with the refused figures, or not at all', async (t) => {
  const policy = await insured(platform);
  const { house, client, effectiveDate } = policy;
  const admin = house.as('org_admin');
  const changes = { requestedLimit: 3_000_000 };
  const refused = await policy.change('endorse', { effectiveDate, changes, reason: 'A lease requires it.' });
  const id = referralOf(refused.body.details);
  const referral = bodyOf(await client.get(`/v1/referrals/${id}`));
  // 3,990.00 × 1.45 = 5,785.50.
  const figures = { limit: 3_000_000, premium: 5_785.5, premiumChange: 1_795.5 };
  t.like(referral.request, { kind: 'endorse', effectiveDate, changes, ...figures });

  bodyOf(await policy.change('endorse', { effectiveDate, changes: { annualRevenue: 1_300_000 } }), 201);
  const stale = await decide(admin, id, 'approve');
  // 5,187.00 × 1.45 = 7,521.15.
  const now = { limit: 3_000_000, premium: 7_521.15, premiumChange: 2_334.15 };
  t.like(stale, { status: 422, body: { error: 'quote_expired', details: { requested: figures, now } } });
  t.is(bodyOf(await client.get(`/v1/referrals/${id}`)).status, 'pending');
  t.is((await policy.read()).limit, 1_000_000);

  const again = referralOf((await policy.change('endorse', { effectiveDate, changes })).body.details);
  t.is((await decide(client, again, 'approve')).status, 403);
  const approved = bodyOf(await decide(admin, again, 'approve'));
  t.like(await policy.read(), { limit: 3_000_000, grossPremium: 7_521.15 });
  const last = (await policy.timeline()).at(-1);
  t.like(last, { id: approved.transactionId, type: 'endorsement', premiumChange: 2_334.15 });
  t.like(last.daFlags[0], { code: 'DA_LIMIT_EXCEEDED', referralId: again, clearedBy: approved.decidedBy });
});

test("nobody approves a change that they have not read: another's request has a referral of its own", async (t) => {
  const policy = await insured(platform);
  const { house, effectiveDate } = policy;
  const [admin, other] = [house.as('org_admin'), house.as('underwriter', 'other')];
  const requestLimit = (client: TestClient, requestedLimit: number) =>
    client.post(`/v1/policies/${policy.policyId}/endorse`, { effectiveDate, changes: { requestedLimit } });
  const first = referralOf((await requestLimit(policy.client, 3_000_000)).body.details);
  const presented = { policyId: policy.policyId, reason: 'A lease requires it.' };
  t.is(bodyOf(await policy.client.post('/v1/referrals', presented), 201).id, first);

  const second = referralOf((await requestLimit(other, 5_000_000)).body.details);
  t.like(await decide(admin, first, 'approve'), {
    ...{ status: 422, body: { error: 'invalid_state_transition', details: { from: 'withdrawn' } } },
  });
  const referral = bodyOf(await admin.get(`/v1/referrals/${second}`));
  t.like(referral, { status: 'pending', requestedBy: 'other', request: { limit: 5_000_000 } });
  t.is((await policy.read()).limit, 1_000_000);
  // The request for less plays no part in it.
  bodyOf(await decide(admin, second, 'approve'));
  t.is((await policy.read()).limit, 5_000_000);
});

test('a change that somebody else has made meanwhile is not made again: the approval says so, and a rejection ends it', async (t) => {
  const policy = await insured(platform);
  const { house, path, effectiveDate } = policy;
  const limits = { maxLimitCents: 100_000_000, maxPremiumCents: 100_000_000, linesOfBusiness: null };
  const [admin, junior] = [house.as('org_admin'), await house.asUnderwriter(limits)];
  const change = { effectiveDate, changes: { requestedLimit: 2_000_000 } };
  const refused = await junior.post(`${path}/endorse`, change);
  t.is(refused.status, 403);
  const { referralId } = refused.body.details;
  bodyOf(await admin.post(`${path}/endorse`, change), 201);
  const late = await decide(house.as('org_admin', 'another'), referralId, 'approve');
  t.like(late, { status: 422, body: { error: 'quote_expired' } });
  t.like(bodyOf(await decide(admin, referralId, 'reject', { notes: 'It is done.' })), { status: 'rejected' });
});

test('an approved renewal binds the next term, whose workflow starts on its first day', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', {});
  const { house, expirationDate } = policy;
  const bill = { amount: 4389.64, method: 'check', reference: 'Check 7' };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${policy.invoices[0]?.id}/pay`, bill), 201);
  await policy.advance(addDays(expirationDate, -60));
  const refused = await policy.change('renew', { changes: { requestedLimit: 3_000_000 } });
  t.is(refused.status, 422);
  const id = referralOf(refused.body.details);
  const approved = bodyOf(await decide(house.as('org_admin'), id, 'approve'));
  const { renewalPolicyId } = await policy.read();
  const next = bodyOf(await policy.client.get(`/v1/policies/${renewalPolicyId}`));
  t.like(next, { renewalOf: policy.policyId, limit: 3_000_000, status: 'pending' });
  const [first] = bodyOf(await policy.client.get(`/v1/policies/${renewalPolicyId}/timeline`)).data;
  t.is(first.id, approved.transactionId);
  await policy.advance(expirationDate);
  t.is(bodyOf(await policy.client.get(`/v1/policies/${renewalPolicyId}`)).status, 'active');
});

test('an approved renewal whose figures no longer hold is refused, and its next request has those of today', async (t) => {
  const policy = await insured(platform);
  const { house, expirationDate } = policy;
  const admin = house.as('org_admin');
  await pay(policy);
  const today = addDays(expirationDate, -60);
  await policy.advance(today);
  const renew = async () =>
    referralOf((await policy.change('renew', { changes: { requestedLimit: 3_000_000 } })).body.details);
  const id = await renew();
  // 3,990.00 × 1.45 = 5,785.50.
  const figures = { limit: 3_000_000, premium: 5_785.5 };
  t.like(bodyOf(await admin.get(`/v1/referrals/${id}`)).request, { kind: 'renew', ...figures });

  const change = { effectiveDate: today, changes: { annualRevenue: 1_300_000 } };
  bodyOf(await policy.change('endorse', change), 201);
  const stale = await decide(admin, id, 'approve');
  // 5,187.00 × 1.45 = 7,521.15.
  const now = { limit: 3_000_000, premium: 7_521.15 };
  t.like(stale, { status: 422, body: { error: 'quote_expired', details: { requested: figures, now } } });
  t.is(bodyOf(await admin.get(`/v1/referrals/${id}`)).status, 'pending');
  t.is((await policy.read()).renewalPolicyId, null);

  bodyOf(await decide(admin, await renew(), 'approve'));
  const { renewalPolicyId } = await policy.read();
  t.like(bodyOf(await admin.get(`/v1/policies/${renewalPolicyId}`)), { limit: 3_000_000, grossPremium: 7_521.15 });
});

test('a referral of a policy that a person opens records only the decision', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const { policyId } = await bound(client);
  const opened = bodyOf(await client.post('/v1/referrals', { policyId, reason: 'May it be rewritten?' }), 201);
  t.like(opened, { policyId, request: null, figures: { limit: 1_000_000, premium: 3990 } });
  t.is((await client.post('/v1/referrals', { policyId, reason: 'Well?' })).status, 409);
  const rejected = bodyOf(await decide(house.as('org_admin'), opened.id, 'reject', { notes: 'None would help.' }));
  t.like(rejected, { status: 'rejected', transactionId: null, notes: 'None would help.', conditions: [] });
  t.is(bodyOf(await client.get(`/v1/policies/${policyId}`)).status, 'pending');
});
