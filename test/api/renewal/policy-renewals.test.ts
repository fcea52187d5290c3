import test, { type ExecutionContext } from 'ava';
import { addDays, addYears } from '../../../domain/dates.ts';
import type { TestResponse } from '../../support/client.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { figures, type Insured, insured, pay } from '../policy/policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** A paid policy, this many days before it expires. */
async function expiring(days: number): Promise<Insured> {
  const policy = await insured(platform);
  await pay(policy);
  await policy.advance(addDays(policy.expirationDate, -days));
  return policy;
}

const nextOf = async ({ client }: Insured, id: string) => bodyOf(await client.get(`/v1/policies/${id}`));

test('a renewal is the next term at the rates of today, and takes over when the old one ends', async (t) => {
  const policy = await expiring(60);
  const { policyId, expirationDate, client } = policy;
  const renewal = bodyOf(await policy.change('renew', { changes: { annualRevenue: 1_300_000 } }), 201);
  const { renewalPolicyId, policyNumber } = renewal;
  t.like(renewal, { type: 'renewal', status: 'issued', policyId: renewalPolicyId, effectiveDate: expirationDate });
  t.like(renewal, { premiumChange: 5187, feeChange: 195, taxChange: 263.18, totalChange: 5645.18 });
  t.like(renewal, { grossPremiumAfter: 5187, changes: { annualRevenue: 1_300_000 } });
  t.is(renewal.invoices.length, 1);
  t.like(await policy.read(), { status: 'active', renewalPolicyId, grossPremium: 3990 });
  const next = await nextOf(policy, renewalPolicyId);
  t.like(next, { policyNumber, renewalOf: policyId, status: 'pending', annualRevenue: 1_300_000, grossPremium: 5187 });
  t.like(next, { effectiveDate: expirationDate, expirationDate: addYears(policy.effectiveDate, 2) });
  const { data } = bodyOf(await client.get(`/v1/policies/${renewalPolicyId}/timeline`));
  t.deepEqual(figures(data[0]), figures({ ...renewal }));
  const events = bodyOf(await policy.house.as('org_admin').get('/v1/events', { query: { type: 'policy.renewed' } }));
  t.like(events.data[0].data, { policyId: renewalPolicyId, policyNumber, renewalOf: policyId });
  const again = await policy.change('renew');
  t.like(again, { status: 409, body: { error: 'already_exists', details: { renewalPolicyId } } });
  await policy.advance(expirationDate);
  t.is((await policy.read()).status, 'renewed');
  t.is((await nextOf(policy, renewalPolicyId)).status, 'active');
  const ended = await policy.change('renew');
  t.like(ended, { status: 422, body: { details: { from: 'renewed', action: 'renew', allowed: ['audit'] } } });
});

test('the preview of a renewal shows the effect of the call, and writes nothing', async (t) => {
  const policy = await expiring(30);
  const before = await policy.read();
  const preview = bodyOf(await policy.change('renew', {}, { preview: 'true' }));
  t.like(preview, { preview: true, id: null, policyId: null, renewalPolicyId: null, policyNumber: null });
  t.deepEqual(await policy.read(), before);
  const real = bodyOf(await policy.change('renew'), 201);
  t.deepEqual(figures(preview), figures(real));
});

test('a policy is renewed from ninety days before its end to thirty after it', async (t) => {
  const policy = await expiring(91);
  const { expirationDate } = policy;
  const window = { earliestDate: addDays(expirationDate, -90), latestDate: addDays(expirationDate, 30) };
  t.like(await policy.change('renew'), { status: 422, body: { error: 'not_ready', details: window } });
  await policy.advance(addDays(expirationDate, 30));
  t.is((await policy.read()).status, 'expired');
  const { renewalPolicyId } = bodyOf(await policy.change('renew', { effectiveDate: addDays(expirationDate, 10) }), 201);
  t.is((await policy.read()).status, 'renewed');
  t.is((await nextOf(policy, renewalPolicyId)).status, 'active');
  const late = await expiring(1);
  await late.advance(addDays(late.expirationDate, 31));
  t.like(await late.change('renew'), { status: 422, body: { error: 'not_ready' } });
});

test('a policy under notice of non-renewal expires, and says so until then', async (t) => {
  const policy = await expiring(61);
  t.deepEqual(bodyOf(await policy.client.get('/v1/policies', { query: { status: 'non_renewed' } })).data, []);
  const [before, timeline] = [await policy.read(), await policy.timeline()];
  const notice = { reason: 'The line is given up.' };
  const preview = bodyOf(await policy.change('non-renew', notice, { preview: 'true' }));
  t.deepEqual([await policy.read(), await policy.timeline()], [before, timeline]);
  const answered = bodyOf(await policy.change('non-renew', notice));
  const { version, updatedAt } = answered;
  t.deepEqual(preview, { ...answered, preview: true, version: before.version, updatedAt: before.updatedAt });
  t.not(version, before.version);
  t.not(updatedAt, before.updatedAt);
  const nonRenewal = { reason: 'The line is given up.', noticeDate: addDays(policy.expirationDate, -61) };
  t.like(answered, { id: policy.policyId, status: 'active', statuses: ['active', 'non_renewed'], nonRenewal });
  t.like((await policy.timeline()).at(-1), { type: 'non_renewal', status: 'issued', changes: nonRenewal });
  t.deepEqual(await policy.read(), answered);
  const listed = bodyOf(await policy.client.get('/v1/policies', { query: { status: 'non_renewed' } })).data;
  t.deepEqual(listed, [answered]);
  const again = await policy.change('non-renew', { reason: 'Twice.' }, { preview: 'true' });
  t.like(again, { status: 422, body: { error: 'invalid_state_transition' } });
  t.is((await policy.change('renew')).status, 422);
  await policy.advance(policy.expirationDate);
  t.is((await policy.read()).status, 'expired');
});

test('a notice of non-renewal is given once; once withdrawn, the policy can be renewed, even by a batch', async (t) => {
  const policy = await expiring(61);
  const { client, path } = policy;
  const give = () => policy.change('non-renew', { reason: 'The line is given up.' });
  const takeBack = () => client.del(`${path}/non-renew`);
  const refusedAs = (action: string) => ({
    error: 'invalid_state_transition',
    details: { resource: 'policy', action },
  });
  t.like(await takeBack(), { status: 200, body: { nonRenewal: null } });
  bodyOf(await give());
  t.like(await give(), { status: 422, body: refusedAs('non_renew') });
  const renewals = (expiringWithinDays: number) =>
    policy.house.as('org_admin').post('/v1/renewals/batch', { expiringWithinDays, dryRun: true });
  t.like(bodyOf(await renewals(61), 200), { matched: 0 });
  t.is((await policy.house.as('auditor').del(`${path}/non-renew`)).status, 403);

  const answered = bodyOf(await takeBack(), 200);
  t.like(answered, { statuses: ['active'], nonRenewal: null });
  t.deepEqual(await policy.read(), answered);
  t.deepEqual(
    (await policy.timeline()).slice(1).map(({ type, status }: { type: string; status: string }) => [type, status]),
    [
      ['non_renewal', 'reversed'],
      ['non_renewal_withdrawal', 'issued'],
    ],
  );
  t.like(bodyOf(await renewals(61), 200), { matched: 1, renewed: 1 });
  bodyOf(await policy.change('renew'), 201);
});

test('a non-renewal is announced sixty days before the end at the latest', async (t) => {
  const policy = await expiring(59);
  const late = await policy.change('non-renew', { reason: 'The line is given up.' });
  const details = { earliestDate: addDays(policy.expirationDate, 1) };
  t.like(late, { status: 422, body: { error: 'notice_period_not_met', details } });
  const lateToo = await policy.change('non-renew', { reason: 'The line is given up.' }, { preview: 'true' });
  t.like(lateToo, { status: 422, body: { error: 'notice_period_not_met', details } });
  t.deepEqual((await policy.read()).statuses, ['active']);
});

test('a cancellation before the end takes the next term with it, and that one never begins', async (t) => {
  const policy = await expiring(60);
  const { renewalPolicyId } = bodyOf(await policy.change('renew'), 201);
  const day = addDays(policy.expirationDate, -60);
  bodyOf(await policy.change('cancel', { effectiveDate: day, reason: 'insured_request' }), 201);
  const next = await nextOf(policy, renewalPolicyId);
  t.like(next, { status: 'cancelled', grossPremium: 0, totalDue: 0 });
  await policy.advance(policy.expirationDate);
  t.is((await policy.read()).status, 'cancelled');
});

test('a simultaneous cancellation and renewal run one after the other, in either order', async (t) => {
  const policy = await expiring(60);
  const day = addDays(policy.expirationDate, -60);
  const [cancelled, renewed] = await Promise.all([
    policy.change('cancel', { effectiveDate: day, reason: 'insured_request' }),
    policy.change('renew'),
  ]);
  t.is(cancelled.status, 201, cancelled.text);
  t.is((await policy.read()).status, 'cancelled');
  if (renewed.status === 201) await takenAlong(t, policy, renewed);
  else t.like(renewed, { status: 422, body: { details: { from: 'cancelled', action: 'renew' } } });
});

async function takenAlong(t: ExecutionContext, policy: Insured, renewed: TestResponse): Promise<void> {
  t.is((await nextOf(policy, renewed.body.renewalPolicyId)).status, 'cancelled');
}

test('an expired term is audited once: the preview is the call, and the difference is billed on one invoice', async (t) => {
  const policy = await expiring(1);
  const { expirationDate, policyId, house } = policy;
  const actual = { actualRevenue: 1_250_000, reason: 'Books of the year' };
  const early = { error: 'not_ready', details: { earliestDate: expirationDate } };
  t.like(await policy.change('audit', actual), { status: 422, body: early });
  t.is((await house.as('billing_admin').post(`${policy.path}/audit`, actual)).status, 403);
  await policy.advance(expirationDate);
  const before = await policy.read();
  const preview = bodyOf(await policy.change('audit', actual, { preview: 'true' }));
  t.deepEqual(await policy.read(), before);
  const audit = bodyOf(await policy.change('audit', actual), 201);
  t.deepEqual(figures(preview), figures({ ...audit }));
  // 997.50; 5,182.50 × 4.85 percent = 251.35, less 202.97; × 0.04 percent = 2.07, less 1.67.
  t.like(audit, { type: 'audit', status: 'issued', changes: { actualRevenue: 1_250_000 }, reason: actual.reason });
  t.like(audit, { premiumChange: 997.5, feeChange: 0, taxChange: 48.78, totalChange: 1046.28, credits: [] });
  t.like(await policy.read(), { status: 'expired', grossPremium: 4987.5, annualRevenue: 1_000_000 });
  t.is((await policy.timeline()).at(-1).id, audit.id);
  const [{ id, dueDate }] = audit.invoices;
  t.is(dueDate, addDays(expirationDate, 15));
  await policy.advance(addDays(dueDate, 30));
  const billing = house.as('billing_admin');
  t.is(bodyOf(await billing.get(`/v1/invoices/${id}`)).status, 'past_due');
  t.like(await policy.read(), { status: 'expired', statuses: ['expired'] });
  const check = { amount: 1046.28, method: 'check', reference: 'Audit' };
  bodyOf(await billing.post(`/v1/invoices/${id}/pay`, check), 201);
  t.is(bodyOf(await billing.get(`/v1/invoices/${id}`)).status, 'paid');
  const again = await policy.change('audit', actual);
  t.like(again, { status: 409, body: { error: 'already_exists', details: { transactionId: audit.id } } });
  const events = bodyOf(await house.as('org_admin').get('/v1/events', { query: { type: 'policy.audited' } }));
  t.like(events.data[0].data, { policyId, premiumChange: 997.5, actualRevenue: 1_250_000, grossPremium: 4987.5 });
});

test('an unpaid next term is not taken up with the flag: its invoices are void and the policy has expired', async (t) => {
  const policy = await expiring(60);
  const { expirationDate, house } = policy;
  bodyOf(await house.as('org_admin').put('/v1/flags/renewal_requires_payment', { value: true }));
  const { renewalPolicyId, invoices } = bodyOf(await policy.change('renew'), 201);
  await policy.advance(addDays(expirationDate, 10));
  t.like(await nextOf(policy, renewalPolicyId), { status: 'active', statuses: ['active', 'delinquent'] });
  t.is((await policy.read()).status, 'renewed');
  await policy.advance(addDays(expirationDate, 11));
  const cancellation = { effectiveDate: expirationDate, reason: 'flat_not_taken', method: 'flat', source: 'insured' };
  t.like(await nextOf(policy, renewalPolicyId), { status: 'cancelled', totalDue: 0, cancellation });
  t.like(await policy.read(), { status: 'expired', renewalPolicyId: null });
  t.is(bodyOf(await house.as('billing_admin').get(`/v1/invoices/${invoices[0].id}`)).status, 'void');
  const again = bodyOf(await policy.change('renew', { effectiveDate: addDays(expirationDate, 11) }), 201);
  t.not(again.renewalPolicyId, renewalPolicyId);
});

test('money left over from a term pays the next one when it is past due, and no demand goes out', async (t) => {
  const policy = await insured(platform);
  const [{ id, total }] = policy.invoices as [{ id: string; total: number }];
  const billing = policy.house.as('billing_admin');
  const check = { amount: total + 6000, method: 'check', reference: 'Check 7', unapplied: true };
  bodyOf(await billing.post(`/v1/invoices/${id}/pay`, check), 201);
  await policy.advance(addDays(policy.expirationDate, -40));
  const renewal = bodyOf(await policy.change('renew'), 201);
  // 3,990.00 premium, 195.00 fee, 202.98 tax and 1.66 stamping fee, as for the term before.
  const bill = renewal.invoices[0];
  t.is(bill.total, 4389.64);
  await policy.advance(addDays(bill.dueDate, 11));
  t.deepEqual((await nextOf(policy, renewal.renewalPolicyId)).statuses, ['active']);
  t.like(bodyOf(await billing.get(`/v1/invoices/${bill.id}`)), { status: 'paid', balance: 0 });
  const { data } = bodyOf(await billing.get('/v1/unapplied-cash'));
  t.like(data, [{ unappliedAmount: 1610.36 }]);
});
