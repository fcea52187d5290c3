/**
 * How a workflow deals with others: it starts those that continue without it, and notifies those whose rows it has
 * changed.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  type ChildWorkflowHandle,
  getExternalWorkflowHandle,
  isCancellation,
  log,
  ParentClosePolicy,
  startChild,
  type Workflow,
} from '@temporalio/workflow';
import { rowChangedSignal } from '../../contracts/machinery/command.ts';
import type { startOptions } from '../../contracts/machinery/start.ts';

/**
 * Starts a workflow that outlives this one, and waits until the server has it. If already started, leaves it alone and
 * returns null.
 */
export async function startOutliving<T extends Workflow>(
  workflow: T,
  input: Parameters<T>[0],
  options: ReturnType<typeof startOptions>,
): Promise<ChildWorkflowHandle<Workflow> | null> {
  const args = [input] as unknown as Parameters<T>;
  try {
    return await startChild<Workflow>(workflow, {
      ...options,
      args,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

/** Makes an entity's workflow reread its row. A workflow that is not running reads the row when it starts. */
export async function notifyRowChanged(workflowId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(rowChangedSignal);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.info('The workflow of a changed row does not run', { workflowId });
  }
}
