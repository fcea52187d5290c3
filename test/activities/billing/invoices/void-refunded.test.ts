// An invoice refunded because its policy was cancelled, and voided afterwards: none of it is owed, so none of it is
// rebilled. Contract 3.4 "void".
import test from 'ava';
import { newId } from '../../../../db/ids.ts';
import { checkBooks } from '../../../../db/queries/billing/reconciliation/run.ts';
import { InsuredLife } from '../../policy/insured-life.ts';
import { refused } from '../../steps.ts';

test('the reissue of a void invoice does not bill premium that a cancellation has returned', async (t) => {
  const life = await InsuredLife.begin(t, { installmentPlan: 'SEMI_ANNUAL_2', policyFeeCents: 0 });
  life.passTo(0);
  await life.activate();
  await life.pay(1);
  await life.pay(2);
  life.passTo(73);
  // At least a quarter of 10,000.00 is earned: 7,500.00 is returned, first all of the second installment of 5,000.00.
  const { refundIds } = await life.cancel(73, { method: 'pro_rata' });
  await life.settle(refundIds);
  const [, second] = await life.invoices();
  t.like(second, { paidCents: 500_000, refundedCents: 500_000 });

  const { activities, command } = life.steps;
  const voidSecond = (reissue: boolean) => {
    const payload = { reason: 'A mistake', reissue, reissuedCents: null };
    return activities.voidInvoice(command(second?.id ?? newId('invoice'), payload));
  };
  await voidSecond(false);
  t.is(await life.unbilledCents(), 0);
  await refused(t, voidSecond(true), 'amount_exceeds_balance');
  await life.check(t);
  const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
  t.deepEqual(
    results.flatMap(({ findings }) => findings),
    [],
  );
});
