import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import type { TestResponse } from '../../support/client.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { cents, figures, type Insured, insured, pay, proRata, taxesOn } from './policy-calls.ts';

const TODAY = testToday();
/** Premium proportional to revenue: 1,300,000 makes 5,187.00. */
const MORE_REVENUE = { annualRevenue: 1_300_000 };

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('an endorsement from the first day costs the whole difference, and the unpaid invoice carries it', async (t) => {
  const policy = await insured(platform);
  const { client, policyId, effectiveDate, invoices } = policy;
  const change = { effectiveDate, changes: MORE_REVENUE, reason: 'A second kitchen.' };
  const transaction = bodyOf(await policy.change('endorse', change), 201);
  t.like(transaction, { type: 'endorsement', status: 'issued', policyId, effectiveDate, reason: 'A second kitchen.' });
  t.like(transaction, { changes: MORE_REVENUE, premiumChange: 1197, feeChange: 0, taxChange: 58.54 });
  t.like(transaction, { totalChange: 1255.54, grossPremiumAfter: 5187, credits: [], reapplied: [] });
  t.like(transaction.invoices, [{ id: invoices[0]?.id, total: 5645.18, change: 1255.54 }]);
  t.like(transaction.before, { annualRevenue: 1_000_000 });
  t.like(transaction.after, MORE_REVENUE);
  t.like(await policy.read(), { grossPremium: 5187, totalDue: 5645.18, annualRevenue: 1_300_000, status: 'pending' });
  const bill = bodyOf(await policy.house.as('billing_admin').get(`/v1/invoices/${invoices[0]?.id}`));
  t.like(bill, { total: 5645.18, balance: 5645.18, status: 'open' });
  const { data } = bodyOf(await client.get(`${policy.path}/timeline`));
  const { renewalPolicyId, renewalCarriesChange, renewalTransaction, ...issued } = transaction;
  t.deepEqual([renewalPolicyId, renewalCarriesChange, renewalTransaction], [null, null, null]);
  t.deepEqual(data.at(-1), issued);
  t.like(data.at(-1).actor, { kind: 'user', role: 'underwriter' });
  const events = bodyOf(await policy.house.as('org_admin').get('/v1/events', { query: { type: 'policy.endorsed' } }));
  t.like(events.data[0].data, { policyId, grossPremium: 5187, premiumChange: 1197 });
});

test('an endorsement before a later one applies that one again, and the timeline says by how much', async (t) => {
  const policy = await insured(platform);
  const [early, late] = [addDays(policy.effectiveDate, 50), addDays(policy.effectiveDate, 200)];
  // Half the limit is 0.88 plus a share of the step to 1.00; the later one is worth more on higher revenue.
  const later = bodyOf(
    await policy.change('endorse', { effectiveDate: late, changes: { requestedLimit: 500_000 } }),
    201,
  );
  const earlier = bodyOf(await policy.change('endorse', { effectiveDate: early, changes: MORE_REVENUE }), 201);
  t.deepEqual(
    earlier.reapplied.map(({ transactionId }: { transactionId: string }) => transactionId),
    [later.id],
  );
  // A limit of 500,000 takes 12 percent off: 478.80 of 3,990.00 a year, 622.44 of 5,187.00.
  t.is(later.premiumChange, proRata(-478.8, policy, late));
  const moved = cents(proRata(-622.44, policy, late) - later.premiumChange);
  t.is(earlier.reapplied[0].premiumChange, moved);
  t.is(earlier.premiumChange, cents(proRata(1197, policy, early) + moved));
  t.like(await policy.read({ asOf: early }), { annualRevenue: 1_300_000, limit: 1_000_000 });
  t.like(await policy.read({ asOf: late }), { annualRevenue: 1_300_000, limit: 500_000 });
});

test('an endorsement above the authority is refused, and writes only one referral', async (t) => {
  const policy = await insured(platform);
  const change = { effectiveDate: policy.effectiveDate, changes: { requestedLimit: 5_000_000 } };
  const before = await policy.read();
  for (const _ of [1, 2]) {
    const refused = await policy.change('endorse', change);
    t.like(refused, { status: 422, body: { error: 'delegated_authority_exceeded' } });
    t.is(refused.body.details.daFlags[0].code, 'DA_LIMIT_EXCEEDED');
  }
  t.deepEqual(await policy.read(), before);
  t.is((await policy.timeline()).length, 1);
  const { data } = bodyOf(await policy.client.get('/v1/referrals'));
  t.is(data.length, 1);
  t.like(data[0], { policyId: policy.policyId, status: 'pending' });
});

test('a flat cancellation as of inception returns everything, and allows only a reinstatement', async (t) => {
  const policy = await insured(platform);
  const { effectiveDate } = policy;
  const request = { effectiveDate, reason: 'flat_not_taken' };
  const transaction = bodyOf(await policy.change('cancel', request), 201);
  t.like(transaction, { type: 'cancellation', status: 'issued', premiumChange: -3990, feeChange: -195 });
  t.like(transaction, { taxChange: -204.64, totalChange: -4389.64, grossPremiumAfter: 0 });
  const cancellation = { effectiveDate, reason: 'flat_not_taken', method: 'flat', source: 'insured' };
  t.like(await policy.read(), {
    status: 'cancelled',
    statuses: ['cancelled'],
    grossPremium: 0,
    totalDue: 0,
    cancellation,
  });
  const bill = bodyOf(await policy.house.as('billing_admin').get(`/v1/invoices/${policy.invoices[0]?.id}`));
  t.is(bill.status, 'void');
  for (const [name, action, body] of [
    ['cancel', 'cancel', request],
    ['endorse', 'endorse', { effectiveDate, changes: MORE_REVENUE }],
    ['renew', 'renew', {}],
    ['non-renew', 'non_renew', { reason: 'No more.' }],
  ] as const) {
    const refused = await policy.change(name, body);
    t.like(refused, { status: 422, body: { error: 'invalid_state_transition' } });
    t.deepEqual(refused.body.details, { resource: 'policy', from: 'cancelled', action, allowed: ['reinstate'] });
  }
  t.is((await policy.timeline()).length, 2);
});

test('an insured who has paid and leaves mid-term gets back nine tenths of the remaining days', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  const day = addDays(policy.effectiveDate, 146);
  await policy.advance(day);
  const transaction = bodyOf(await policy.change('cancel', { effectiveDate: day, reason: 'insured_request' }), 201);
  const returned = cents(proRata(3990, policy, day) * 0.9);
  const taxes = cents(taxesOn(3990 - returned) - 204.64);
  t.like(transaction, { status: 'issued', premiumChange: -returned, feeChange: 0, taxChange: taxes });
  t.like(await policy.read(), { status: 'cancelled', grossPremium: cents(3990 - returned) });
  const refundOf = async () => {
    const { payments } = bodyOf(await policy.house.as('billing_admin').get(`/v1/invoices/${policy.invoices[0]?.id}`));
    return payments.find(({ kind }: { kind: string }) => kind === 'refund');
  };
  t.is((await refundOf()).amount, cents(taxes - returned));
});

test('a cancellation for a day to come moves nothing before it, and everything on it', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  const day = addDays(policy.effectiveDate, 73);
  const request = { effectiveDate: day, reason: 'underwriting' };
  const scheduled = bodyOf(await policy.change('cancel', request), 201);
  const returned = proRata(3990, policy, day);
  t.like(scheduled, { status: 'scheduled', premiumChange: -returned, effectiveDate: day });
  const cancellation = { ...request, method: 'pro_rata', source: 'carrier' };
  t.like(await policy.read(), { status: 'pending_cancellation', grossPremium: 3990, totalDue: 4389.64, cancellation });
  t.is((await policy.read({ asOf: addDays(day, -1) })).status, 'pending_cancellation');
  await policy.advance(addDays(day, -1));
  t.like(await policy.read(), { status: 'pending_cancellation', grossPremium: 3990 });
  await policy.advance(day);
  t.like(await policy.read(), { status: 'cancelled', grossPremium: cents(3990 - returned), cancellation });
  t.like((await policy.timeline()).at(-1), { id: scheduled.id, status: 'issued', premiumChange: -returned });
  t.is((await policy.read({ asOf: addDays(day, -1) })).grossPremium, cents(3990 - returned));
  t.is((await policy.read({ asOf: day })).status, 'cancelled');
  const events = bodyOf(await policy.house.as('org_admin').get('/v1/events', { query: { type: 'policy.cancelled' } }));
  t.is(events.data.length, 1);
});

test('the carrier gives notice, and the insured goes back no more than thirty days', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  const day = addDays(policy.effectiveDate, 60);
  await policy.advance(day);
  const early = await policy.change('cancel', { effectiveDate: addDays(day, 9), reason: 'underwriting' });
  t.like(early, { status: 422, body: { error: 'notice_period_not_met', details: { earliestDate: addDays(day, 10) } } });
  const far = await policy.change('cancel', { effectiveDate: addDays(day, -31), reason: 'insured_request' });
  t.like(far, { status: 422, body: { error: 'outside_policy_term' } });
  t.is((await policy.timeline()).length, 1);
});

test('a cancellation withdrawn before its day is reversed, and its day passes without it', async (t) => {
  const policy = await insured(platform);
  const day = addDays(policy.effectiveDate, 40);
  bodyOf(await policy.change('cancel', { effectiveDate: day, reason: 'insured_request' }), 201);
  const withdrawal = bodyOf(await policy.change('reinstate'), 201);
  t.like(withdrawal, { type: 'reinstatement', status: 'issued', premiumChange: 0, totalChange: 0 });
  t.like(await policy.read(), { status: 'pending', cancellation: null, grossPremium: 3990 });
  t.deepEqual(
    (await policy.timeline()).map(({ type, status }: { type: string; status: string }) => [type, status]),
    [
      ['new_business', 'issued'],
      ['cancellation', 'reversed'],
      ['reinstatement', 'issued'],
    ],
  );
  await pay(policy);
  await policy.advance(day);
  t.is((await policy.read()).status, 'active');
});

test('a policy reinstated without a gap costs the same to the cent, and its invoice is open again', async (t) => {
  const policy = await insured(platform);
  const { house, effectiveDate: from, expirationDate: to } = policy;
  bodyOf(await house.as('org_admin').post('/v1/billing-holds', { state: 'TX', from, to }), 201);
  const day = addDays(policy.effectiveDate, 30);
  await policy.advance(day);
  bodyOf(await policy.change('cancel', { effectiveDate: policy.effectiveDate, reason: 'flat_not_taken' }), 201);
  const transaction = bodyOf(await policy.change('reinstate', { reason: 'Taken after all.' }), 201);
  t.like(transaction, { premiumChange: 3990, feeChange: 195, taxChange: 204.64, grossPremiumAfter: 3990 });
  t.like(await policy.read(), { status: 'active', grossPremium: 3990, totalDue: 4389.64, cancellation: null });
  const bill = bodyOf(await policy.house.as('billing_admin').get(`/v1/invoices/${policy.invoices[0]?.id}`));
  t.like(bill, { total: 4389.64, balance: 4389.64 });
});

const ENDING = (day: string) => ({ effectiveDate: day, reason: 'insured_request' });

interface Previewed {
  title: string;
  name: string;
  plan?: string;
  prepare: (policy: Insured, day: string) => Promise<object>;
}

const cancelled: Previewed['prepare'] = async (policy, day) => {
  bodyOf(await policy.change('cancel', ENDING(day)), 201);
  return {};
};

const IN_FULL = 'PAY_IN_FULL';

const PREVIEWED: Previewed[] = [
  {
    title: 'an endorsement',
    name: 'endorse',
    prepare: async (_, day) => ({ effectiveDate: day, changes: MORE_REVENUE, reason: 'More.' }),
  },
  {
    title: 'an endorsement of a policy that is paid',
    name: 'endorse',
    plan: IN_FULL,
    prepare: async (_, day) => ({ effectiveDate: day, changes: MORE_REVENUE }),
  },
  {
    title: 'a return of premium',
    name: 'endorse',
    prepare: async (_, day) => ({ effectiveDate: day, changes: { annualRevenue: 400_000 } }),
  },
  { title: 'a cancellation', name: 'cancel', prepare: async (_, day) => ENDING(day) },
  { title: 'a cancellation with a refund', name: 'cancel', plan: IN_FULL, prepare: async (_, day) => ENDING(day) },
  { title: 'a scheduled cancellation', name: 'cancel', prepare: async (_, day) => ENDING(addDays(day, 20)) },
  { title: 'a reinstatement', name: 'reinstate', prepare: cancelled },
  { title: 'a reinstatement after a refund', name: 'reinstate', plan: IN_FULL, prepare: cancelled },
];

for (const { title, name, plan = 'QUARTERLY_4', prepare } of PREVIEWED) {
  test(`the preview of ${title} shows what the call then does, and writes nothing`, async (t) => {
    const policy = await insured(platform, plan);
    await pay(policy);
    const day = addDays(policy.effectiveDate, 100);
    await policy.advance(day);
    const body = await prepare(policy, day);
    const [before, timeline] = [await policy.read(), await policy.timeline()];
    const preview = bodyOf(await policy.change(name, body, { preview: 'true' }));
    t.like(preview, { preview: true, id: null });
    t.deepEqual(await policy.read(), before);
    t.deepEqual(await policy.timeline(), timeline);
    const real = bodyOf(await policy.change(name, body), 201);
    t.deepEqual(figures(preview), figures(real));
    t.is(real.preview, undefined);
  });
}

test('two simultaneous endorsements run one after the other, in either order', async (t) => {
  const policy = await insured(platform);
  const { effectiveDate } = policy;
  const answers = await Promise.all([
    policy.change('endorse', { effectiveDate, changes: MORE_REVENUE }),
    policy.change('endorse', { effectiveDate, changes: { requestedLimit: 500_000 } }),
  ]);
  const [revenue, limit] = answers.map((answer) => bodyOf(answer, 201));
  // 3,990.00 → 5,187.00 → 4,564.56, or 3,990.00 → 3,511.20 → 4,564.56.
  const orders = [
    [1197, -622.44],
    [1053.36, -478.8],
  ];
  const moved = [revenue.premiumChange, limit.premiumChange];
  t.true(
    orders.some((order) => JSON.stringify(order) === JSON.stringify(moved)),
    JSON.stringify(moved),
  );
  t.like(await policy.read(), { grossPremium: 4564.56, annualRevenue: 1_300_000, limit: 500_000 });
});

/** The policy and its version in a tag, without the answer's hash. */
const versionIn = ({ headers }: TestResponse) => `${headers.get('etag')}`.split('.').slice(0, 2);

test('an outdated version is refused, and a repeated key takes effect once', async (t) => {
  const policy = await insured(platform);
  const { client, path, effectiveDate } = policy;
  const etag = (await client.get(path)).headers.get('etag') ?? '';
  const change = { effectiveDate, changes: MORE_REVENUE };
  const send = (headers: Record<string, string>) => client.post(`${path}/endorse`, change, { headers });
  const first = await send({ 'If-Match': etag, 'Idempotency-Key': 'once' });
  t.is(first.status, 201);
  t.deepEqual(versionIn(first), versionIn(await client.get(path)));
  const replayed = await send({ 'Idempotency-Key': 'once' });
  t.is(replayed.headers.get('idempotent-replayed'), 'true');
  t.deepEqual(replayed.body, first.body);
  t.is((await send({ 'If-Match': etag })).status, 412);
  t.is((await policy.timeline()).length, 2);
});

test('an underwriter changes a policy only within their own authority, and a key with the scope for policies', async (t) => {
  const policy = await insured(platform);
  const { house, path, effectiveDate } = policy;
  const limits = { maxLimitCents: 100_000_000, maxPremiumCents: 500_000, linesOfBusiness: null };
  const own = await house.asUnderwriter(limits);
  const refused = await own.post(`${path}/endorse`, { effectiveDate, changes: MORE_REVENUE });
  t.like(refused, { status: 403, body: { error: 'forbidden' } });
  t.like(refused.body.details, { permission: 'policy:endorse', limit: 5000, actual: 5187 });
  const less = { effectiveDate, changes: { annualRevenue: 1_100_000 } };
  t.is((await own.post(`${path}/endorse`, less)).status, 201);
  const key = { name: 'Portal', scopes: ['policies:write'] };
  const { key: apiKey } = bodyOf(await house.as('org_admin').post('/v1/api-keys', key), 201);
  t.is((await platform.as({ apiKey }).post(`${path}/cancel`, ENDING(effectiveDate))).status, 201);
});

test('an endorsement changes something, and within the term', async (t) => {
  const policy = await insured(platform);
  const nothing = await policy.change('endorse', { effectiveDate: policy.effectiveDate, changes: {} });
  t.like(nothing, { status: 400, body: { details: { field: 'changes', rule: 'no_change' } } });
  for (const effectiveDate of [TODAY, policy.expirationDate]) {
    const outside = await policy.change('endorse', { effectiveDate, changes: MORE_REVENUE });
    t.like(outside, { status: 422, body: { error: 'outside_policy_term' } });
  }
});
