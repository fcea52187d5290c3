// The daily proof of the trust: clean while payments, ledger and invoices agree to the cent, an alarm when they do
// not. Contract 3.4.
import test, { type ExecutionContext } from 'ava';
import { persistReceipt, type Receipt } from '../../../activities/billing/payments/receipt-rows.ts';
import { lockForMoney } from '../../../activities/money-locks.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { TrustReconciliation } from '../../../db/entities/billing/trust-reconciliation.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { trustFigures } from '../../../db/queries/billing/trust.ts';
import { listReconciliations } from '../../../db/queries/billing/trust-reconciliations.ts';
import { trustFindings } from '../../../domain/billing/ledger/trust.ts';
import { SAMPLE_TOTAL_CENTS } from '../../workflows/billing/billed.ts';
import { prepareSteps, type Steps } from '../steps.ts';
import { insuredBy, Money } from './returns.ts';

async function boundInvoice(steps: Steps): Promise<{ id: string; policyId: string }> {
  const id = await steps.quoted();
  const payload = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;
  const { policyId } = await steps.activities.bindPolicy(steps.command(id, payload));
  const [invoice] = await steps.database.forOrg(steps.orgId, (em) => invoicesOfPolicy(em, policyId));
  return { id: invoice?.id ?? '', policyId };
}

const receive = (steps: Steps, invoiceId: string, receipt: Pick<Receipt, 'amountCents' | 'method'>) =>
  steps.database.transaction(steps.orgId, async (em) =>
    persistReceipt(em, await lockForMoney(em, invoiceId), {
      paymentId: newId('payment'),
      kind: receipt.method === 'card' ? 'card' : 'manual',
      reference: newId('request'),
      receivedAt: new Date(),
      recordedAt: new Date(),
      receivedOn: steps.today,
      actor: { kind: 'user', id: 'test-admin', role: 'org_admin' },
      requestId: null,
      ...receipt,
    }),
  );

/** Looks at the totals alone; the last look stores its result. Returns which totals disagree. */
async function look(steps: Steps, isLastLook: boolean): Promise<string[]> {
  const { activities, orgId, database } = steps;
  const end = { orgId, reconciliationId: null, results: [], isLastLook };
  const { failed } = await activities.closeReconciliation(end);
  if (!isLastLook) return failed;
  const { data } = await database.forOrg(orgId, (em) => listReconciliations(em, { limit: 1 }));
  return (data[0]?.checks ?? []).flatMap(({ findings }) => findings).map(({ part }) => part);
}

async function alarms(t: ExecutionContext, { database, orgId }: Steps, count: number): Promise<void> {
  const events = await database.forOrg(orgId, (em) => em.find(Event, { type: 'financial.operation_failed' }));
  t.is(events.length, count);
  for (const { data } of events) t.like(data, { operation: 'trust.reconciliation', severity: 'critical' });
}

/** Money that came in but was never entered in the ledger. */
const loseEntry = (steps: Steps, { id, policyId }: { id: string; policyId: string }) =>
  steps.database.transaction(steps.orgId, async (em) => {
    const taken = { amountCents: 1, appliedCents: 0, kind: 'manual', method: 'check', status: 'succeeded' } as const;
    const day = { receivedAt: new Date(), receivedOn: steps.today };
    em.create(Payment, { invoiceId: id, policyId, reference: 'lost', ...taken, ...day }, { persist: true });
  });

test('a trust without any money is clean', async (t) => {
  const steps = await prepareSteps(t);
  t.deepEqual(await look(steps, true), []);
  await alarms(t, steps, 0);
});

test('money sits where its method puts it, and belongs to nobody until the invoice is fully paid', async (t) => {
  const steps = await prepareSteps(t);
  const invoice = await boundInvoice(steps);
  await receive(steps, invoice.id, { amountCents: 100_000, method: 'check' });
  await receive(steps, invoice.id, { amountCents: 25_050, method: 'card' });
  const figures = await steps.database.forOrg(steps.orgId, trustFigures);
  t.deepEqual(figures, {
    assetsCents: 125_050,
    liabilitiesCents: 125_050,
    trustCashCents: 100_000,
    cardClearingCents: 25_050,
    cashReceivedCents: 100_000,
    cardReceivedCents: 25_050,
    unappliedCents: 125_050,
    unsharedCents: 125_050,
    returnsPayableCents: 0,
    owedByCheckCents: 0,
    outstandingCents: 0,
    sweptCents: 0,
  });
  t.deepEqual(await look(steps, true), []);
});

test('the figures are the same however few rows a statement reads', async (t) => {
  const steps = await prepareSteps(t);
  for (const methods of [
    ['check', 'card', 'wire'],
    ['card', 'card'],
  ] as const) {
    const invoice = await boundInvoice(steps);
    for (const method of methods) await receive(steps, invoice.id, { amountCents: 100_001, method });
  }
  const figures = (rows?: number) => steps.database.forOrg(steps.orgId, (em) => trustFigures(em, { rows }));
  const whole = await figures();
  t.is(whole.assetsCents, 500_005);
  for (const rows of [1, 2, 3, 5]) t.deepEqual(await figures(rows), whole, `${rows} rows`);
});

test('an overpayment of an invoice counts as unapplied', async (t) => {
  const steps = await prepareSteps(t);
  const invoice = await boundInvoice(steps);
  // 4,389.64 is owed.
  const outcome = await receive(steps, invoice.id, { amountCents: 500_000, method: 'wire' });
  t.is(outcome.unappliedCents, 500_000 - 438_964);
  t.true(outcome.completesInvoice);
  t.deepEqual(await look(steps, true), []);
});

test('a missing cent raises the alarm on the last look and not before', async (t) => {
  const steps = await prepareSteps(t);
  const invoice = await boundInvoice(steps);
  await loseEntry(steps, invoice);
  t.deepEqual(await look(steps, false), ['trust_totals']);
  await alarms(t, steps, 0);
  t.deepEqual(await look(steps, true), ['cash', 'unapplied']);
  await alarms(t, steps, 1);
  const kept = await steps.database.forOrg(steps.orgId, (em) => em.find(TrustReconciliation, {}));
  t.is(kept.length, 1);
  t.like(kept[0], { date: steps.today, isClean: false });
});

test('every last look keeps its own result, the newest first', async (t) => {
  const steps = await prepareSteps(t);
  const invoice = await boundInvoice(steps);
  await look(steps, true);
  await loseEntry(steps, invoice);
  await look(steps, true);
  const { data } = await steps.database.forOrg(steps.orgId, (em) => listReconciliations(em, { limit: 5 }));
  t.deepEqual(
    data.map(({ isClean, date }) => [isClean, date]),
    [
      [false, steps.today],
      [true, steps.today],
    ],
  );
});

/** An invoice paid in full by check and shared out. */
async function paidInvoice(steps: Steps): Promise<Money> {
  const money = await Money.on(steps, await insuredBy(steps));
  await money.payByCheck(SAMPLE_TOTAL_CENTS);
  await money.finish();
  return money;
}

const keptFigures = ({ database, orgId }: Steps) =>
  database.forOrg(orgId, async (em) =>
    (await listReconciliations(em, { limit: 1 })).data.map(({ figures }) => figures),
  );

const atRest = ({ database, orgId }: Steps) =>
  database.forOrg(orgId, async (em) => trustFindings(await trustFigures(em)));

test('a refund between its settlement and its entries raises nothing, though each look meets another one', async (t) => {
  const steps = await prepareSteps(t);
  const money = await paidInvoice(steps);
  await money.refundByCheck(1_000);
  t.deepEqual(await look(steps, false), []);
  await money.finish();
  await money.refundByCheck(2_000);
  t.deepEqual(await look(steps, true), []);
  await alarms(t, steps, 0);
  t.like((await keptFigures(steps))[0], { outstandingCents: 2_000 });
  t.deepEqual(await atRest(steps), ['returns_payable'], 'books at rest have no returns under way');
  await money.finish();
  t.deepEqual(await look(steps, true), []);
  t.like((await keptFigures(steps))[0], { outstandingCents: 0 });
  t.deepEqual(await atRest(steps), []);
});

test('no return raises anything before its entries, no matter whose money it is and where it lies', async (t) => {
  const steps = await prepareSteps(t);
  const insurance = await insuredBy(steps);
  const returns: Record<string, (money: Money) => Promise<unknown>> = {
    'before the invoice is fully paid': async (money) => {
      await money.payByCheck(10_000);
      await money.refundByCheck(4_000);
    },
    'before the invoice is fully paid, which then is shared out': async (money) => {
      await money.payByCheck(10_000);
      await money.refundByCheck(4_000);
      await money.payByCheck(SAMPLE_TOTAL_CENTS - 6_000);
      const [, paid] = money.sagas;
      while (paid && paid.steps.length > 0) await money.step(paid);
    },
    'before the invoice is shared out': async (money) => {
      await money.payByCheck(SAMPLE_TOTAL_CENTS);
      await money.refundByCheck(4_000);
    },
    'partly unapplied, at the card processor': async (money) => {
      await money.payByCheck(SAMPLE_TOTAL_CENTS - 3_000);
      const intentId = await money.payByCard(5_000);
      await money.chargeRefunded(intentId, 4_000);
    },
    'without an invoice': async (money) => money.chargeRefunded(await money.payByCard(5_000, null), 4_000),
    'as a chargeback': async (money) => money.dispute(await money.payByCard(4_000), 4_000, 'needs_response'),
  };
  for (const [what, give] of Object.entries(returns)) {
    const money = await Money.on(steps, insurance);
    await give(money);
    t.deepEqual(await look(steps, true), [], what);
    t.like((await keptFigures(steps))[0], { outstandingCents: 4_000 }, what);
    t.not((await atRest(steps)).length, 0, what);
    await money.finish();
    t.deepEqual(await atRest(steps), [], what);
  }
});

test('a refund that was never posted raises the alarm when its saga has ended', async (t) => {
  const steps = await prepareSteps(t);
  const money = await paidInvoice(steps);
  await money.refundByCheck(1_000);
  const [saga] = money.sagas;
  await steps.activities.endSaga({ orgId: steps.orgId, entityId: saga?.entityId ?? '' });
  t.deepEqual(await look(steps, true), ['returns_payable']);
  await alarms(t, steps, 1);
  t.like((await keptFigures(steps))[0], { outstandingCents: 0 });
});

test('a refund that was never posted raises the alarm after a day, though its saga goes on', async (t) => {
  const steps = await prepareSteps(t);
  const money = await paidInvoice(steps);
  await money.refundByCheck(1_000);
  steps.passDays(0.9);
  t.deepEqual(await look(steps, true), []);
  await alarms(t, steps, 0);
  steps.passDays(0.2);
  t.deepEqual(await look(steps, true), ['returns_payable']);
  await alarms(t, steps, 1);
});

test('a return under way does not hide a missing cent', async (t) => {
  const steps = await prepareSteps(t);
  const money = await paidInvoice(steps);
  await money.refundByCheck(1_000);
  await loseEntry(steps, await boundInvoice(steps));
  t.deepEqual(await look(steps, true), ['cash', 'unapplied']);
  await alarms(t, steps, 1);
});

test('each record that disagrees is named', (t) => {
  const clean = {
    ...{ assetsCents: 5, liabilitiesCents: 5, trustCashCents: 3, cashReceivedCents: 3 },
    ...{ cardClearingCents: 2, cardReceivedCents: 2, unappliedCents: 5, unsharedCents: 5 },
    ...{ returnsPayableCents: 1, owedByCheckCents: 1, outstandingCents: 0, sweptCents: 0 },
  };
  t.deepEqual(trustFindings(clean), []);
  t.deepEqual(trustFindings({ ...clean, assetsCents: 4 }), ['assets']);
  t.deepEqual(trustFindings({ ...clean, cashReceivedCents: 4 }), ['cash']);
  t.deepEqual(trustFindings({ ...clean, cardReceivedCents: 1 }), ['card_clearing']);
  t.deepEqual(trustFindings({ ...clean, unsharedCents: 4 }), ['unapplied']);
  t.deepEqual(trustFindings({ ...clean, owedByCheckCents: 0 }), ['returns_payable']);
});
