/**
 * The operator of a workflow: what they see while a step waits (`npm run ops -- list`), and their signals to try it
 * again or to go on without it. A decision counts for the step that waits when it arrives; any other does nothing.
 */
import type { SearchAttributePair } from '@temporalio/common';
import { condition, setHandler, upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { readable } from '../../contracts/data-converter.ts';
import { retryStepSignal, type StepDecision, skipStepSignal } from '../../contracts/saga.ts';
import { SAGA_STATUS, SEARCH_ATTRIBUTES, WAITING_MEMO } from '../../contracts/search-attributes.ts';

export type Decision = StepDecision & { kind: 'retry' | 'skip' };

export class Operator {
  #waitsAt: string | null;
  #decision: Decision | null = null;

  /**
   * `skipping` says what it means to go on without a step; `waitsAt` is the step at which an earlier run has waited.
   */
  constructor(skipping: string, waitsAt: string | null = null) {
    this.#waitsAt = waitsAt;
    const hear = (kind: Decision['kind']) => (decision: StepDecision) => {
      if (decision.step === this.#waitsAt) this.#decision = { ...decision, kind };
    };
    setHandler(retryStepSignal, hear('retry'), { description: 'Tries the step again that waits.' });
    setHandler(skipStepSignal, hear('skip'), { description: skipping });
  }

  get hasDecided(): boolean {
    return this.#decision !== null;
  }

  /**
   * Lists the workflow as waiting at a step, for a reason that holds nothing personal. What was decided about another
   * one counts no more.
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

  /** Hands the decision over, once. */
  take(): Decision | null {
    const decision = this.#decision;
    this.#decision = null;
    return decision;
  }

  /** Waits for the decision about the step of the last `waitAt`. */
  async decided(): Promise<Decision> {
    await condition(() => this.hasDecided);
    return this.take() as Decision;
  }

  /** Takes the workflow off the list; it is shown with `status` again, and with what else is known by then. */
  goOn(status: string = SAGA_STATUS.running, further: readonly SearchAttributePair[] = []): void {
    this.#waitsAt = null;
    this.#decision = null;
    const { memo, typedSearchAttributes } = workflowInfo();
    if (memo?.[WAITING_MEMO]) upsertMemo({ [WAITING_MEMO]: null });
    if (typedSearchAttributes.get(SEARCH_ATTRIBUTES.entityStatus) !== status) {
      upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: status }, ...further]);
    }
  }
}

/** The order that tries the waiting step of this workflow again, as an operator types it. */
export const retryOrder = (): string => `\`npm run ops -- retry ${workflowInfo().workflowId}\``;
