/** What a workflow has to do with others: it starts those that go on without it, and tells those whose rows it has changed. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  getExternalWorkflowHandle,
  isCancellation,
  log,
  ParentClosePolicy,
  startChild,
  type Workflow,
} from '@temporalio/workflow';
import { rowChangedSignal, type startOptions } from './contracts.ts';

/** Starts a workflow that outlives this one, and waits until the server has it. One that was started before stays as it is. */
export async function startOutliving<T extends Workflow>(
  workflow: T,
  input: Parameters<T>[0],
  options: ReturnType<typeof startOptions>,
): Promise<void> {
  const args = [input] as unknown as Parameters<T>;
  try {
    await startChild<Workflow>(workflow, {
      ...options,
      args,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Tells an entity's workflow that its row has been changed. One that does not run will read the row when it is started. */
export async function tellRowChanged(workflowId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(rowChangedSignal);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.info('The workflow of a changed row does not run', { workflowId });
  }
}
