// The daily proof of the trust: clean while payments, ledger and invoices agree to the cent, an alarm when they do not.
// Contract 3.4.
import test, { type ExecutionContext } from 'ava';
import { lockForMoney, persistReceipt, type Receipt } from '../../../activities/billing/receipt-rows.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { TrustReconciliation } from '../../../db/entities/billing/trust-reconciliation.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { newId } from '../../../db/ids.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { trustFigures } from '../../../db/queries/billing/trust.ts';
import { trustFindings } from '../../../domain/billing/ledger/trust.ts';
import { prepareSteps, type Steps } from '../steps.ts';

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

const look = (steps: Steps, isLastLook: boolean) =>
  steps.activities.reconcileTrust({ orgId: steps.orgId, isLastLook }).then(({ findings }) => findings);

async function alarms(t: ExecutionContext, { database, orgId }: Steps, count: number): Promise<void> {
  const events = await database.forOrg(orgId, (em) => em.find(Event, { type: 'financial.operation_failed' }));
  t.is(events.length, count);
  for (const { data } of events) t.like(data, { operation: 'trust.reconciliation', severity: 'critical' });
}

/** Money that came in and that nobody entered in the ledger. */
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

test('money lies where its method puts it, and is nobody’s until the invoice is fully paid', async (t) => {
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
  const figures = (rows?: number) => steps.database.forOrg(steps.orgId, (em) => trustFigures(em, rows));
  const whole = await figures();
  t.is(whole.assetsCents, 500_005);
  for (const rows of [1, 2, 3, 5]) t.deepEqual(await figures(rows), whole, `${rows} rows`);
});

test('what an invoice cannot take is counted as unapplied', async (t) => {
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
  t.deepEqual(await look(steps, false), ['cash', 'unapplied']);
  await alarms(t, steps, 0);
  t.deepEqual(await look(steps, true), ['cash', 'unapplied']);
  await alarms(t, steps, 1);
  const kept = await steps.database.forOrg(steps.orgId, (em) => em.find(TrustReconciliation, {}));
  t.is(kept.length, 1);
  t.like(kept[0], { date: steps.today, isClean: false });
});

test('a later look at the same day takes the place of the earlier result', async (t) => {
  const steps = await prepareSteps(t);
  const invoice = await boundInvoice(steps);
  await look(steps, true);
  await loseEntry(steps, invoice);
  await look(steps, true);
  const kept = await steps.database.forOrg(steps.orgId, (em) => em.find(TrustReconciliation, {}));
  t.deepEqual(
    kept.map(({ isClean }) => isClean),
    [false],
  );
});

test('each record that disagrees is named', (t) => {
  const clean = {
    ...{ assetsCents: 5, liabilitiesCents: 5, trustCashCents: 3, cashReceivedCents: 3 },
    ...{ cardClearingCents: 2, cardReceivedCents: 2, unappliedCents: 5, unsharedCents: 5 },
  };
  t.deepEqual(trustFindings(clean), []);
  t.deepEqual(trustFindings({ ...clean, assetsCents: 4 }), ['assets']);
  t.deepEqual(trustFindings({ ...clean, cashReceivedCents: 4 }), ['cash']);
  t.deepEqual(trustFindings({ ...clean, cardReceivedCents: 1 }), ['card_clearing']);
  t.deepEqual(trustFindings({ ...clean, unsharedCents: 4 }), ['unapplied']);
});
