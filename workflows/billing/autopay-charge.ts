/**
 * Charges one bill to the card that the insured has let us store. The attempt is a row before the processor is called,
 * so a later run, of this or another day's workflow, finds the charge instead of making a second one. Decision 0165.
 */
import { proxyLocalActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import type { AutopayChargeInput, AutopayResult } from '../../contracts/autopay.ts';
import { noticeWorkflowId, startOptions } from '../../contracts/machinery/start.ts';
import type { Notice } from '../../contracts/notice.ts';
import { startOutliving } from '../machinery/children.ts';
import { CHARGING, ONE_TRANSACTION } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';
import { noticeWorkflow } from '../notice.ts';
import { startFollowingPayment } from './following.ts';

const { openAutopayCharge } = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { chargeAutopay } = activitiesOn('outside', { ...CHARGING, summary: 'the kept card is charged' });

export async function autopayChargeWorkflow({ orgId, invoiceId }: AutopayChargeInput): Promise<AutopayResult> {
  const attempt = await openAutopayCharge({ orgId, invoiceId });
  if (attempt === null) {
    setCurrentDetails('not charged: paid, switched off, or not due');
    return { isDone: true };
  }
  setCurrentDetails(`attempt ${attempt.attempt}: the card is charged`);
  const { outcome, payment, applications, notice } = await chargeAutopay(attempt);
  setCurrentDetails(`attempt ${attempt.attempt}: **${outcome}**`);
  if (payment !== null) for (const each of [payment, ...applications]) await startFollowingPayment(orgId, each);
  if (notice !== null) await startNotice(orgId, attempt.policyId, notice);
  return { isDone: outcome === 'paid' || outcome === 'failed' };
}

async function startNotice(orgId: string, policyId: string, notice: Notice): Promise<void> {
  const options = startOptions(noticeWorkflowId(orgId, policyId, notice), 'saga', { orgId, entityId: policyId });
  await startOutliving(noticeWorkflow, { orgId, policyId, ...notice }, options);
}
