// Refunds whose invoice has not been shared out when they reach the ledger: an operator skipped that step, or a credit
// settled the invoice while the refund was reserved.
import test from 'ava';
import { shareOut } from '../../../activities/billing/invoices/settled-invoices.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { LedgerEntry } from '../../../db/entities/billing/ledger-entry.ts';
import { newId } from '../../../db/ids.ts';
import { books, SAMPLE_LINES, SAMPLE_TOTAL_CENTS as TOTAL } from '../../workflows/billing/billed.ts';
import type { Tenant } from '../../workflows/run-engine.ts';
import { prepareSteps, refused, type Steps } from '../steps.ts';
import { postedJournal, SPLIT_OF_SAMPLE } from './journals/posted-journal.ts';
import { insuredBy, Money } from './returns.ts';

/** An operator skips the sharing step of a payment's saga, and a journal makes up for it; returns its entry's type. */
async function makeUpForShares({ activities, database, orgId, today }: Steps, invoiceId: string, paymentId: string) {
  const step = 'fiduciary ledger';
  await activities.auditStepSkipped({ orgId, entityId: paymentId, step, operator: 'ops', entityType: 'payment' });
  const completes = { invoiceId, completesPaymentId: paymentId, completesStep: step };
  return database.transaction(orgId, async (em) => {
    const { entryId } = await postedJournal(em, { date: today, ...completes }, SPLIT_OF_SAMPLE);
    return (await em.findOneOrFail(LedgerEntry, { id: entryId ?? '' })).entryType;
  });
}

test('a refund of an invoice whose shares an operator left out is stopped immediately, and says which step is missing', async (t) => {
  const steps = await prepareSteps(t);
  const money = await Money.on(steps, await insuredBy(steps));
  await money.payByCheck(TOTAL);
  const { orgId, activities } = steps;
  const [paid] = money.sagas;
  const skipped = { orgId, entityId: paid!.entityId, step: 'fiduciary ledger', operator: 'ops' };
  for (const _ of ['once', 'again']) await activities.auditStepSkipped({ ...skipped, entityType: 'payment' });
  await money.refundByCheck(500_000);
  const returned = { orgId, entityId: money.sagas[1]!.entityId };
  await refused(t, activities.postRefund(returned), 'not_ready');
  await t.throwsAsync(activities.postRefund(returned), { message: /skipped the step "fiduciary ledger"/ });
});

test('a journal that makes up for the shares left out lets the refund go on, and all of it comes back', async (t) => {
  const steps = await prepareSteps(t);
  const money = await Money.on(steps, await insuredBy(steps));
  await money.payByCheck(TOTAL);
  const { orgId, activities } = steps;
  const of = { orgId, entityId: money.sagas[0]!.entityId };
  await activities.recordCommission(of);
  await activities.postEarnings(of);
  await makeUpForShares(steps, money.invoiceId, of.entityId);
  await money.refundByCheck(TOTAL);
  const returned = { orgId, entityId: money.sagas[1]!.entityId };
  t.deepEqual(await activities.postRefund(returned), { splitCents: TOTAL });
  await activities.postRefundEarnings(returned);
  await activities.reverseCommission(returned);
  const { balances } = await books(steps as unknown as Tenant, money.invoiceId);
  t.deepEqual(
    Object.entries(balances).filter(([, cents]) => cents !== 0),
    [
      ['1010', TOTAL],
      ['2060', 0 - TOTAL],
    ],
    'all of it is owed by check',
  );
});

test('a journal for shares left out shares an invoice out again after a reversal, and no share twice', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, command } = steps;
  const money = await Money.on(steps, await insuredBy(steps));
  const reverse = (paymentId: string) =>
    activities.reversePayment(command(newId('refund'), { paymentId, reason: 'nsf', feeCents: null }));
  await money.payByCheck(TOTAL);
  const [first] = money.sagas;
  await money.finish();
  const refusal = await t.throwsAsync(makeUpForShares(steps, money.invoiceId, first!.entityId));
  t.like(refusal, { code: 'invalid_state_transition', details: { resource: 'step', from: 'posted' } });

  await reverse(first!.entityId);
  await money.payByCheck(TOTAL);
  const [second] = money.sagas;
  t.is(await makeUpForShares(steps, money.invoiceId, second!.entityId), 'sharing');
  const { balances } = await books(steps as unknown as Tenant, money.invoiceId);
  t.like(balances, { 2010: -775_000, 2040: -49_713, 2090: -25_000 });
});

test('a credit above the balance of an invoice with a reserved refund settles it, and the refund takes the rest first', async (t) => {
  const steps = await prepareSteps(t);
  const money = await Money.on(steps, await insuredBy(steps));
  await money.payByCheck(TOTAL - 100_000);
  const reserved = await money.reserve(50_000);
  // 100,000 is owed, and 150,000 once the refund is made: a credit of 120,000 leaves 20,000 unapplied.
  await steps.database.transaction(steps.orgId, async (em) => {
    const invoice = await em.findOneOrFail(Invoice, { id: money.invoiceId });
    invoice.totalCents -= 120_000;
    invoice.lines = [...invoice.lines, { ...SAMPLE_LINES[0]!, kind: 'credit', amountCents: -120_000 }];
    await shareOut(em, invoice, steps.today);
  });
  await money.settle(reserved, false);
  await money.finish();
  const { payments, balances } = await books(steps as unknown as Tenant, money.invoiceId);
  t.deepEqual(
    payments.filter(({ kind }) => kind === 'refund').map((row) => [row.amountCents, row.beforePaidCents]),
    [[-50_000, 20_000]],
  );
  t.is(balances[2070], 0, 'nothing is left that belongs to nobody');
});
