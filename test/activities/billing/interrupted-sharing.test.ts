// A payment's check bounces while the payment's saga is between two steps, and the invoice grows before it is paid
// again: commission and both ledgers share out the same amounts, whichever steps came first. Contract 3.4.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import { COMMISSION_DAYS } from '../../books/commission-days.ts';
import { InsuredLife, revenueFor } from '../policy/insured-life.ts';
import { prepareSteps } from '../steps.ts';

const STEPS = ['recordCommission', 'postEarnings', 'postFiduciarySplit'] as const;

for (const taken of [0, 1, 2, 3]) {
  test(`a payment that is reversed after ${taken} of its three sharing steps leaves the books whole`, async (t) => {
    const steps = await prepareSteps(t);
    const life = await InsuredLife.on(steps, { installmentPlan: 'SEMI_ANNUAL_2' });
    const { activities, command, orgId } = steps;
    life.passTo(0);
    await life.activate();
    await life.pay(1);
    const second = (await life.invoices())[1]!;
    const payload = { invoiceId: second.id, method: 'check', reference: 'Check 2', receivedDate: null } as const;
    const amountCents = second.totalCents;
    const { paymentId } = await activities.recordPayment(command(newId('payment'), { ...payload, amountCents }));
    const of = { orgId, entityId: paymentId };
    for (const step of STEPS.slice(0, taken)) await activities[step](of);

    // The business day may end between two steps.
    life.passTo(1);
    const reversal = { paymentId, reason: 'nsf', feeCents: null } as const;
    const { refundId } = await activities.reversePayment(command(newId('refund'), reversal));
    life.passTo(73);
    // 5,000.00 a year for 292 of 365 days: another 4,000.00 on the reopened invoice, with 194.00 of tax and 1.60 of
    // stamping fee.
    await life.endorse(73, { annualRevenueCents: revenueFor(1_500_000) });
    for (const step of STEPS.slice(taken)) await activities[step](of);
    await life.follow(of, false);
    await activities.postRefund({ orgId, entityId: refundId });
    await activities.endSaga({ orgId, entityId: refundId });
    const grown = (await life.invoices())[1]!;
    t.is(grown.totalCents, second.totalCents + 419_560);

    await life.pay(2);
    await life.check(t);
    // 14,000.00 of premium: a tenth is our commission, and the fee of 250.00 is ours.
    const { 1120: earned, 4010: commission, 4020: fees } = await life.balances();
    t.deepEqual({ earned, commission, fees }, { earned: 165_000, commission: -140_000, fees: -25_000 });
    t.deepEqual(await life.read((em) => em.execute(COMMISSION_DAYS)), [], 'commission is shared out on its day');
    const { results } = await life.read((em) => checkBooks(em, { since: null, statementFrom: null }));
    t.deepEqual(
      results.flatMap(({ findings }) => findings),
      [],
    );
  });
}
