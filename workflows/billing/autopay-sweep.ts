/**
 * Charges today's bills to insureds' cards and sends the e-mails before a charge, page by page through the
 * organizations. An interrupted attempt is resumed, so a second sweep on the same day does no harm. Started by a
 * schedule. Decision 0165.
 */
import { continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { AutopayDay, AutopaySweepInput } from '../../contracts/autopay.ts';
import { autopayChargeWorkflowId, noticeWorkflowId, startOptions } from '../../contracts/machinery/start.ts';
import { startOutliving } from '../machinery/children.ts';
import { RECONCILING } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';
import { noticeWorkflow } from '../notice.ts';
import { autopayChargeWorkflow } from './autopay-charge.ts';

const { organizationsWithCharges, dueAutopay, keepChargeNotices } = activitiesOn('batch', {
  ...RECONCILING,
  summary: 'bills to charge',
});

const PAGE = 20;

export async function autopaySweepWorkflow(input: AutopaySweepInput = {}): Promise<void> {
  const { page = PAGE } = input;
  let { after = '', afterInsured = '', started = 0, failed = 0 } = input;
  for (;;) {
    const orgIds = await organizationsWithCharges({ after, limit: page });
    for (const orgId of orgIds) {
      for (let next: string | null = afterInsured; next !== null; ) {
        // An organization that fails for hours is tried again tomorrow, and holds up no other.
        const day: AutopayDay | null = await dueAutopay({ orgId, after: next }).catch(() => null);
        if (day === null) failed += 1;
        else started += await begin(orgId, day);
        setCurrentDetails(`${started} bills were charged; ${failed} organizations failed`);
        next = day?.next ?? null;
        if (next !== null && workflowInfo().continueAsNewSuggested) {
          await continueAsNew<typeof autopaySweepWorkflow>({ page, after, afterInsured: next, started, failed });
        }
      }
      afterInsured = '';
      after = orgId;
      if (workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof autopaySweepWorkflow>({ page, after, started, failed });
      }
    }
    if (orgIds.length < page) return;
  }
}

/** Starts an organization's charges and e-mails. Returns the number of charges. */
async function begin(orgId: string, { date, invoiceIds, notices }: AutopayDay): Promise<number> {
  if (notices.length > 0) await keepChargeNotices({ orgId, notices });
  for (const { policyId, ...notice } of notices) {
    const options = startOptions(noticeWorkflowId(orgId, policyId, notice), 'saga', { orgId, entityId: policyId });
    await startOutliving(noticeWorkflow, { orgId, policyId, ...notice }, options);
  }
  for (const invoiceId of invoiceIds) {
    const workflowId = autopayChargeWorkflowId(orgId, invoiceId, date);
    const options = startOptions(workflowId, 'saga', { orgId, entityId: invoiceId });
    await startOutliving(autopayChargeWorkflow, { orgId, invoiceId }, options);
  }
  return invoiceIds.length;
}
