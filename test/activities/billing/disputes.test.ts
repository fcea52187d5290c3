// Disputes and reversals of the worked example, to the last account: premium 10,000.00, fee 250.00, tax 497.13,
// stamping fee 4.10; 12.5 percent for the agent, 10 percent for us. Figures by hand.
import test, { type ExecutionContext } from 'ava';
import { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../../db/queries/billing/trust.ts';
import { invoiceBalance, invoiceStatus } from '../../../domain/billing/invoice.ts';
import { trustFindings } from '../../../domain/billing/ledger/trust.ts';
import { sumCents } from '../../../domain/money.ts';
import { nextStepOf } from '../../../plans/billing/delinquency-facts.ts';
import { InsuredLife } from '../policy/insured-life.ts';
import { refused } from '../steps.ts';
import { DisputedLife } from './disputed-life.ts';

const TOTAL = 1_075_123;
/** Shares of the invoice, as in the ledger when it is paid by card. */
const SHARED = {
  ...{ 1110: TOTAL, 1120: 125_000, 2010: -775_000, 2020: -125_000, 2030: -100_000, 2040: -49_713, 2050: -410 },
  ...{ 2090: -25_000, 4010: -100_000, 4020: -25_000 },
};
const BY_CHECK = { ...SHARED, 1110: 0, 1010: TOTAL };

async function begin(t: ExecutionContext): Promise<DisputedLife> {
  return new DisputedLife(await InsuredLife.begin(t));
}

/** Asserts that these are the only nonzero balances, and that the trust is clean. */
async function holds(t: ExecutionContext, { life }: DisputedLife, expected: Record<number, number>, what?: string) {
  const known = (balances: Record<number, number>) =>
    Object.fromEntries(Object.entries(balances).filter(([, cents]) => cents !== 0));
  t.deepEqual(known(await life.balances()), known(expected), what);
  t.deepEqual(trustFindings(await life.read(trustFigures)), [], what);
}

async function first({ life }: DisputedLife, day: number) {
  const [invoice] = await life.invoices();
  if (invoice === undefined) throw new Error('A bound policy has an invoice');
  const amounts = invoiceAmounts(invoice);
  const { disputed, dueDate } = invoice;
  const commissions = await life.read((em) => em.find(CommissionRecord, {}));
  return {
    ...{ status: invoiceStatus(amounts, life.date(day)), balanceCents: invoiceBalance(amounts), disputed, dueDate },
    agentCents: sumCents(commissions.map(({ agentCommissionCents }) => agentCommissionCents)),
  };
}

const alerts = ({ life }: DisputedLife) =>
  life.read(async (em) =>
    (await em.find(Event, { type: 'financial.operation_failed' })).map(({ data }) => data.operation),
  );

const delinquency = async ({ life }: DisputedLife, day: number) => {
  const policy = await life.policy();
  return life.read((em) => nextStepOf(em, policy, life.date(day)));
};

test('a lost dispute reverses the payment, and the invoice is paid again to the last part', async (t) => {
  const it = await begin(t);
  const intentId = await it.payByCard(1);
  it.passTo(30);
  await it.dispute(intentId, TOTAL, 'created', 'needs_response');
  await holds(t, it, {});
  t.like(await first(it, 30), { disputed: true, status: 'refunded', agentCents: 0 });
  await it.dispute(intentId, TOTAL, 'closed', 'lost');
  await holds(t, it, {});
  t.deepEqual(await first(it, 30), {
    ...{ status: 'open', balanceCents: TOTAL, disputed: false, dueDate: it.life.date(40), agentCents: 0 },
  });
  t.like(await delinquency(it, 30), { step: 'past_due', on: it.life.date(41) });
  await it.life.pay(1);
  await holds(t, it, BY_CHECK);
  t.like(await first(it, 30), { status: 'paid', balanceCents: 0, agentCents: 125_000 });
  t.deepEqual(await alerts(it), ['chargeback', 'chargeback']);
  t.is(await it.life.events('payment.failed'), 1);
  await it.life.check(t);
});

const WORDS = [
  ['created', 'needs_response'],
  ['funds_withdrawn', 'needs_response'],
  ['updated', 'under_review'],
  ['closed', 'lost'],
] as const;

test('the events of a dispute lead to the same books in any order, and each counts once', async (t) => {
  const orders = [
    [3, 0, 1, 2],
    [1, 0, 3, 2],
    [2, 3, 1, 0],
  ];
  const it = await begin(t);
  const intentId = await it.payByCard(1);
  for (const [index, order] of orders.entries()) {
    const paid = index === 0 ? intentId : await it.payByCard(1);
    for (const word of [...order, ...order]) await it.dispute(paid, TOTAL, ...WORDS[word as 0]);
    await holds(t, it, {}, order.join());
    t.like(await first(it, 0), { balanceCents: TOTAL, disputed: false, agentCents: 0 }, order.join());
  }
});

test('a won dispute restores the books, whichever of its events comes first; late events change nothing', async (t) => {
  const it = await begin(t);
  const intentId = await it.payByCard(1);
  await it.dispute(intentId, TOTAL, 'funds_withdrawn', 'needs_response');
  for (const what of ['funds_reinstated', 'closed', 'funds_reinstated']) await it.dispute(intentId, TOTAL, what, 'won');
  await it.dispute(intentId, TOTAL, 'created', 'needs_response');
  await it.dispute(intentId, TOTAL, 'funds_withdrawn', 'needs_response');
  await holds(t, it, SHARED);
  t.like(await first(it, 0), { status: 'paid', disputed: false, agentCents: 125_000 });
});

test('the reconciliation finds the cause of every entry that undoes a chargeback', async (t) => {
  const it = await begin(t);
  const intentId = await it.payByCard(1);
  await it.dispute(intentId, TOTAL, 'created', 'needs_response');
  await it.dispute(intentId, TOTAL, 'closed', 'won');
  const { results } = await it.life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  const ofEntries = results.filter(({ name }) => name.startsWith('entry_'));
  t.is(ofEntries.length, 3);
  t.deepEqual(
    ofEntries.flatMap(({ findings }) => findings),
    [],
  );
});

test('an inquiry moves nothing until the bank takes the money', async (t) => {
  const it = await begin(t);
  const intentId = await it.payByCard(1);
  await it.dispute(intentId, TOTAL, 'created', 'warning_needs_response');
  await it.dispute(intentId, TOTAL, 'updated', 'warning_under_review');
  await holds(t, it, SHARED);
  t.deepEqual(await alerts(it), ['chargeback']);
  await it.dispute(intentId, TOTAL, 'funds_withdrawn', 'needs_response');
  await holds(t, it, {});
});

test('a bank that reverses its decision pays the invoice once', async (t) => {
  const it = await begin(t);
  const intentId = await it.payByCard(1);
  await it.dispute(intentId, TOTAL, 'closed', 'lost');
  await it.dispute(intentId, TOTAL, 'funds_reinstated', 'won');
  await holds(t, it, SHARED);
  t.like(await first(it, 0), { status: 'paid', agentCents: 125_000 });

  const again = await begin(t);
  const lost = await again.payByCard(1);
  await again.dispute(lost, TOTAL, 'closed', 'lost');
  await again.life.pay(1);
  await again.dispute(lost, TOTAL, 'closed', 'won');
  // The check is shared out, the card's money is unapplied.
  await holds(t, again, { ...BY_CHECK, 1110: TOTAL, 2070: -TOTAL });
  t.deepEqual((await alerts(again)).at(-1), 'payment.unapplied');
});

test('a lost dispute of half a payment takes no share for good: the remainder waits until the rest is paid', async (t) => {
  const it = await begin(t);
  const intentId = await it.payByCard(1);
  await it.dispute(intentId, 400_000, 'created', 'needs_response');
  await it.dispute(intentId, 400_000, 'closed', 'lost');
  await holds(t, it, { 1110: TOTAL - 400_000, 2070: 400_000 - TOTAL });
  t.like(await first(it, 0), { balanceCents: 400_000, agentCents: 0 });
  await it.life.pay(1, 100_000);
  await holds(t, it, { 1110: TOTAL - 400_000, 1010: 100_000, 2070: 300_000 - TOTAL });
  await it.life.pay(1);
  await holds(t, it, { ...SHARED, 1110: TOTAL - 400_000, 1010: 400_000 });
  await it.life.check(t);
});

test('operating money funds a chargeback of a refunded payment until the dispute is won', async (t) => {
  const it = await begin(t);
  const intentId = await it.payByCard(1);
  const { activities, command, orgId } = it.life.steps;
  const [invoice] = await it.life.invoices();
  const payload = { invoiceId: invoice?.id ?? '', amountCents: 400_000, reason: 'Paid too much' };
  const reserved = await activities.reserveRefund(command(newId('refund'), payload));
  const given = reserved.cardAllocations.map(({ paymentId }) => ({ paymentId, processorRefundId: 're_1' }));
  const of = { orgId, entityId: reserved.refundId };
  await activities.settleRefund({ ...of, given, declined: null });
  await activities.postRefund(of);
  await activities.postRefundEarnings(of);
  await activities.reverseCommission(of);
  const refunded = await it.life.balances();
  await it.dispute(intentId, TOTAL, 'created', 'needs_response');
  // 10,751.23 is gone, 4,000.00 of it for the second time.
  await holds(t, it, { 1110: -400_000, 1040: 400_000, 2110: -400_000, 5020: 400_000 });
  t.deepEqual(await alerts(it), ['chargeback', 'trust.covered']);
  await it.dispute(intentId, TOTAL, 'closed', 'won');
  await holds(t, it, refunded);
  await it.dispute(intentId, TOTAL, 'closed', 'lost');
  await holds(t, it, refunded);
});

for (const isDeclined of [true, false]) {
  const end = isDeclined ? 'which is declined, leaves nothing to cover' : 'which succeeds, is covered';
  test(`a dispute during a refund of the same payment, ${end}`, async (t) => {
    const it = await begin(t);
    const intentId = await it.payByCard(1);
    const { activities, command, orgId } = it.life.steps;
    const [invoice] = await it.life.invoices();
    const payload = { invoiceId: invoice?.id ?? '', amountCents: null, reason: 'Paid twice' };
    const reserved = await activities.reserveRefund(command(newId('refund'), payload));
    const waits = await t.throwsAsync(it.dispute(intentId, TOTAL, 'created', 'needs_response'));
    t.is((waits as unknown as { type: string }).type, 'not_ready', 'the ledger waits for the answer');
    const of = { orgId, entityId: reserved.refundId };
    const given = isDeclined ? [] : reserved.cardAllocations.map((each) => ({ ...each, processorRefundId: 're_2' }));
    await activities.settleRefund({ ...of, given, declined: isDeclined ? { message: 'No.', details: {} } : null });
    if (!isDeclined) {
      await activities.postRefund(of);
      await activities.postRefundEarnings(of);
      await activities.reverseCommission(of);
    }
    await it.dispute(intentId, TOTAL, 'closed', 'lost');
    const covered = { 1110: -TOTAL, 1040: TOTAL, 2110: -TOTAL, 5020: TOTAL };
    await holds(t, it, isDeclined ? {} : covered);
    t.is((await first(it, 0)).balanceCents, isDeclined ? TOTAL : 0);
  });
}

for (const outcome of ['won', 'lost'] as const) {
  test(`a dispute that is ${outcome} after the policy was cancelled leaves the policy's parts in the books`, async (t) => {
    const it = await begin(t);
    const intentId = await it.payByCard(1);
    it.passTo(146);
    await it.dispute(intentId, TOTAL, 'created', 'needs_response');
    await it.life.settle((await it.life.cancel(146, { reason: 'insured_request', method: 'pro_rata' })).refundIds);
    // Less 6,000.00 premium, 291.00 tax and 2.40 stamping fee.
    t.like(await first(it, 146), { disputed: true, agentCents: 0 });
    await holds(t, it, {});
    await it.dispute(intentId, TOTAL, 'closed', outcome);
    const kept = {
      ...{ 1120: 65_000, 2010: -310_000, 2020: -50_000, 2030: -40_000, 2040: -20_613, 2050: -170, 2090: -25_000 },
      ...{ 4010: -40_000, 4020: -25_000 },
    };
    if (outcome === 'won') {
      await holds(t, it, { ...kept, 1110: TOTAL, 2070: -629_340 });
      t.deepEqual((await alerts(it)).at(-1), 'payment.unapplied');
    } else {
      await holds(t, it, {});
      t.like(await first(it, 146), { balanceCents: TOTAL - 629_340, dueDate: it.life.date(156) });
      await it.life.pay(1);
      await holds(t, it, { ...kept, 1010: TOTAL - 629_340 });
    }
    t.is((await first(it, 146)).agentCents, 50_000);
    if (outcome === 'lost') await it.life.check(t);
  });
}

test('an amount in dispute is not collected, and does not make its policy past due', async (t) => {
  const it = await begin(t);
  const intentId = await it.payByCard(1, 600_000);
  it.passTo(5);
  t.like(await delinquency(it, 5), { step: 'past_due' });
  await it.dispute(intentId, 600_000, 'created', 'needs_response');
  t.is(await delinquency(it, 5), null);
  const { activities, command } = it.life.steps;
  const [invoice] = await it.life.invoices();
  const collect = activities.openAttempt(command(invoice?.id ?? '', { amountCents: null, isRetry: false }));
  t.like(await refused(t, collect, 'invalid_state_transition'), { from: 'disputed', allowed: ['pay'] });
  await it.dispute(intentId, 600_000, 'closed', 'lost');
  t.like(await delinquency(it, 5), { step: 'past_due', on: it.life.date(16) });
});

test('a returned check is reversed once, with its fee on a separate invoice', async (t) => {
  const it = await begin(t);
  await it.life.pay(1);
  await holds(t, it, BY_CHECK);
  it.passTo(20);
  await it.reverse(2_500);
  await holds(t, it, {});
  t.deepEqual(await first(it, 20), {
    ...{ status: 'open', balanceCents: TOTAL, disputed: false, dueDate: it.life.date(30), agentCents: 0 },
  });
  const [, fee] = await it.life.invoices();
  t.like(fee, { totalCents: 2_500, dueDate: it.life.date(30) });
  t.like(fee?.lines[0], { kind: 'fee', code: 'NSF_FEE' });
  await refused(t, it.reverse(), 'invalid_state_transition');
  await it.life.pay(1);
  await holds(t, it, BY_CHECK);
  t.is(await delinquency(it, 40), null, 'no policy lapses for the fee');
  await it.life.pay(2);
  await holds(t, it, { ...BY_CHECK, 1010: TOTAL + 2_500, 1120: 127_500, 2090: -27_500, 4020: -27_500 });
});

test('operating money funds the refunded part of a check that is returned later', async (t) => {
  const it = await begin(t);
  await it.life.pay(1);
  const { activities, command } = it.life.steps;
  const [invoice] = await it.life.invoices();
  const payload = { invoiceId: invoice?.id ?? '', amountCents: 100_000, reason: 'Paid too much' };
  const { refundId } = await activities.reserveRefund(command(newId('refund'), payload));
  await it.life.settle([refundId]);
  await it.reverse();
  // The refund check has yet to be issued.
  await holds(t, it, { 2060: -100_000, 1040: 100_000, 2110: -100_000, 5020: 100_000 });
  // What was refunded stays refunded: the insured owes the rest.
  t.like(await first(it, 0), { balanceCents: TOTAL - 100_000, agentCents: 0 });
});
