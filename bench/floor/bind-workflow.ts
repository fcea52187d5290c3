/** The least a workflow can do to bind: one update, one local activity. */
import { condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities } from './bind-activity.ts';
import type { FloorBind } from './bind-command.ts';

/** Does nothing; brings the workflow into the worker's cache. */
export const warmUpdate = defineUpdate<void, []>('warm');
export const bindUpdate = defineUpdate<string, [FloorBind]>('bind');

/** A failing floor ends the run: with retries it would only look slow. */
const { bind } = proxyLocalActivities<FloorActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
});

export async function floorWorkflow(): Promise<void> {
  setHandler(warmUpdate, () => {});
  setHandler(bindUpdate, (quote) => bind(quote));
  await condition(() => false);
}
