// Card processor refunds of money that a bank had already taken: operating money covers them until the dispute is won.
// The worked example by card, 10,751.23 in all. Figures by hand.
import test, { type ExecutionContext } from 'ava';
import { Invoice } from '../../../../db/entities/billing/invoice.ts';
import { Payment } from '../../../../db/entities/billing/payment.ts';
import { invoiceAmounts } from '../../../../db/queries/billing/invoices.ts';
import { accountTotals } from '../../../../db/queries/billing/ledger-lists.ts';
import { checkBooks } from '../../../../db/queries/billing/reconciliation/run.ts';
import { invoiceBalance } from '../../../../domain/billing/invoice.ts';
import { SAMPLE_TOTAL_CENTS as TOTAL } from '../../../workflows/billing/billed.ts';
import { prepareSteps } from '../../steps.ts';
import { insuredBy, Money } from '../returns.ts';

async function begin(t: ExecutionContext) {
  const steps = await prepareSteps(t);
  const money = await Money.on(steps, await insuredBy(steps));
  const read = async () =>
    steps.database.forOrg(steps.orgId, async (em) => {
      const invoice = await em.findOneOrFail(Invoice, { id: money.invoiceId });
      const sums = [...(await accountTotals(em))].map(([account, each]) => [
        account,
        each.debitCents - each.creditCents,
      ]);
      const { results } = await checkBooks(em, { since: null, statementFrom: null });
      const checks = results.filter(({ name }) => /^(invoice_|covered_money|return_entries)/.test(name));
      return {
        balances: Object.fromEntries(sums.filter(([, cents]) => cents !== 0)) as Record<number, number>,
        balanceCents: invoiceBalance(invoiceAmounts(invoice)),
        findings: checks.flatMap(({ findings }) => findings),
        coveredCents: (await em.find(Payment, { kind: 'refund' })).map((row) => row.coveredCents),
      };
    });
  return { money, read };
}

test('refunds during a dispute come from the payment again once the dispute is won', async (t) => {
  const { money, read } = await begin(t);
  const intentId = await money.payByCard(TOTAL);
  await money.finish();
  await money.dispute(intentId, TOTAL, 'needs_response');
  for (const refundedCents of [300_000, 400_000]) {
    await money.chargeRefunded(intentId, refundedCents);
    await money.finish();
  }
  const disputed = await read();
  const covered = { 1040: 400_000, 2110: -400_000, 5020: 400_000 };
  t.deepEqual(disputed.balances, { ...covered, 1110: -400_000 });
  t.deepEqual(disputed.findings, []);
  await money.dispute(intentId, TOTAL, 'won');
  await money.finish();
  const won = await read();
  t.deepEqual(won.coveredCents, [0, 0]);
  t.like(won.balances, { 1110: TOTAL - 400_000, 1040: undefined, 2060: undefined, 2070: undefined, 5020: undefined });
  t.deepEqual([won.balanceCents, won.findings], [0, []]);
  const plain = await begin(t);
  const refunded = await plain.money.payByCard(TOTAL);
  await plain.money.finish();
  await plain.money.chargeRefunded(refunded, 400_000);
  await plain.money.finish();
  t.deepEqual(won.balances, (await plain.read()).balances, 'as if there had been no dispute');
});

test('two disputes of one payment are won one after the other, and the books are as before', async (t) => {
  const { money, read } = await begin(t);
  const intentId = await money.payByCard(TOTAL);
  await money.finish();
  const paid = (await read()).balances;
  await money.dispute(intentId, TOTAL, 'needs_response');
  await money.dispute(intentId, 500_000, 'needs_response', 'created', 'second');
  await money.finish();
  await money.dispute(intentId, TOTAL, 'won');
  await money.finish();
  t.like(await read(), { balances: { 1110: TOTAL - 500_000 }, findings: [] });
  await money.dispute(intentId, 500_000, 'won', 'closed', 'second');
  await money.finish();
  t.like(await read(), { balances: paid, findings: [] });
});

test('a refund made while its invoice was unpaid is payable again, although operating money funded it', async (t) => {
  const { money, read } = await begin(t);
  const intentId = await money.payByCard(600_000);
  await money.dispute(intentId, 600_000, 'needs_response');
  await money.finish();
  await money.chargeRefunded(intentId, 100_000);
  // Had the bank already returned the money, this would have paid the rest.
  await money.payByCheck(TOTAL - 600_000);
  await money.finish();
  await money.dispute(intentId, 600_000, 'won');
  await money.finish();
  const { balances, balanceCents, findings } = await read();
  t.deepEqual(balances, { 1010: TOTAL - 600_000, 1110: 500_000, 2070: 100_000 - TOTAL });
  t.deepEqual([balanceCents, findings], [100_000, []]);
});
