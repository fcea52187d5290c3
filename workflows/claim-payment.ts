/**
 * A claim payment, from the decision that owes it until the money leaves the carrier's loss fund. An underfunded loss
 * fund holds it until a deposit has come and an operator retries, or until the payment is void. The row is the truth.
 * Contract 3.3.
 */
import { proxyActivities, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { ClaimPaymentInput } from '../contracts/claim.ts';
import { rowChangedSignal } from '../contracts/machinery/command.ts';
import { DUE_STEP, MONEY_STEP } from './machinery/options.ts';
import { Saga } from './machinery/saga.ts';

const { readClaimPayment } = proxyLocalActivities<Activities>(DUE_STEP);
const { payFromLossFund } = proxyActivities<Activities>({ ...MONEY_STEP, summary: 'loss fund: 2080 / 1020' });

export async function claimPaymentWorkflow({ orgId, paymentId }: ClaimPaymentInput): Promise<void> {
  const of = { orgId, entityId: paymentId };
  const saga = new Saga(of, 'claim_payment');
  setHandler(rowChangedSignal, () => saga.tryAgain(), { description: 'Ends the wait of a payment that was voided.' });
  await saga.step('payment', async () => {
    const payment = await readClaimPayment(of);
    if (payment !== null) saga.entitle(`Claim ${payment.claimNumber}`);
  });
  await saga.step('loss fund ledger', () => payFromLossFund(of));
  await saga.close();
}
