// A preview shows, figure by figure, what the call then does: the invoices that it creates or changes and what comes
// off them, by part. Contract 1 "preview", 3.2.
import test, { type ExecutionContext } from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { cents, figures, type Insured, insured, pay, proRata } from './policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface Invoice {
  id: string | null;
  invoiceNumber: string | null;
  change: number;
}

interface Credit {
  kind: string;
  amount: number;
  parts: Record<string, number>;
}

/** Previews a change, makes it, and compares the answer and the timeline with the preview. */
async function previewed(t: ExecutionContext, policy: Insured, name: string, body: object = {}) {
  const preview = bodyOf(await policy.change(name, body, { preview: 'true' }), 200);
  const answer = bodyOf(await policy.change(name, body), 201);
  t.deepEqual(figures(answer), figures(preview), name);
  const [planned, made] = [preview.invoices, answer.invoices] as [Invoice[], Invoice[]];
  for (const [index, { id, invoiceNumber }] of planned.entries()) {
    t.is(id === null, invoiceNumber === null);
    if (id !== null) t.is(made[index]?.id, id);
    t.regex(made[index]?.invoiceNumber ?? '', /^INV-/);
  }
  const changed = made.map(({ change }) => change);
  const refunded = (answer.credits as Credit[]).filter(({ kind }) => kind === 'refunded').map(({ amount }) => amount);
  t.is(cents([...changed, ...refunded].reduce((sum, each) => sum + each, 0)), answer.totalChange, name);
  for (const { amount, parts } of answer.credits as Credit[]) {
    t.is(cents(Object.values(parts).reduce((sum, each) => sum + each, 0)), amount);
  }
  return answer;
}

test('an endorsement up, one down and a reinstatement without a gap do what their previews show', async (t) => {
  const policy = await insured(platform, 'QUARTERLY_4');
  await pay(policy);
  const day = addDays(policy.effectiveDate, 40);
  await policy.advance(day);
  const more = { effectiveDate: day, changes: { annualRevenue: 1_300_000 } };
  const up = await previewed(t, policy, 'endorse', more);
  t.is(up.invoices.length, 3, 'the three installments that are not yet due');
  const less = { effectiveDate: day, changes: { annualRevenue: 900_000 } };
  const down = await previewed(t, policy, 'endorse', less);
  t.deepEqual([...new Set(down.credits.map(({ kind }: Credit) => kind))], ['reduced']);
  const cancelled = await previewed(t, policy, 'cancel', { effectiveDate: day, reason: 'insured_request' });
  t.true(cancelled.credits.length >= 2);
  await previewed(t, policy, 'reinstate');
  t.deepEqual(
    (await policy.timeline()).find(({ id }: { id: string }) => id === cancelled.id)?.credits,
    cancelled.credits,
  );
});

test('a cancellation of a paid policy and a reinstatement with a gap do what their previews show', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  const day = addDays(policy.effectiveDate, 146);
  await policy.advance(day);
  const cancelled = await previewed(t, policy, 'cancel', { effectiveDate: day, reason: 'insured_request' });
  const [{ kind, amount, parts }] = cancelled.credits;
  t.is(kind, 'refunded');
  t.is(amount, cancelled.totalChange);
  t.like(parts, { premium: cancelled.premiumChange, fee: 0 });
  await policy.advance(addDays(day, 5));
  await previewed(t, policy, 'reinstate', { effectiveDate: addDays(day, 5) });
});

test('a scheduled cancellation previews the effect of its day, and its day then brings it', async (t) => {
  const policy = await insured(platform, 'QUARTERLY_4');
  await pay(policy);
  const day = addDays(policy.effectiveDate, 73);
  const scheduled = await previewed(t, policy, 'cancel', { effectiveDate: day, reason: 'underwriting' });
  t.is(scheduled.status, 'scheduled');
  const claimed = async () => {
    const { data } = bodyOf(
      await policy.house.as('billing_admin').get('/v1/invoices', { query: { policyId: policy.policyId } }),
    );
    return data.map(({ status }: { status: string }) => status);
  };
  t.false((await claimed()).includes('void'), 'nothing is billed before the day');
  await policy.advance(day);
  const ended = (await policy.timeline()).find(({ id }: { id: string }) => id === scheduled.id);
  t.is(ended.status, 'issued');
  t.deepEqual([ended.invoices, ended.credits], [scheduled.invoices, scheduled.credits]);
  t.true((await claimed()).includes('void'));
});

test('a cancellation that waits behind a notice for non-payment shows the effect of its day', async (t) => {
  const policy = await insured(platform, 'QUARTERLY_4');
  await policy.advance(addDays(policy.effectiveDate, 12));
  const day = addDays(policy.effectiveDate, 73);
  const scheduled = await previewed(t, policy, 'cancel', { effectiveDate: day, reason: 'underwriting' });
  t.like(scheduled, { status: 'scheduled', premiumChange: -proRata(3990, policy, day) });
  // Nothing is paid, so everything returned comes off bills.
  const credited = scheduled.credits.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
  t.is(cents(credited), scheduled.totalChange);
});

test('a renewal makes the invoices that its preview shows', async (t) => {
  const policy = await insured(platform, 'QUARTERLY_4');
  await pay(policy);
  await policy.house.as('org_admin').post('/v1/billing-holds', {
    ...{ state: 'TX', from: policy.effectiveDate, to: policy.expirationDate },
  });
  await policy.advance(addDays(policy.expirationDate, -60));
  const renewal = await previewed(t, policy, 'renew', { changes: { annualRevenue: 1_300_000 } });
  t.is(renewal.invoices.length, 4);
});

test('an endorsement offers itself to a next term that is already bound, and is applied to it from its first day', async (t) => {
  const policy = await insured(platform);
  await pay(policy);
  const day = addDays(policy.expirationDate, -60);
  await policy.advance(day);
  const alone = bodyOf(await policy.change('endorse', { effectiveDate: day, changes: { deductible: 5_000 } }), 201);
  t.like(alone, { renewalPolicyId: null, renewalCarriesChange: null, renewalTransaction: null });
  const { renewalPolicyId } = bodyOf(await policy.change('renew'), 201);
  const more = { effectiveDate: day, changes: { annualRevenue: 1_300_000 } };
  const offered = bodyOf(await policy.change('endorse', more, { preview: 'true' }), 200);
  t.like(offered, { renewalPolicyId, renewalCarriesChange: false, renewalTransaction: null });
  const body = { ...more, applyToRenewal: true };
  const preview = bodyOf(await policy.change('endorse', body, { preview: 'true' }), 200);
  const answer = bodyOf(await policy.change('endorse', body), 201);
  for (const each of [preview, answer]) t.like(each, { renewalPolicyId, renewalCarriesChange: true });
  t.deepEqual(figures(answer.renewalTransaction), figures(preview.renewalTransaction));
  t.like(answer.renewalTransaction, { policyId: renewalPolicyId, effectiveDate: policy.expirationDate });
  const next = bodyOf(await policy.client.get(`/v1/policies/${renewalPolicyId}`));
  t.like(next, { annualRevenue: 1_300_000, status: 'pending' });
});

test('an endorsement issued by mistake is voided as its preview shows, once, and the terms of every day follow', async (t) => {
  const policy = await insured(platform, 'QUARTERLY_4');
  await pay(policy);
  const day = addDays(policy.effectiveDate, 40);
  await policy.advance(day);
  const endorsed = { effectiveDate: day, changes: { annualRevenue: 1_300_000 } };
  const { id, totalChange } = bodyOf(await policy.change('endorse', endorsed), 201);
  const path = `transactions/${id}/void`;
  const reversal = await previewed(t, policy, path, { reason: 'It was meant for another policy.' });
  t.like(reversal, { type: 'endorsement', reverses: id, status: 'issued', totalChange: -totalChange });
  const timeline = await policy.timeline();
  t.like(timeline.at(-1), { id: reversal.id, actor: { kind: 'user' } });
  t.like(timeline.at(-2), { id, status: 'reversed' });
  for (const asOf of [addDays(day, -1), day]) {
    t.like(await policy.read({ asOf }), { annualRevenue: 1_000_000, grossPremium: 3990 });
  }
  t.like(await policy.read(), { annualRevenue: 1_000_000, grossPremium: 3990, totalDue: 4389.64 });
  const again = await policy.change(path, { reason: 'Again.' });
  t.like(again, { status: 422, body: { error: 'invalid_state_transition', details: { resource: 'transaction' } } });
  const unknown = await policy.change(path.replace(id, policy.policyId.replace('pol_', 'ptx_')), { reason: 'None.' });
  t.is(unknown.status, 404);
});
