// An approval covers later quotes and binds, and its conditions carry over. Decision 0185.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { bodyOf, EFFECTIVE_DATE, newHouse, quoted, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured, pay } from '../policy/policy-calls.ts';

const BIND = { installmentPlan: 'PAY_IN_FULL' };
const LOSSES = { lossesLast5Years: 3 };
const CONDITION = 'Sprinklers within 90 days.';
/** What a new organization's contract allows. */
const CONTRACT = { maxLimitCents: 200_000_000, maxPremiumCents: 10_000_000, linesOfBusiness: null };

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface Flag {
  code: string;
  referralId: string | null;
  clearedAt: string | null;
}
const referralOf = ({ daFlags }: { daFlags: Flag[] }) =>
  daFlags.find(({ referralId }) => referralId !== null)?.referralId ?? '';
const approve = async (client: TestClient, id: string, conditions: string[] = []) =>
  bodyOf(await client.post(`/v1/referrals/${id}/decision`, { decision: 'approve', conditions }));

test('an approved risk quoted again and no worse needs no second approval and keeps its conditions', async (t) => {
  const house = await newHouse(platform);
  const [asking, admin] = [house.as('underwriter', 'asking'), house.as('org_admin')];
  const quote = await quoted(asking, LOSSES);
  const path = `/v1/submissions/${quote.submissionId}`;
  const id = referralOf(quote);
  await approve(admin, id, [CONDITION]);
  const stands = { status: 'quoted', bindable: true, conditions: [CONDITION] };
  t.like(bodyOf(await asking.post(`${path}/quote`, undefined, { query: { preview: true } })), stands);
  const again = bodyOf(await asking.post(`${path}/quote`), 201);
  t.like(again, { ...stands, version: 2 });
  const [flag] = again.daFlags.filter(({ code }: Flag) => code === 'DA_LOSS_HISTORY');
  t.is(flag.referralId, id);
  t.truthy(flag.clearedAt);

  bodyOf(await asking.patch(path, { annualRevenue: 900_000 }));
  t.like(bodyOf(await asking.post(`${path}/quote`), 201), stands, 'a smaller risk');
  bodyOf(await asking.patch(path, { annualRevenue: 1_100_000 }));
  const dearer = bodyOf(await asking.post(`${path}/quote`), 201);
  t.like(dearer, { status: 'referred', bindable: false, conditions: [] });
  const second = referralOf(dearer);
  t.not(second, id);
  await approve(admin, second, ['No cooking after midnight.']);
  bodyOf(await asking.patch(path, { lossesLast5Years: 4 }));
  t.like(bodyOf(await asking.post(`${path}/quote`), 201), { status: 'referred' }, 'one loss more');
  bodyOf(await asking.patch(path, { ...LOSSES, state: 'FL' }));
  t.like(bodyOf(await asking.post(`${path}/quote`), 201), { status: 'referred' }, 'another state');
});

test('the conditions of an approval are kept with the policy', async (t) => {
  const house = await newHouse(platform);
  const [asking, admin] = [house.as('underwriter', 'asking'), house.as('org_admin')];
  const quote = await quoted(asking, LOSSES);
  await approve(admin, referralOf(quote), [CONDITION]);
  const { policyId } = bodyOf(await asking.post(`/v1/submissions/${quote.submissionId}/bind`, BIND), 201);
  const path = `/v1/policies/${policyId}`;
  t.deepEqual(bodyOf(await asking.get(path)).conditions, [CONDITION]);
  const changes = { requestedLimit: 3_000_000 };
  const refused = await asking.post(`${path}/endorse`, { effectiveDate: EFFECTIVE_DATE, changes });
  t.is(refused.status, 422);
  await approve(admin, referralOf(refused.body.details), ['A second exit.', CONDITION]);
  t.like(bodyOf(await asking.get(path)), { limit: 3_000_000, conditions: [CONDITION, 'A second exit.'] });
});

test('a user authority equal to the contract restricts no more than none: a risk beyond the contract is referred', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  for (const client of [house.as('underwriter', 'without'), await house.asUnderwriter(CONTRACT)]) {
    const quote = await quoted(client, { requestedLimit: 3_000_000 });
    const path = `/v1/submissions/${quote.submissionId}`;
    t.is(bodyOf(await client.get(path)).status, 'referred');
    t.like(await client.post(`${path}/bind`, BIND), { status: 422, body: { error: 'delegated_authority_exceeded' } });
    await approve(admin, referralOf(quote));
    const { policyId } = bodyOf(await client.post(`${path}/bind`, BIND), 201);
    const endorse = (changes: object) =>
      client.post(`/v1/policies/${policyId}/endorse`, { effectiveDate: EFFECTIVE_DATE, changes });
    t.like(await endorse({ requestedLimit: 4_000_000 }), {
      status: 422,
      body: { error: 'delegated_authority_exceeded' },
    });
    t.is((await endorse({ requestedLimit: 2_500_000 })).status, 201, 'to reduce');
  }
});

test("a change above the user's own authority is refused and referred; one that lowers the exposure is not", async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const own = { maxLimitCents: 50_000_000, maxPremiumCents: 300_000, linesOfBusiness: null };
  const client = await house.asUnderwriter(own);
  const quote = await quoted(admin);
  const { policyId } = bodyOf(await admin.post(`/v1/submissions/${quote.submissionId}/bind`, BIND), 201);
  const path = `/v1/policies/${policyId}`;
  const endorse = (changes: object) => client.post(`${path}/endorse`, { effectiveDate: EFFECTIVE_DATE, changes });
  const refused = await endorse({ annualRevenue: 1_300_000 });
  t.like(refused, { status: 403, body: { error: 'forbidden', details: { limit: 3000, actual: 5187 } } });
  t.regex(refused.body.message, /limited to a premium of \$3,000\.00, and this is \$5,187/);
  const { referralId } = refused.body.details;
  const referral = bodyOf(await client.get(`/v1/referrals/${referralId}`));
  t.like(referral, { status: 'pending', policyId, daFlags: [], figures: { limit: 1_000_000, premium: 5187 } });
  t.is((await client.post(`/v1/referrals/${referralId}/decision`, { decision: 'approve' })).status, 403);
  await approve(house.as('underwriter', 'senior'), referralId);
  t.is(bodyOf(await client.get(path)).grossPremium, 5187);

  t.is((await endorse({ annualRevenue: 1_200_000 })).status, 201, 'lower than it stands');
  t.is((await client.post(`${path}/cancel`, { effectiveDate: EFFECTIVE_DATE, reason: 'flat_not_taken' })).status, 403);
});

test('an approval is carried out beside a higher limit of a later day, and its figures name that limit', async (t) => {
  const { house, policyId, path, effectiveDate, change } = await insured(platform);
  const later = { effectiveDate: addDays(effectiveDate, 100), changes: { requestedLimit: 1_500_000 } };
  bodyOf(await change('endorse', later), 201);
  const client = await house.asUnderwriter({ ...CONTRACT, maxPremiumCents: 300_000 });
  const changes = { annualRevenue: 1_300_000, requestedLimit: 1_200_000 };
  const refused = await client.post(`${path}/endorse`, { effectiveDate, changes });
  t.is(refused.status, 403);
  const { referralId } = refused.body.details;
  t.like(bodyOf(await client.get(`/v1/referrals/${referralId}`)).figures, { limit: 1_500_000 });
  await approve(house.as('underwriter', 'senior'), referralId);
  t.is(bodyOf(await client.get(`/v1/policies/${policyId}`)).annualRevenue, 1_300_000);
});

test('an approved limit gives nobody authority for the premium', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const client = await house.asUnderwriter({ ...CONTRACT, maxPremiumCents: 500_000 });
  const quote = await quoted(client, { requestedLimit: 3_000_000 });
  await approve(admin, referralOf(quote));
  const { policyId } = bodyOf(await admin.post(`/v1/submissions/${quote.submissionId}/bind`, BIND), 201);
  const path = `/v1/policies/${policyId}`;
  const { grossPremium } = bodyOf(await client.get(path));
  const changes = { annualRevenue: 2_000_000 };
  const refused = await client.post(`${path}/endorse`, { effectiveDate: EFFECTIVE_DATE, changes });
  t.like(refused, { status: 403, body: { error: 'forbidden', details: { limit: 5000 } } });
  t.true(refused.body.details.actual > grossPremium);
  t.is(bodyOf(await client.get(path)).grossPremium, grossPremium);
  const smaller = await client.post(`${path}/endorse`, {
    effectiveDate: EFFECTIVE_DATE,
    changes: { requestedLimit: 2_500_000 },
  });
  t.is(smaller.status, 201, 'the limit was approved');
});

test('an underwriter refers a risk beyond their own authority, and quotes and binds it once it is approved', async (t) => {
  const house = await newHouse(platform);
  const own = { maxLimitCents: 100_000_000, maxPremiumCents: 300_000, linesOfBusiness: null };
  const client = await house.asUnderwriter(own);
  const { id: submissionId } = await submit(client);
  const path = `/v1/submissions/${submissionId}`;
  const question = { action: 'submission:quote', resource: submissionId };
  const answer = async () => bodyOf(await client.post('/v1/permissions/check', question));
  t.like(await answer(), { allowed: false, denial: { limit: 3000, actual: 3990 } });
  const refused = await client.post(`${path}/quote`);
  t.like(refused, { status: 403, body: { details: { permission: 'submission:quote', limit: 3000, actual: 3990 } } });
  const opened = bodyOf(await client.post('/v1/referrals', { submissionId, reason: 'A good restaurant.' }), 201);
  t.like(opened.figures, { limit: 1_000_000, premium: 3990 });
  await approve(house.as('underwriter', 'senior'), opened.id, [CONDITION]);
  t.true((await answer()).allowed);
  t.like(bodyOf(await client.post(`${path}/quote`), 201), { grossPremium: 3990, conditions: [CONDITION] });
  t.like(bodyOf(await client.post(`${path}/bind`, BIND), 201), { grossPremium: 3990 });
});

test('a renewal above an own authority is referred, even where the policy is above it already, and an approval binds it', async (t) => {
  const policy = await insured(platform);
  const { house, path } = policy;
  await pay(policy);
  await policy.advance(addDays(policy.expirationDate, -30));
  const client = await house.asUnderwriter({ ...CONTRACT, maxPremiumCents: 300_000 });
  t.is((await client.post(`${path}/renew`, {}, { query: { preview: true } })).status, 403);
  const refused = await client.post(`${path}/renew`);
  t.like(refused, { status: 403, body: { details: { permission: 'policy:renew', limit: 3000, actual: 3990 } } });
  const { referralId } = refused.body.details;
  t.is((await client.post(`/v1/referrals/${referralId}/decision`, { decision: 'approve' })).status, 403);
  await approve(house.as('underwriter', 'senior'), referralId, [CONDITION]);
  const { renewalPolicyId } = await policy.read();
  const next = bodyOf(await client.get(`/v1/policies/${renewalPolicyId}`));
  t.like(next, { renewalOf: policy.policyId, conditions: [CONDITION] });
  const other = await house.asUnderwriter({ ...CONTRACT, linesOfBusiness: ['CYBER'] });
  const outside = await other.post(`${path}/renew`);
  t.like(outside, { status: 403, body: { details: { permission: 'policy:renew' } } });
  t.is(outside.body.details.referralId, undefined);
});

test('a next term keeps the conditions of an earlier approval that clears its flags', async (t) => {
  const policy = await insured(platform);
  const { house, expirationDate } = policy;
  await pay(policy);
  const effectiveDate = addDays(expirationDate, -60);
  await policy.advance(effectiveDate);
  const refused = await policy.change('endorse', { effectiveDate, changes: { requestedLimit: 3_000_000 } });
  await approve(house.as('org_admin'), referralOf(refused.body.details), [CONDITION]);
  const { renewalPolicyId } = bodyOf(await policy.change('renew'), 201);
  const next = bodyOf(await policy.client.get(`/v1/policies/${renewalPolicyId}`));
  t.like(next, { limit: 3_000_000, conditions: [CONDITION] });
});

test('an approved endorsement takes its conditions to the next term that it changes too', async (t) => {
  const policy = await insured(platform);
  const { house, path, expirationDate } = policy;
  await pay(policy);
  await policy.advance(addDays(expirationDate, -30));
  const { renewalPolicyId } = bodyOf(await policy.change('renew'), 201);
  const change = { effectiveDate: addDays(expirationDate, -20), changes: { requestedLimit: 3_000_000 } };
  const refused = await policy.change('endorse', { ...change, applyToRenewal: true });
  await approve(house.as('org_admin'), referralOf(refused.body.details), [CONDITION]);
  for (const id of [policy.policyId, renewalPolicyId]) {
    t.like(bodyOf(await policy.client.get(`/v1/policies/${id}`)), { conditions: [CONDITION] }, path);
  }
});

test('an own authority cannot be reached by naming another insured, or another first day, once a risk is approved', async (t) => {
  const house = await newHouse(platform);
  const [asking, admin] = [house.as('underwriter', 'asking'), house.as('org_admin')];
  for (const change of [{ insuredName: 'Someone Else' }, { effectiveDate: addDays(EFFECTIVE_DATE, 1) }]) {
    const quote = await quoted(asking, LOSSES);
    const path = `/v1/submissions/${quote.submissionId}`;
    await approve(admin, referralOf(quote), [CONDITION]);
    bodyOf(await asking.patch(path, change));
    t.like(bodyOf(await asking.post(`${path}/quote`), 201), { status: 'referred', bindable: false, conditions: [] });
  }
});

test('a referral shows block flags beside the flags that need a decision', async (t) => {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const quote = await quoted(client, { ...LOSSES, naicsCode: '713990' });
  const { daFlags, reason } = bodyOf(await client.get(`/v1/referrals/${referralOf(quote)}`));
  t.deepEqual(
    daFlags.map(({ code, severity }: { code: string; severity: string }) => [code, severity]),
    [
      ['DA_CLASS_PROHIBITED', 'block'],
      ['DA_LOSS_HISTORY', 'refer'],
    ],
  );
  t.notRegex(reason, /prohibited/);
});

test('errors about conditions name the exact bounds', async (t) => {
  const house = await newHouse(platform);
  const quote = await quoted(house.as('underwriter'), LOSSES);
  const decide = (conditions: unknown) =>
    house.as('org_admin').post(`/v1/referrals/${referralOf(quote)}/decision`, { decision: 'approve', conditions });
  const many = Array.from({ length: 200 }, (_, i) => `Condition ${i}.`);
  t.like(await decide(many), { status: 400, body: { message: 'conditions must have at most 20 entries.' } });
  t.like(await decide(['x'.repeat(2_001)]), { status: 400, body: { details: { field: 'conditions.0', rule: 'max' } } });
  t.like(await decide('x'.repeat(2_001)), { status: 400, body: { details: { field: 'conditions', rule: 'max' } } });
  t.like(await decide(7), { status: 400, body: { details: { field: 'conditions', rule: 'type' } } });
});
