// An engine whose activities can be broken, on a server with short histories: for the tests of failing steps.
import { ApplicationFailure } from '@temporalio/common';
import type { HealingResult } from '../../../contracts/machinery/healing.ts';
import { queueBeside } from '../../../contracts/machinery/queues.ts';
import { SEARCH_ATTRIBUTES } from '../../../contracts/machinery/search-attributes.ts';
import { WORKFLOW_TYPES } from '../../../contracts/machinery/start.ts';
import { newId } from '../../../db/ids.ts';
import { listWaiting } from '../../../scripts/ops/waiting.ts';
import type { BackOff } from '../../../workflows/machinery/back-off.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestServer } from '../../support/servers/servers.ts';
import { type Engine, startEngine } from '../engine.ts';
import { startServerWithShortHistories } from '../short-histories.ts';

const SUGGESTED_AFTER = 60;
/** A run is cut at its next turn; what was in progress when the cut was suggested adds a little. */
export const LONGEST_RUN = 2 * SUGGESTED_AFTER;
export const AT_ONCE: BackOff = { firstMs: 1, longestMs: 10 };
/** Long enough that a step that has failed is not tried again in the same turn, however long the attempt took. */
export const SHORTLY: BackOff = { firstMs: 12_000, longestMs: 12_000 };
/** Longer than any test: only an operator triggers the next attempt. */
export const NEVER: BackOff = { firstMs: 86_400_000, longestMs: 86_400_000 };

export interface Breakable {
  engine: Engine;
  server: TestServer;
}

/** Entities whose activity fails, as `activity of id`. */
export const broken = new Set<string>();
/** How often each was tried, under the same names. */
export const attempts = new Map<string, number>();

/** What an attempt waits for before anything else, by the same names. */
export const hindrances = new Map<string, () => Promise<void>>();

/** The caller stops the server. */
export async function startBreakable(t: { title?: string }): Promise<Breakable> {
  const server = await startServerWithShortHistories(SUGGESTED_AFTER);
  return { server, engine: await startEngine(t, { temporalAddress: server.address, interfere }) };
}

/** A notice is identified by its policy. */
async function interfere(activity: string, run: () => Promise<unknown>, argument: unknown): Promise<unknown> {
  const { entityId, policyId, orgId } = argument as { entityId?: string; policyId?: string; orgId?: string };
  const name = `${activity} of ${entityId ?? policyId ?? orgId}`;
  attempts.set(name, (attempts.get(name) ?? 0) + 1);
  await hindrances.get(name)?.();
  if (broken.has(name)) throw ApplicationFailure.nonRetryable('injected', 'internal_error');
  return run();
}

export const waitsAt = ({ temporal }: Engine, workflowId: string, step: string) =>
  eventually(
    async () => (await listWaiting(temporal.client)).find((one) => one.workflowId === workflowId && one.step === step),
    { what: `${workflowId} to wait at: ${step}` },
  );

export const isShownAs = ({ temporal }: Engine, workflowId: string, status: string | null) =>
  eventually(
    async () => {
      const { typedSearchAttributes } = await temporal.client.workflow.getHandle(workflowId).describe();
      return (typedSearchAttributes.get(SEARCH_ATTRIBUTES.entityStatus) ?? null) === status;
    },
    { what: `${workflowId} to be shown as ${status}` },
  );

/** Which of the organization's workflows healing has started. */
export async function healed({ temporal, queue }: Engine, orgId: string): Promise<string[]> {
  const order = {
    workflowId: `healing/${newId('request')}`,
    taskQueue: queueBeside(queue, 'batch'),
    args: [{ orgId }],
  };
  return ((await temporal.client.workflow.execute(WORKFLOW_TYPES.healing, order)) as HealingResult).workflowIds;
}
