// A change of payment plan through the API and the policy's workflow.
import test from 'ava';
import { addDays, addMonths } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { cents, figures, insured, pay } from './policy-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface Bill {
  id: string;
  dueDate: string;
  total: number;
  balance: number;
  status: string;
}

test('a policy is billed by another plan once, its preview says how, and later changes and the renewal go on with it', async (t) => {
  const policy = await insured(platform, 'SEMI_ANNUAL_2');
  const { house, client, path, policyId, effectiveDate, expirationDate } = policy;
  const billing = house.as('billing_admin');
  const bills = async () => {
    const all = (await allPages(billing, '/v1/invoices', { policyId })) as unknown as Bill[];
    const standing = all.filter(({ status }) => status !== 'void');
    return standing.toSorted((one, other) => (one.dueDate < other.dueDate ? -1 : 1));
  };
  await pay(policy);
  const wanted = { installmentPlan: 'QUARTERLY_4', reason: 'Smaller installments.' };
  const preview = await billing.post(`${path}/payment-plan`, wanted, { query: { preview: 'true' } });
  t.is(preview.status, 200, preview.text);
  const once = { headers: { 'idempotency-key': 'another plan' } };
  const changed = bodyOf(await billing.post(`${path}/payment-plan`, wanted, once), 201);
  t.deepEqual(figures(changed), figures({ ...preview.body, preview: undefined }));
  t.deepEqual(bodyOf(await billing.post(`${path}/payment-plan`, wanted, once), 201), changed);
  t.like(changed, { type: 'payment_plan', status: 'issued', totalChange: 0, premiumChange: 0, reason: wanted.reason });
  t.deepEqual(changed.changes, { installmentPlan: 'QUARTERLY_4', previousPlan: 'SEMI_ANNUAL_2' });

  // 1,995.00 of 3,990.00 was paid: two of four installments. 997.50 is left on each.
  const made = await bills();
  t.deepEqual(
    made.slice(1).map(({ dueDate, total }) => [dueDate, total]),
    [6, 9].map((months) => [addMonths(effectiveDate, months), 997.5]),
  );
  t.like(await policy.read(), { installmentPlan: 'QUARTERLY_4', totalDue: 4389.64 });
  t.is(cents(made.reduce((sum, { total }) => sum + total, 0)), 4389.64);
  t.deepEqual(
    (await policy.timeline()).map(({ type }: { type: string }) => type),
    ['new_business', 'payment_plan'],
  );
  const { data: events } = bodyOf(
    await house.as('org_admin').get('/v1/events', { query: { type: 'policy.payment_plan_changed' } }),
  );
  t.like(events, {
    length: 1,
    0: { data: { policyId, installmentPlan: 'QUARTERLY_4', previousPlan: 'SEMI_ANNUAL_2' } },
  });
  const { data: audit } = bodyOf(await house.as('auditor').get('/v1/audit', { query: { entity: policyId } }));
  const entry = audit.find(({ action }: { action: string }) => action === 'policy:change_payment_plan');
  const changedPlan = entry.changes.find(({ field }: { field: string }) => field === 'installmentPlan');
  t.like(changedPlan, { before: 'SEMI_ANNUAL_2', after: 'QUARTERLY_4' });

  await policy.advance(addDays(effectiveDate, 30));
  const more = { effectiveDate: addDays(effectiveDate, 30), changes: { annualRevenue: 1_500_000 } };
  const endorsed = bodyOf(await policy.change('endorse', more), 201);
  t.deepEqual(
    endorsed.invoices.map(({ id }: Bill) => id),
    made.slice(1).map(({ id }) => id),
  );
  for (const { id, balance } of await bills()) {
    const check = { amount: balance, method: 'check', reference: `Check ${id}` };
    if (balance > 0) bodyOf(await billing.post(`/v1/invoices/${id}/pay`, check), 201);
  }
  await policy.advance(addDays(expirationDate, -60));
  const renewal = bodyOf(await client.post(`${path}/renew`, {}), 201);
  t.is(renewal.invoices.length, 4);
});

test('a plan that cannot be changed says why, and only a user who may bill or bind may change it', async (t) => {
  const policy = await insured(platform, 'QUARTERLY_4');
  const { house, path } = policy;
  const send = (installmentPlan: string, role: Parameters<typeof house.as>[0] = 'underwriter') =>
    house.as(role).post(`${path}/payment-plan`, { installmentPlan });
  t.like(await send('QUARTERLY_4'), {
    ...{ status: 400, body: { error: 'validation_failed', details: { field: 'installmentPlan', rule: 'no_change' } } },
  });
  t.is((await send('WEEKLY_52')).status, 400);
  t.is((await send('MONTHLY_10', 'auditor')).status, 403);
  t.is(
    (await (await newHouse(platform)).as('underwriter').post(`${path}/payment-plan`, { installmentPlan: 'MONTHLY_10' }))
      .status,
    404,
  );
  bodyOf(await policy.change('cancel', { effectiveDate: policy.effectiveDate, reason: 'flat_not_taken' }), 201);
  t.like(await send('MONTHLY_10'), { status: 422, body: { error: 'invalid_state_transition' } });

  const whole = await insured(platform, 'PAY_IN_FULL');
  await pay(whole);
  t.like(await whole.change('payment-plan', { installmentPlan: 'MONTHLY_10' }), {
    ...{ status: 422, body: { error: 'not_ready', details: { blockers: ['NOTHING_TO_REBILL'] } } },
  });
});

test('two changes at the same time leave one set of bills', async (t) => {
  const policy = await insured(platform, 'MONTHLY_10');
  const { house, policyId } = policy;
  const plans = ['QUARTERLY_4', 'QUARTERLY_4', 'SEMI_ANNUAL_2', 'MONTHLY_12'];
  const answers = await Promise.all(plans.map((installmentPlan) => policy.change('payment-plan', { installmentPlan })));
  const made = answers.filter(({ status }) => status === 201).length;
  t.is(answers.filter(({ status }) => status === 400).length, 4 - made);
  const all = (await allPages(house.as('billing_admin'), '/v1/invoices', { policyId })) as unknown as Bill[];
  const standing = all.filter(({ status }) => status !== 'void');
  t.is(cents(standing.reduce((sum, { total }) => sum + total, 0)), 4389.64);
});

test('a card attempt on a bill that is void now is cancelled, so that nobody pays it beside the new ones', async (t) => {
  const policy = await insured(platform, 'SEMI_ANNUAL_2');
  const [first] = policy.invoices;
  const attempt = bodyOf(
    await policy.house.as('billing_admin').post(`/v1/invoices/${first?.id}/payment-intent`, {}),
    201,
  );
  bodyOf(await policy.change('payment-plan', { installmentPlan: 'MONTHLY_10' }), 201);
  const statusAtProcessor = async () => (await platform.providers.card.readIntent(attempt.paymentIntentId)).status;
  await eventually(async () => (await statusAtProcessor()) === 'canceled', { what: 'the attempt to be cancelled' });
  t.pass();
});
