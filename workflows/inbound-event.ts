/**
 * One verified provider event: one transaction records it, and the resulting saga starts before this workflow ends.
 * The provider gets 200 once this has ended and 500 if it failed; a redelivery then restarts it.
 */
import { proxyLocalActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { RefundWorkflowInput } from '../contracts/billing.ts';
import type { InboundEventInput, InboundEventResult } from '../contracts/inbound.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/machinery/search-attributes.ts';
import { policyWorkflowId, refundWorkflowId, startOptions } from '../contracts/machinery/start.ts';
import { startFollowingPayment } from './billing/following.ts';
import { refundWorkflow } from './billing/refund.ts';
import { notifyRowChanged, startOutliving } from './machinery/children.ts';
import { ONE_TRANSACTION } from './machinery/options.ts';

const { handleCardEvent } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function inboundEventWorkflow({ event }: InboundEventInput): Promise<InboundEventResult> {
  setCurrentDetails(`${event.type}: being recorded`);
  const { outcome, orgId, paymentId, payment, applications = [], refund, ...notify } = await handleCardEvent(event);
  const { policyToNotify, otherPoliciesToNotify = [], endedRefunds = [] } = notify;
  setCurrentDetails(`${event.type}: **${outcome}** ${paymentId ?? ''}`);
  if (orgId !== null && orgId !== event.metadata.orgId) {
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.orgId, value: orgId }]);
  }
  if (orgId !== null && payment !== null) {
    for (const each of [payment, ...applications]) await startFollowingPayment(orgId, each);
  }
  if (orgId !== null && refund !== null) {
    const input: RefundWorkflowInput = { orgId, refundId: refund.refundId, recorded: refund };
    const facts = {
      orgId,
      entityId: refund.refundId,
      policyNumber: refund.policyNumber ?? undefined,
    };
    await startOutliving(refundWorkflow, input, startOptions(refundWorkflowId(orgId, refund.refundId), 'saga', facts));
  }
  const policyIds = policyToNotify ? [policyToNotify, ...otherPoliciesToNotify] : otherPoliciesToNotify;
  for (const policyId of policyIds) {
    if (orgId !== null) await notifyRowChanged(policyWorkflowId(orgId, policyId));
  }
  for (const refundId of endedRefunds) {
    if (orgId !== null) await notifyRowChanged(refundWorkflowId(orgId, refundId));
  }
  return { outcome, orgId, paymentId };
}
