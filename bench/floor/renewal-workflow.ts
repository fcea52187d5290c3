/**
 * The least a renewal batch can be as a fan-out: a child workflow per policy, a limited number at a time, each with
 * one local activity.
 */
import { condition, continueAsNew, executeChild, proxyLocalActivities } from '@temporalio/workflow';
import type { FloorSteps } from './payment-steps.ts';

const { record } = proxyLocalActivities<FloorSteps>({ startToCloseTimeout: '10 seconds' });

const AT_ONCE = 10;
const CHILDREN_OF_A_RUN = 400;

export async function floorFanOutWorkflow({ ids }: { ids: string[] }): Promise<void> {
  let running = 0;
  for (const id of ids.slice(0, CHILDREN_OF_A_RUN)) {
    await condition(() => running < AT_ONCE);
    running += 1;
    void executeChild(floorRenewalWorkflow, { workflowId: `floor-renewal/${id}`, args: [{ id }] }).finally(() => {
      running -= 1;
    });
  }
  await condition(() => running === 0);
  const rest = ids.slice(CHILDREN_OF_A_RUN);
  if (rest.length > 0) await continueAsNew<typeof floorFanOutWorkflow>({ ids: rest });
}

export async function floorRenewalWorkflow({ id }: { id: string }): Promise<void> {
  await record(id);
}
