/**
 * Waiting for an operator: the workflow is listed by `npm run ops -- list` until he signals to try a step again or to go on without it.
 * For workflows that move no money; the steps of those that do are in `saga.ts`.
 */
import { condition, log, setHandler, upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  retryStepSignal,
  SAGA_STATUS,
  SEARCH_ATTRIBUTES,
  type StepDecision,
  skipStepSignal,
  WAITING_MEMO,
} from './contracts.ts';
import { readable } from './data-converter.ts';

export type Decision = StepDecision & { kind: 'retry' | 'skip' };

export class Operator {
  readonly #decisions: Decision[] = [];

  constructor() {
    setHandler(retryStepSignal, (decision) => void this.#decisions.push({ ...decision, kind: 'retry' }), {
      description: 'Tries the step again that waits for an operator.',
    });
    setHandler(skipStepSignal, (decision) => void this.#decisions.push({ ...decision, kind: 'skip' }), {
      description: 'Goes on without what failed in the step that waits for an operator.',
    });
  }

  /** Waits for the decision about a step that failed; `show` is given what the operator reads meanwhile. */
  async decideOn(step: string, message: string, show: (line: string) => void): Promise<Decision> {
    // What was signalled before this failure was meant for an earlier one.
    this.#decisions.length = 0;
    const { workflowId } = workflowInfo();
    log.error('A step failed and waits for an operator', { step, reason: message });
    upsertMemo({ [WAITING_MEMO]: readable({ step, message }) });
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: SAGA_STATUS.waiting }]);
    const order = `\`npm run ops -- retry ${workflowId}\``;
    show(`**waiting for an operator**: ${step} failed (${message}). Repair the cause, then ${order}`);
    let decision: Decision | undefined;
    await condition(() => {
      decision = this.#decisions.find((candidate) => candidate.step === step);
      return decision !== undefined;
    });
    upsertMemo({ [WAITING_MEMO]: null });
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: SAGA_STATUS.running }]);
    return decision as unknown as Decision;
  }
}
