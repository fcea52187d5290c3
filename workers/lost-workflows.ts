/** Finds workflows that, by their rows, should be running but are not, and starts them from their rows. */
import type { ExpectedWorkflow } from '../contracts/machinery/healing.ts';
import {
  appointmentTarget,
  attemptCancellationTarget,
  bordereauTarget,
  claimPaymentTarget,
  claimTarget,
  noticeTarget,
  paymentTarget,
  policyTarget,
  refundTarget,
  renewalBatchTarget,
  signingEnvelopeTarget,
  submissionTarget,
  type Target,
  trustRunTarget,
} from '../contracts/machinery/targets.ts';
import type { EngineClient } from '../providers/engine-client.ts';

/** Concurrent starts: few enough not to slow callers down. */
const AT_ONCE = 4;

/**
 * Returns the ids of missing workflows, each started unless it is a dry run. Starting a running workflow does nothing.
 */
export async function healWorkflows(
  workflows: EngineClient,
  expected: readonly ExpectedWorkflow[],
  isDryRun: boolean,
): Promise<string[]> {
  const targets = expected.map(targetOf);
  const running = await workflows.listRunning(targets.map(({ workflowId }) => workflowId));
  const candidates = targets.filter(({ workflowId }) => !running.has(workflowId));
  // The list lags behind: a workflow missing from it may still be running.
  const isMissing = async (target: Target) =>
    isDryRun ? !(await workflows.isRunning(target.workflowId)) : workflows.startMissing(target);
  const missing: string[] = [];
  for (let i = 0; i < candidates.length; i += AT_ONCE) {
    const some = candidates.slice(i, i + AT_ONCE);
    const results = await Promise.all(some.map(isMissing));
    missing.push(...some.filter((_, n) => results[n]).map(({ workflowId }) => workflowId));
  }
  return missing;
}

/** How to start a workflow from its row alone; no one still waits for a batch or payment. */
function targetOf({ kind, orgId, id, workflowId, invoiceId, notice }: ExpectedWorkflow): Target {
  switch (kind) {
    case 'submission':
      return submissionTarget(orgId, id);
    case 'policy':
      return policyTarget(orgId, id);
    case 'claim':
      return claimTarget(orgId, id);
    case 'appointment':
      return appointmentTarget(orgId, id);
    case 'envelope':
      return signingEnvelopeTarget(orgId, id);
    case 'claim_payment':
      return claimPaymentTarget(orgId, id);
    case 'batch':
      return { ...renewalBatchTarget(orgId, id, workflowId), urgency: 'batch' };
    case 'bordereau':
      return bordereauTarget(orgId, id);
    case 'trust_run':
      return { ...trustRunTarget(orgId, id), input: { orgId, reconciliationId: id }, urgency: 'batch' };
    case 'payment':
      return { ...paymentTarget(orgId, id), urgency: 'saga' };
    case 'refund':
      return { ...refundTarget(orgId, id), urgency: 'saga' };
    case 'attempt_cancellation':
      return attemptCancellationTarget(orgId, { invoiceId: known(invoiceId), attemptId: id });
    case 'notice':
      return noticeTarget(orgId, known(notice));
  }
}

function known<T>(fact: T | undefined): T {
  if (fact === undefined) throw new TypeError('The row does not say what its workflow needs to know');
  return fact;
}
