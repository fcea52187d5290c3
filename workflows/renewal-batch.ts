/**
 * Renews every policy that expires soon: opening the batch writes its list, which is then worked through page by page
 * with a bounded number of slices running, each an activity that renews its policies. Many faults, or a lasting
 * outage, wait for an operator. The rows are the truth: a restarted run continues with the policies that have no
 * outcome. Contract 3.2 "batch".
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { Command } from '../contracts/machinery/command.ts';
import {
  type BatchOutcome,
  type BatchRef,
  type RenewalBatchInput,
  type RenewalPace,
  type RunRenewalsPayload,
  runRenewalsUpdate,
} from '../contracts/renewal.ts';
import { innerFailure, isRefusal } from './machinery/failures.ts';
import { Operator, retryOrder } from './machinery/operator-decision.ts';
import { ONE_TRANSACTION } from './machinery/options.ts';
import { BatchWindow } from './renewal-window.ts';

const transactions = proxyLocalActivities<Activities>(ONE_TRANSACTION);

/** The subject of the operator's decision. */
const STEP = 'renewals';
/** Ten slices at a time keep several workers busy; 200 are some 1,500 events. */
const PACE: RenewalPace = { page: 100, slice: 10, atOnce: 10, slicesOfARun: 200 };

export async function renewalBatchWorkflow(input: RenewalBatchInput): Promise<void> {
  const { orgId, carried } = input;
  const opening = new Opening(input);
  setHandler(runRenewalsUpdate, (command) => opening.open(command), {
    description: 'Opens the batch and lists the policies that are due.',
  });
  const operator = new Operator('Records what failed and renews the rest.');
  const batchId = carried?.batchId ?? (await opening.opened());
  if (batchId !== null) await carryThrough(input, { orgId, batchId }, operator);
  await condition(allHandlersFinished);
}

/** A cancelled batch keeps what it has done and reports that it did not finish. */
async function carryThrough(input: RenewalBatchInput, batch: BatchRef, operator: Operator): Promise<void> {
  try {
    await workThrough(input, batch, operator);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => transactions.closeRenewalBatch({ ...batch, status: 'failed' }));
    throw error;
  }
}

async function workThrough(input: RenewalBatchInput, batch: BatchRef, operator: Operator): Promise<void> {
  const standing = input.carried ?? (await whatIsLeft(batch));
  if (standing === null) return;
  const pace = { ...PACE, ...input.pace };
  const window = new BatchWindow(batch, pace, standing);
  let { after } = standing;
  for (let slices = 0; ; ) {
    const policyIds = await transactions.pendingRenewals({ ...batch, after, limit: pace.page });
    slices += await window.begin(policyIds);
    const isLast = policyIds.length < pace.page;
    const isLong = slices >= pace.slicesOfARun || workflowInfo().continueAsNewSuggested;
    if (isLast || isLong || window.isTroubled) await window.drain();
    if (window.isTroubled) {
      await decide(window, batch, operator);
      // Policies not yet started or to be retried have no outcome: the list is read from its beginning.
      after = null;
      continue;
    }
    if (isLast) break;
    after = policyIds.at(-1) ?? after;
    if (isLong) {
      await condition(allHandlersFinished);
      const carried = { ...window.standing, after, batchId: batch.batchId };
      await continueAsNew<typeof renewalBatchWorkflow>({ ...input, carried });
    }
  }
  await giveUp(window, batch, { operator: null, reason: null });
  await transactions.closeRenewalBatch({ ...batch, status: 'completed' });
}

/** Null if the batch has ended, or was never opened. */
async function whatIsLeft(batch: BatchRef) {
  try {
    const { isRunning, matched, counts } = await transactions.readRenewalBatch(batch);
    return isRunning ? { matched, counts, faultyIds: [], round: 1, after: null } : null;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Lets an operator decide on the failures: retry or give up. */
async function decide(window: BatchWindow, batch: BatchRef, operator: Operator): Promise<void> {
  operator.waitAt(STEP, window.message);
  window.show(
    `**waiting for an operator**: ${STEP} failed (${window.message}). Repair the cause, then ${retryOrder()}`,
  );
  const { kind, ...by } = await operator.decided();
  operator.goOn();
  if (kind === 'skip') return giveUp(window, batch, { operator: by.operator, reason: by.reason ?? null });
  window.takeFailed();
  window.beginRound();
  window.show();
}

async function giveUp(
  window: BatchWindow,
  batch: BatchRef,
  by: { operator: string | null; reason: string | null },
): Promise<void> {
  const policyIds = window.takeFailed();
  if (policyIds.length > 0) await transactions.giveUpRenewals({ ...batch, ...by, policyIds });
  window.giveUp(policyIds);
  window.show();
}

/** Where the batch comes from: a caller's update, the calendar, or it already exists. */
class Opening {
  readonly #input: RenewalBatchInput;
  #requested = 0;
  #answered = 0;

  constructor(input: RenewalBatchInput) {
    this.#input = input;
  }

  async open(command: Command<RunRenewalsPayload>): Promise<BatchOutcome> {
    this.#requested += 1;
    try {
      const { workflowId } = workflowInfo();
      const payload = { ...command.payload, workflowId };
      const { repeated: _, ...batch } = await transactions.openRenewalBatch({ ...command, payload });
      return batch;
    } catch (error) {
      throw innerFailure(error);
    } finally {
      this.#answered += 1;
    }
  }

  async opened(): Promise<string | null> {
    const { orgId, batchId } = this.#input;
    if (batchId !== undefined) {
      await condition(() => this.#answered === this.#requested);
      return batchId;
    }
    const { workflowId } = workflowInfo();
    const batch = await transactions.openDailyRenewals({ orgId, workflowId });
    if (batch === null) setCurrentDetails('The flag auto_renewal is off: nothing is renewed.');
    return batch?.batchId ?? null;
  }
}
