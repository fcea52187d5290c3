// One payment over the API: how it is shown while a bank decides, and how a bounced check is reversed. The card
// processor's signed events arrive as in production.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { allPages, bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** The 4,389.64 invoice of a bound policy. */
async function billed() {
  const house = await newHouse(platform);
  const { invoices } = await bound(house.as('underwriter'));
  const billing = house.as('billing_admin');
  const path = `/v1/invoices/${invoices[0].id}`;
  const until = (what: string, holds: (invoice: Record<string, unknown>) => boolean) =>
    eventually(
      async () => {
        const invoice = bodyOf(await billing.get(path));
        return holds(invoice) && invoice;
      },
      { what },
    );
  return { house, billing, path, until };
}

test('a payment is disputed while its bank decides, and reversed when the bank keeps the money', async (t) => {
  const { billing, path, until } = await billed();
  const { processor } = platform.providers;
  const { paymentIntentId } = bodyOf(await billing.post(`${path}/payment-intent`, {}), 201);
  processor.pay(paymentIntentId);
  const paid = await until('the payment', ({ status }) => status === 'paid');
  const disputeId = processor.dispute(paymentIntentId, undefined, { reason: 'fraudulent' });
  await until('the dispute', ({ disputed }) => disputed === true);
  const payment = `/v1/payments/${paid.payments[0].id}`;
  const disputed = bodyOf(await billing.get(payment));
  t.like(disputed, { kind: 'card', status: 'disputed', amount: 4_389.64 });
  t.like(disputed.dispute, { id: disputeId, outcome: 'open', amount: 4_389.64, reason: 'fraudulent', closedAt: null });
  const collect = await billing.post(`${path}/payment-intent`, {});
  t.is(collect.status, 422);
  t.like(collect.body.details, { from: 'disputed', action: 'payment_intent' });
  const byHand = await billing.post(`${payment}/reverse`, { reason: 'error' });
  t.is(byHand.status, 422);
  t.is(byHand.body.error, 'invalid_state_transition');

  processor.updateDispute(disputeId);
  processor.closeDispute(disputeId, 'lost');
  const owed = await until('the loss', ({ balance }) => balance === 4_389.64);
  t.like(owed, { disputed: false, status: 'open' });
  t.like(bodyOf(await billing.get(payment)), { status: 'reversed' });
  t.is(owed.payments[1].reverses, paid.payments[0].id);
  bodyOf(await billing.post(`${path}/payment-intent`, {}), 201);
});

test('a returned check is reversed once, and its fee is billed separately', async (t) => {
  const { house, billing, path, until } = await billed();
  const check = { amount: 4_389.64, method: 'check', reference: 'Check 1' };
  const { id } = bodyOf(await billing.post(`${path}/pay`, check), 201);
  await until('the payment', ({ status }) => status === 'paid');
  const reverse = { reason: 'nsf', fee: 25 };
  t.is((await house.as('auditor').post(`/v1/payments/${id}/reverse`, reverse)).status, 403);
  t.is((await billing.post(`/v1/payments/${id}/reverse`, { reason: 'bounced' })).status, 400);
  const slip = await billing.post(`/v1/payments/${id}/reverse`, { reason: 'nsf', fee: 1_000.01 });
  t.like(slip.body, { error: 'validation_failed', details: { field: 'fee', rule: 'max' } });
  const headers = { 'idempotency-key': 'reverse check 1' };
  const reversal = bodyOf(await billing.post(`/v1/payments/${id}/reverse`, reverse, { headers }), 201);
  t.like(reversal, { kind: 'refund', amount: -4_389.64, method: 'check', reversal: true, reverses: id, reason: 'nsf' });
  t.deepEqual(bodyOf(await billing.post(`/v1/payments/${id}/reverse`, reverse, { headers }), 201), reversal);
  t.deepEqual(bodyOf(await billing.get(`/v1/payments/${reversal.id}`)), reversal);
  t.is((await billing.get(`/v1/payments/${id.replace('pay_', 'inv_')}`)).status, 404);
  const again = await billing.post(`/v1/payments/${id}/reverse`, reverse);
  t.is(again.status, 422);
  t.like(again.body, { error: 'invalid_state_transition', details: { resource: 'payment', from: 'reversed' } });
  const invoice = bodyOf(await billing.get(path));
  t.like(invoice, { status: 'open', balance: 4_389.64 });
  t.like(invoice.payments[0], { id, status: 'reversed' });
  const { data } = bodyOf(await billing.get('/v1/invoices', { query: { policyId: invoice.policyId } }));
  t.like(data[0], { total: 25, status: 'open' });
  t.like(data[0].lines[0], { kind: 'fee', code: 'NSF_FEE', amount: 25 });
});

test('a clerk finds a payment by how its reference begins, and by its method, invoice, policy and day', async (t) => {
  const house = await newHouse(platform);
  const billing = house.as('billing_admin');
  const [diner, cafe] = [await bound(house.as('underwriter')), await bound(house.as('underwriter'))];
  const pay = async ({ invoices }: typeof diner, reference: string, method: string, receivedDate?: string) => {
    const money = { amount: 10, method, reference, ...(receivedDate ? { receivedDate } : {}) };
    return bodyOf(await billing.post(`/v1/invoices/${invoices[0].id}/pay`, money), 201).id;
  };
  const today = testToday();
  const before = addDays(today, -3);
  const check = await pay(diner, 'Check 2001', 'check', before);
  const other = await pay(cafe, 'Check 2002', 'check');
  const wire = await pay(diner, 'W-3%', 'wire');
  const returned = bodyOf(await billing.post(`/v1/payments/${other}/reverse`, { reason: 'nsf' }), 201).id;
  const cases: [query: Record<string, string>, ids: string[]][] = [
    [{}, [returned, wire, other, check]],
    [{ q: 'check 200' }, [other, check]],
    [{ q: 'CHECK 2001' }, [check]],
    [{ q: '2001' }, []],
    [{ q: 'w-3' }, [wire]],
    [{ q: 'w_3' }, []],
    [{ q: '%' }, []],
    [{ method: 'wire' }, [wire]],
    [{ method: 'cash' }, []],
    [{ invoiceId: diner.invoices[0].id }, [wire, check]],
    [{ policyId: cafe.policyId }, [returned, other]],
    [{ receivedTo: before }, [check]],
    [{ receivedFrom: addDays(before, 1) }, [returned, wire, other]],
    [{ receivedFrom: before, receivedTo: before, q: 'check' }, [check]],
  ];
  for (const [query, ids] of cases) {
    const rows = await allPages(billing, '/v1/payments', { ...query, limit: 2 });
    t.deepEqual(
      rows.map(({ id }) => id),
      ids,
      JSON.stringify(query),
    );
  }
  const [shown] = bodyOf(await billing.get('/v1/payments', { query: { q: 'Check 2002' } })).data;
  t.like(shown, { id: other, invoiceId: cafe.invoices[0].id, status: 'reversed', amount: 10 });
  t.deepEqual(shown, bodyOf(await billing.get(`/v1/payments/${other}`)));
  const invoices = bodyOf(await billing.get('/v1/invoices', { query: { q: 'check 2001' } })).data;
  t.deepEqual(
    invoices.map(({ id }: { id: string }) => id),
    [diner.invoices[0].id],
  );
  const elsewhere = (await newHouse(platform)).as('billing_admin');
  t.deepEqual(bodyOf(await elsewhere.get('/v1/payments', { query: { q: 'check' } })).data, []);
  t.deepEqual(bodyOf(await elsewhere.get('/v1/invoices', { query: { q: 'check' } })).data, []);
  for (const role of ['producer', 'underwriter', 'claims_adjuster']) {
    t.is((await house.as(role).get('/v1/payments')).status, 403, role);
  }
});
