/**
 * The operator's side of a workflow: what they see while a step waits (`npm run ops -- list`), and their signals to
 * retry or skip it. A decision counts for the step that is waiting when it arrives; any other does nothing.
 */
import type { SearchAttributePair } from '@temporalio/common';
import {
  condition,
  proxyLocalActivities,
  rootCause,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import { readable } from '../../contracts/machinery/data-converter.ts';
import {
  retryStepSignal,
  type SkippedStep,
  type StepDecision,
  skipStepSignal,
} from '../../contracts/machinery/saga.ts';
import { SAGA_STATUS, SEARCH_ATTRIBUTES, WAITING_MEMO } from '../../contracts/machinery/search-attributes.ts';
import { isStepFailure } from './failures.ts';
import { DUE_STEP } from './options.ts';

const { auditStepSkipped } = proxyLocalActivities<Activities>(DUE_STEP);

export type Decision = StepDecision & { kind: 'retry' | 'skip' };

export class Operator {
  #waitsAt: string | null;
  #decision: Decision | null = null;

  /** `skipping` says what skipping a step means; `waitsAt` is the step where an earlier run was waiting. */
  constructor(skipping: string, waitsAt: string | null = null) {
    this.#waitsAt = waitsAt;
    const hear = (kind: Decision['kind']) => (decision: StepDecision) => {
      if (decision.step === this.#waitsAt) this.#decision = { ...decision, kind };
    };
    setHandler(retryStepSignal, hear('retry'), { description: 'Tries the waiting step again.' });
    setHandler(skipStepSignal, hear('skip'), { description: skipping });
  }

  /** Retries the waiting step on an operator's behalf. Returns whether one was waiting. */
  retry(by: string): boolean {
    if (this.#waitsAt === null) return false;
    this.#decision ??= { step: this.#waitsAt, operator: by, kind: 'retry' };
    return true;
  }

  get hasDecided(): boolean {
    return this.#decision !== null;
  }

  /**
   * Lists the workflow as waiting at a step, with a reason free of personal data. Decisions about an earlier step no
   * longer count.
   */
  waitAt(step: string, message: string): void {
    if (step !== this.#waitsAt) this.#decision = null;
    this.#waitsAt = step;
    const { memo, typedSearchAttributes } = workflowInfo();
    const shown = memo?.[WAITING_MEMO] as { step: string; message: string } | null | undefined;
    if (shown?.step !== step || shown.message !== message) upsertMemo({ [WAITING_MEMO]: readable({ step, message }) });
    if (typedSearchAttributes.get(SEARCH_ATTRIBUTES.entityStatus) !== SAGA_STATUS.waiting) {
      upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: SAGA_STATUS.waiting }]);
    }
  }

  /** Hands over the decision, once. */
  take(): Decision | null {
    const decision = this.#decision;
    this.#decision = null;
    return decision;
  }

  /** Waits for the decision on the last `waitAt` step. */
  async decided(): Promise<Decision> {
    await condition(() => this.hasDecided);
    return this.take() as Decision;
  }

  /** Takes the workflow off the list; it shows `status` again, if it has one, and any attributes known by then. */
  goOn(status: string | null = null, further: readonly SearchAttributePair[] = []): void {
    this.#waitsAt = null;
    this.#decision = null;
    const { memo, typedSearchAttributes } = workflowInfo();
    if (memo?.[WAITING_MEMO]) upsertMemo({ [WAITING_MEMO]: null });
    if ((typedSearchAttributes.get(SEARCH_ATTRIBUTES.entityStatus) ?? null) !== status) {
      upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: status }, ...further]);
    }
  }
}

/** Records that an operator skips a step, which is skipped only then. Returns why that failed, or null. */
export async function recordSkip(
  of: Omit<SkippedStep, keyof StepDecision>,
  { step, operator, reason }: Decision,
): Promise<string | null> {
  try {
    await auditStepSkipped({ ...of, step, operator, ...(reason ? { reason } : {}) });
    return null;
  } catch (error) {
    if (!isStepFailure(error)) throw error;
    return `The skip could not be recorded: ${rootCause(error)}`;
  }
}

/** The command line that retries the waiting step of this workflow, as an operator types it. */
export const retryOrder = (): string => `\`npm run ops -- retry ${workflowInfo().workflowId}\``;
