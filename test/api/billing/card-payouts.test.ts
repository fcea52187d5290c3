// Card processor payouts reach the trust account once, less fees that the trust does not bear.
import test from 'ava';
import { deliveryTo, processorId } from '../../support/card-events.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { allPages, bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { refused } from './billed-invoice.ts';
import { reconciled } from './reconciled.ts';
import { paid, paidPolicy } from './remittance-calls.ts';

const TODAY = testToday();
const PATH = '/v1/ledger/card-payouts';
const TOTAL = 4_389.64;

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** Every payout takes all of the processor's money, so each test begins with nothing. */
test.serial.beforeEach(() => {
  platform.providers.processor.release();
});

/** Account → balance, leaving out zeros. */
async function balances(house: House): Promise<Record<string, number>> {
  const { data } = bodyOf(await house.as('finance_analyst').get('/v1/ledger/accounts'));
  const rows = (data as { account: number; balance: number }[]).filter(({ balance }) => balance !== 0);
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}

/** Binds a policy of the worked example, 4,389.64, pays it by card, and waits until it is shared out. */
async function paidByCard(): Promise<{ house: House; intentId: string }> {
  const house = await newHouse(platform);
  const billing = house.as('billing_admin');
  const [{ id }] = (await bound(house.as('underwriter'))).invoices;
  const { paymentIntentId: intentId } = bodyOf(await billing.post(`/v1/invoices/${id}/payment-intent`, {}), 201);
  platform.providers.processor.pay(intentId);
  await eventually(async () => ((await balances(house))[2010] ?? 0) > 0, { what: 'the split' });
  return { house, intentId };
}

async function payouts(house: House, count = 1) {
  const list = () => allPages(house.as('auditor'), PATH);
  await eventually(async () => (await list()).length === count, { what: `${count} payouts` });
  return (await list()) as { id: string; status: string; net: number }[];
}

test.serial('the trust pays nobody with money the card processor still holds', async (t) => {
  const { house } = await paidByCard();
  const [finance, billing] = [house.as('finance_analyst'), house.as('billing_admin')];
  for (const [path, body] of [
    ['/v1/remittances', { carrier: 'Default Carrier' }],
    ['/v1/ledger/transfers', {}],
  ] as const) {
    const prepared = bodyOf(await finance.post(path, { ...body, through: TODAY }), 201);
    t.is(prepared.trustCash, 0, 'the cash is shown where somebody prepares a payment');
    const details = { amount: prepared.amount, balance: 0, account: 1010 };
    const approve = () => billing.post(`${path}/${prepared.id}/approve`);
    refused(t, await approve(), 422, 'amount_exceeds_balance', details);
    t.is((await balances(house))[1010], undefined);
    t.is(bodyOf(await finance.get(`${path}/${prepared.id}`)).status, 'pending_approval');
  }
  platform.providers.processor.payOut();
  await payouts(house);
  const [transfer] = bodyOf(await finance.get('/v1/ledger/transfers')).data;
  const approved = bodyOf(await billing.post(`/v1/ledger/transfers/${transfer.id}/approve`));
  t.like(approved, { status: 'paid', trustCash: null });
  // 4,389.64 came in; the commission and the fee leave.
  t.is((await balances(house))[1010], Math.round((4_389.64 - transfer.amount) * 100) / 100);
});

test.serial('a payout is recorded once, however often and however many at a time its event comes', async (t) => {
  const { house, intentId } = await paidByCard();
  const { processor } = platform.providers;
  const payoutId = processor.payOut();
  const [payout] = await payouts(house);
  // 2.9 percent of 4,389.64 and 30 cents: 127.2996 -> 127.30 + 0.30 = 127.60; 4,389.64 - 127.60 = 4,262.04.
  t.like(payout, {
    ...{ processorPayoutId: payoutId, status: 'paid', gross: 4_389.64, fees: 127.6, net: 4_262.04 },
    ...{ payoutAmount: 4_262.04, transactionCount: 1, recordedOn: TODAY, failedOn: null, trace: null },
  });
  const expected = { 1010: 4_389.64, 1030: -127.6, 5010: 127.6 };
  t.like(await balances(house), expected);
  t.is((await balances(house))[1110], undefined, 'the processor has nothing any more');
  processor.repeat(processor.events().find(({ type }) => type === 'payout.paid')?.id, 5);
  await processor.settled();
  t.is((await payouts(house)).length, 1);
  t.like(await balances(house), expected);

  const read = await house.as('finance_analyst').get(`${PATH}/${payout?.id}`);
  t.deepEqual(bodyOf(read), payout);
  const [transaction, ...others] = await allPages(house.as('finance_analyst'), `${PATH}/${payout?.id}/transactions`);
  t.deepEqual(others, []);
  t.like(transaction, { type: 'charge', paymentIntentId: intentId, amount: 4_389.64, fee: 127.6, net: 4_262.04 });
  const none = bodyOf(await house.as('auditor').get(PATH, { query: { status: 'failed' } }));
  t.deepEqual(none.data, []);

  const { failed, figures } = await reconciled(house.as('billing_admin'));
  t.deepEqual(failed, []);
  t.like(figures, { trustCash: 4_389.64, cashReceived: 4_389.64, cardClearing: 0, cardReceived: 0, swept: 4_389.64 });
});

test.serial(
  'a fee for the account is kept by the processor like that of a charge, and 1110 is empty after it',
  async (t) => {
    const { house } = await paidByCard();
    platform.providers.processor.chargeAccountFee(200);
    platform.providers.processor.payOut();
    // 127.60 for the charge and 2.00 for the account: 4,389.64 - 129.60 = 4,260.04.
    t.like((await payouts(house))[0], { gross: 4_389.64, fees: 129.6, net: 4_260.04, payoutAmount: 4_260.04 });
    t.like(await balances(house), { 1010: 4_389.64, 1030: -129.6, 5010: 129.6 });
    t.is((await balances(house))[1110], undefined);
    t.deepEqual((await reconciled(house.as('billing_admin'))).failed, []);
  },
);

test.serial(
  'a payout that the bank does not take is with the processor again, and the next one brings it',
  async (t) => {
    const { house } = await paidByCard();
    const { processor } = platform.providers;
    const payoutId = processor.payOut();
    await payouts(house);
    processor.failPayout(payoutId);
    const admin = house.as('org_admin');
    const alerts = async () =>
      bodyOf(await admin.get('/v1/events', { query: { type: 'financial.operation_failed' } })).data;
    await eventually(async () => (await alerts()).length === 1, { what: 'the alert' });
    t.like((await alerts())[0].data, { operation: 'card.payout_failed', reference: payoutId, amount: 4_262.04 });
    t.like((await payouts(house))[0], { status: 'failed', failedOn: TODAY });
    // The fee that the processor kept on the charge stays kept, and operating cash has still made it good.
    t.like(await balances(house), { 1010: 127.6, 1110: 4_262.04, 1030: -127.6, 5010: 127.6 });
    t.deepEqual((await reconciled(house.as('billing_admin'))).failed, []);
    processor.repeat();
    await processor.settled();
    t.is((await alerts()).length, 1, 'it is raised once');

    processor.payOut();
    const [next] = await payouts(house, 2);
    t.like(next, { status: 'paid', gross: 4_262.04, fees: 0, net: 4_262.04, transactionCount: 1 });
    t.like(await balances(house), { 1010: 4_389.64, 1030: -127.6, 5010: 127.6 });
    t.is((await balances(house))[1110], undefined);
    t.deepEqual((await reconciled(house.as('billing_admin'))).failed, []);
  },
);

/** Everything that an administrator can read about a payout. */
function everythingSaid(house: House) {
  const paths = [PATH, '/v1/events', '/v1/audit', '/v1/ledger/bank-movements', '/v1/trust-reconciliations'];
  return Promise.all(paths.map((path) => allPages(house.as('org_admin'), path)));
}

test.serial('each organization in a shared payout has its own part, and sees no more', async (t) => {
  const [one, other] = [await paidByCard(), await paidByCard()];
  const { processor } = platform.providers;
  processor.refund(one.intentId, 100_000);
  await eventually(async () => (await balances(one.house))[1110] === 3_389.64, { what: 'the refund to be posted' });
  const payoutId = processor.payOut();
  // 4,262.04 less the 1,000.00 refunded.
  t.like((await payouts(one.house))[0], {
    ...{ processorPayoutId: payoutId, gross: 3_389.64, fees: 127.6, net: 3_262.04, transactionCount: 2 },
  });
  t.like((await payouts(other.house))[0], { gross: 4_389.64, fees: 127.6, net: 4_262.04, transactionCount: 1 });
  t.deepEqual((await reconciled(one.house.as('billing_admin'))).failed, []);
  t.deepEqual((await reconciled(other.house.as('billing_admin'))).failed, []);
  for (const { house } of [one, other]) {
    const [row] = await payouts(house);
    t.like(row, { payoutAmount: null }, 'nobody learns what the others have taken');
    t.like(bodyOf(await house.as('finance_analyst').get(`${PATH}/${row?.id}`)), { payoutAmount: null });
    // 4,262.04 + 3,262.04 = 7,524.08.
    t.notRegex(JSON.stringify(await everythingSaid(house)), /7524\.?08/);
  }
});

test.serial(
  'money returned from a payout that was never reported goes to each organization that the money belongs to',
  async (t) => {
    const [one, other] = [await paidByCard(), await paidByCard()];
    const { processor } = platform.providers;
    processor.hold();
    processor.failPayout(processor.payOut());
    const next = processor.payOut();
    const event = { id: processorId('evt'), type: 'payout.paid', data: { object: { id: next, object: 'payout' } } };
    t.is((await deliveryTo(platform.anonymous)(event)).status, 200);
    for (const { house } of [one, other]) {
      const [second, first] = await payouts(house, 2);
      t.like(first, { status: 'failed', gross: TOTAL, fees: 127.6, net: 4_262.04 });
      t.like(second, { status: 'paid', gross: 4_262.04, fees: 0, net: 4_262.04 });
      t.like(await balances(house), { 1010: TOTAL, 1030: -127.6, 5010: 127.6 });
      t.is((await balances(house))[1110], undefined);
    }
  },
);

test.serial('a payout whose event never came is recorded by the next reconciliation', async (t) => {
  const { house } = await paidByCard();
  platform.providers.processor.hold();
  platform.providers.processor.payOut();
  t.deepEqual(await allPages(house.as('auditor'), PATH), []);
  t.deepEqual((await reconciled(house.as('billing_admin'))).failed, []);
  t.is((await payouts(house)).length, 1);
  platform.providers.processor.release();
  await platform.providers.processor.settled();
  t.is((await payouts(house)).length, 1, 'the event that came late changes nothing');
});

test.serial('a payout that a person made at the processor is posted nowhere and holds up no other check', async (t) => {
  const { house } = await paidByCard();
  platform.providers.processor.payOut({ byHand: true });
  await platform.providers.processor.settled();
  const { failed, checks } = await reconciled(house.as('billing_admin'));
  t.deepEqual(failed, []);
  const skipped = checks.filter(({ status }: { status: string }) => status === 'skipped');
  t.deepEqual(skipped, [], 'the statement of the processor was read');
  t.deepEqual(await allPages(house.as('auditor'), PATH), []);
});

test.serial('a payout in another currency is posted nowhere and raised once', async (t) => {
  const { house } = await paidByCard();
  const { processor } = platform.providers;
  const payoutId = processor.payOut({ currency: 'eur' });
  await processor.settled();
  processor.repeat(processor.events().find(({ type }) => type === 'payout.paid')?.id, 2);
  await processor.settled();
  const query = { type: 'financial.operation_failed' };
  const raised = async () => bodyOf(await house.as('org_admin').get('/v1/events', { query })).data;
  await eventually(async () => (await raised()).length > 0, { what: 'the alert' });
  const { failed } = await reconciled(house.as('billing_admin'));
  t.deepEqual(failed, []);
  const alerts = await raised();
  t.is(alerts.length, 1);
  t.like(alerts[0].data, { operation: 'card_event.currency', reference: payoutId });
  t.deepEqual(await allPages(house.as('auditor'), PATH), []);
  t.is((await balances(house))[1110], TOTAL);
});

test.serial('trust cash that is overdrawn is named until the payout arrives', async (t) => {
  const { house } = await paidByCard();
  const billing = house.as('billing_admin');
  const { invoiceId } = await paidPolicy(house);
  const { amount } = await paid(house, '/v1/ledger/transfers');
  // The check bounces after both policies' commission and fee have left; our share of the one that it paid comes back.
  const [{ id }] = bodyOf(await billing.get(`/v1/invoices/${invoiceId}`)).payments;
  bodyOf(await billing.post(`/v1/payments/${id}/reverse`, { reason: 'nsf' }), 201);
  const overdrawn = 0 - amount / 2;
  await eventually(async () => (await balances(house))[1010] === overdrawn, { what: 'the check to be taken back' });
  const { failed, findings } = await reconciled(billing);
  t.deepEqual(failed, ['trust_cash']);
  t.like(findings[0], { entityType: 'organization', part: '1010', expected: 0, actual: overdrawn });
  platform.providers.processor.payOut();
  await payouts(house);
  t.deepEqual((await reconciled(house.as('billing_admin'))).failed, []);
});

test.serial(
  'an event of a payout is acknowledged whatever it says, and a payout that the processor does not know changes nothing',
  async (t) => {
    const deliver = deliveryTo(platform.anonymous);
    const event = (object: object) => ({ id: processorId('evt'), type: 'payout.paid', data: { object } });
    for (const object of [{ object: 'payout', amount: 100 }, { id: 7 }, { id: 'po_1', amount: -100 }]) {
      t.is((await deliver(event(object))).status, 200, JSON.stringify(object));
    }
    t.is((await deliver({ id: processorId('evt'), type: 'payout.paid' })).status, 200);
    const unknown = await deliver(event({ id: 'po_of_another_account', object: 'payout', amount: 100 }));
    t.is(unknown.status, 200);
  },
);
