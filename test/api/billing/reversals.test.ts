// Payments that were never good, by how they came in and why: which can be reversed, with which fee, and what invoice
// and ledgers then show. The invoice of 4,389.64 bills 3,990.00 premium, a fee of 195.00, 202.97 tax and a stamping fee
// of 1.67; without a producer the carrier has 90 percent of the premium and we have 10.
import test, { type ExecutionContext } from 'ava';
import { addDays, maxDate } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, EFFECTIVE_DATE } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Billed, billedOn, pay, refund, refused } from './billed-invoice.ts';
import { reconciled } from './reconciled.ts';

const TOTAL = 4_389.64;
const FEE = 25;
/** Each on its own account once the invoice is paid; 1120 and 4010, 4020 are our 399.00 and 195.00. */
const SHARED = { 1120: 594, 2010: 3_591, 2030: 399, 2040: 202.97, 2050: 1.67, 2090: 195, 4010: 399, 4020: 195 };
/** Due on its own day or in ten days, whichever is later. */
const DUE_AGAIN = maxDate(EFFECTIVE_DATE, addDays(testToday(), 10));

const METHODS = ['check', 'ach', 'wire', 'cash'] as const;
const REASONS = ['nsf', 'stopped', 'error'] as const;
/** A bank returns checks and ACH payments. Anything can be recorded by mistake, and nobody pays a fee for that. */
const ALLOWED: Record<(typeof METHODS)[number], Record<(typeof REASONS)[number], 'with a fee' | 'free' | 'never'>> = {
  check: { nsf: 'with a fee', stopped: 'with a fee', error: 'free' },
  ach: { nsf: 'with a fee', stopped: 'with a fee', error: 'free' },
  wire: { nsf: 'never', stopped: 'never', error: 'free' },
  cash: { nsf: 'never', stopped: 'never', error: 'free' },
};

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** Account → balance, leaving out zeros. */
async function balances({ billing }: Billed): Promise<Record<string, number>> {
  const { data } = bodyOf(await billing.get('/v1/ledger/accounts'));
  const rows = (data as { account: number; balance: number }[]).filter(({ balance }) => balance !== 0);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}

/** Waits until these are the only balances. */
async function holds(t: ExecutionContext, of: Billed, expected: Record<number, number>): Promise<void> {
  const isThere = async () => JSON.stringify(await balances(of)) === JSON.stringify(expected);
  await eventually(isThere, { what: JSON.stringify(expected) }).catch(() => null);
  t.deepEqual(await balances(of), expected as Record<string, number>);
}

/** An invoice paid one way, and the path of its payment. */
async function paidBy(t: ExecutionContext, method: string) {
  const of = await billedOn(platform);
  await pay(of, TOTAL, method, 'Number 1');
  await holds(t, of, { 1010: TOTAL, ...SHARED });
  const { payments } = bodyOf(await of.billing.get(of.path));
  return { ...of, payment: `/v1/payments/${payments[0].id}` };
}

const feesOf = async ({ billing, policyId, invoiceId }: Billed) =>
  (bodyOf(await billing.get('/v1/invoices', { query: { policyId } })).data as { id: string }[]).filter(
    ({ id }) => id !== invoiceId,
  );

for (const method of METHODS) {
  for (const reason of REASONS) {
    const outcome = ALLOWED[method][reason];
    if (outcome === 'never') continue;
    test(`${method}, ${reason}: reversed ${outcome}, the invoice is payable again and the ledgers are as before`, async (t) => {
      const of = await paidBy(t, method);
      const body = outcome === 'with a fee' ? { reason, fee: FEE } : { reason };
      if (outcome === 'free') {
        const charged = await of.billing.post(`${of.payment}/reverse`, { reason, fee: FEE });
        const details = { resource: 'payment', from: method, action: 'reverse', allowed: ['reverse'], field: 'fee' };
        refused(t, charged, 422, 'invalid_state_transition', details);
      }
      const reversal = bodyOf(await of.billing.post(`${of.payment}/reverse`, body), 201);
      t.like(reversal, { kind: 'refund', amount: -TOTAL, method, reversal: true, reason });
      t.is(reversal.coveredAmount, undefined, 'nothing had been refunded');
      t.is(bodyOf(await of.billing.get(of.payment)).status, 'reversed');
      t.like(bodyOf(await of.billing.get(of.path)), {
        ...{ status: 'open', total: TOTAL, paidAmount: TOTAL, refundedAmount: TOTAL, balance: TOTAL },
        dueDate: DUE_AGAIN,
      });
      await holds(t, of, {});

      const fees = await feesOf(of);
      t.is(fees.length, outcome === 'with a fee' ? 1 : 0);
      for (const fee of fees) {
        t.like(fee, { total: FEE, balance: FEE, status: 'open', dueDate: addDays(testToday(), 10) });
        await pay({ ...of, path: `/v1/invoices/${fee.id}` }, FEE, 'check', 'For the fee');
        await holds(t, of, { 1010: FEE, 1120: FEE, 2090: FEE, 4020: FEE });
      }
      t.deepEqual((await reconciled(of.billing)).findings, []);
    });
  }
}

for (const method of ['wire', 'cash'] as const) {
  test(`${method}: no bank returns it, so nsf and stopped are refused, and nothing changes`, async (t) => {
    const of = await paidBy(t, method);
    for (const reason of ['nsf', 'stopped']) {
      const answer = await of.billing.post(`${of.payment}/reverse`, { reason, fee: FEE });
      const details = { resource: 'payment', from: method, action: 'reverse', allowed: ['reverse'], field: 'reason' };
      refused(t, answer, 422, 'invalid_state_transition', details);
    }
    t.like(bodyOf(await of.billing.get(of.path)), { status: 'paid', balance: 0, refundedAmount: 0 });
    t.deepEqual(await feesOf(of), []);
    await holds(t, of, { 1010: TOTAL, ...SHARED });
  });
}

test('a reversal and a lost dispute cover what had been refunded before: coveredAmount, due from operating, our loss', async (t) => {
  const of = await paidBy(t, 'ach');
  await refund(of, 600);
  await eventually(async () => (await balances(of))[2060] === 600, { what: 'the refund in the ledger' });
  const [owed] = bodyOf(await of.billing.get('/v1/disbursements')).data;
  bodyOf(await of.billing.post(`/v1/disbursements/${owed.id}/issue`, { checkNumber: '77' }));
  const reversal = bodyOf(await of.billing.post(`${of.payment}/reverse`, { reason: 'nsf' }), 201);
  t.like(reversal, { amount: -TOTAL, coveredAmount: 600 });
  // 4,389.64 came and went, and 600.00 went a second time.
  await holds(t, of, { 1010: -600, 1040: 600, 2110: 600, 5020: 600 });
  t.is(bodyOf(await of.billing.get(of.path)).balance, 3_789.64, 'only what was not given back is payable again');

  const card = await billedOn(platform);
  const { processor } = platform.providers;
  const { paymentIntentId } = bodyOf(await card.billing.post(`${card.path}/payment-intent`, {}), 201);
  processor.pay(paymentIntentId);
  await holds(t, card, { 1110: TOTAL, ...SHARED });
  await refund(card, 400);
  await eventually(async () => (await balances(card))[1110] === 3_989.64, { what: 'the refund in the ledger' });
  const disputeId = processor.dispute(paymentIntentId, 438_964, { reason: 'fraudulent' });
  const chargeback = await eventually(
    async () => {
      const { payments } = bodyOf(await card.billing.get(card.path));
      return payments.find((payment: { chargeback?: boolean }) => payment.chargeback === true);
    },
    { what: 'the chargeback' },
  );
  t.like(bodyOf(await card.billing.get(`/v1/payments/${chargeback.id}`)), { amount: -TOTAL, coveredAmount: 400 });
  processor.closeDispute(disputeId, 'lost');
  await eventually(async () => bodyOf(await card.billing.get(card.path)).balance === 3_989.64, { what: 'the loss' });
  await holds(t, card, { 1040: 400, 1110: -400, 2110: 400, 5020: 400 });
});
