/**
 * The steps of a saga as an operator sees them. A step that has failed for good is told once as `financial.operation_failed` and then
 * waits, with everything before it done, until an operator signals to try it again or to go on without it. Nothing is lost meanwhile.
 */
import { rootCause } from '@temporalio/common';
import {
  condition,
  log,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { MoneyStep, StepDecision } from '../activities/messages-money.ts';
import { retryStepSignal, SAGA_STATUS, SEARCH_ATTRIBUTES, skipStepSignal, WAITING_MEMO } from './contracts.ts';
import { readable } from './data-converter.ts';
import { isStepFailure } from './failures.ts';
import { ONE_TRANSACTION } from './options.ts';

const { raiseStepFailure, auditStepSkipped } = proxyLocalActivities<Activities>(ONE_TRANSACTION);

/** The alert of a step is itself repeated for as long as it takes: a failure that nobody hears of is lost. */
const TELL_AGAIN_AFTER = '1 minute';

type Decision = StepDecision & { kind: 'retry' | 'skip' };

export class Saga {
  readonly #of: MoneyStep;
  readonly #decisions: Decision[] = [];
  readonly #history: string[] = [];
  #title = '';
  #alerts = 0;

  /** `of` is the payment or refund whose steps these are. */
  constructor(of: MoneyStep) {
    this.#of = of;
    setHandler(retryStepSignal, (decision) => void this.#decisions.push({ ...decision, kind: 'retry' }), {
      description: 'Tries the step again that waits for an operator.',
    });
    setHandler(skipStepSignal, (decision) => void this.#decisions.push({ ...decision, kind: 'skip' }), {
      description:
        'Goes on without the step that waits for an operator. What it would have written must be put right by hand.',
    });
  }

  /** The heading of what the operator reads. */
  entitle(title: string): void {
    this.#title = title;
  }

  /** Carries a step out, however often it takes. Answers whether it was done; false when an operator went on without it. */
  async step(name: string, run: () => Promise<unknown>): Promise<boolean> {
    for (;;) {
      this.show(`under way: ${name}`);
      try {
        await run();
        this.#note(`done: ${name}`);
        return true;
      } catch (error) {
        if (!isStepFailure(error)) throw error;
        const decision = await this.#decisionOn(name, rootCause(error) ?? 'unknown');
        if (decision.kind === 'skip') {
          await surely(() => auditStepSkipped({ ...this.#of, ...decision, step: name }));
          this.#note(`**skipped** by ${decision.operator}: ${name}`);
          return false;
        }
        this.#note(`tried again by ${decision.operator}: ${name}`);
      }
    }
  }

  /** Keeps what the operator sees in step with the saga. */
  show(status: string): void {
    this.#tell([...this.#history, status]);
  }

  #tell(lines: readonly string[]): void {
    const heading = this.#title === '' ? [] : [`**${this.#title}**`, ''];
    setCurrentDetails([...heading, ...lines.map((line) => `- ${line}`)].join('\n'));
  }

  #note(line: string): void {
    this.#history.push(line);
    this.#tell(this.#history);
  }

  async #decisionOn(step: string, message: string): Promise<Decision> {
    // What was signalled before this failure was meant for an earlier one.
    this.#decisions.length = 0;
    this.#alerts += 1;
    const { workflowId, runId } = workflowInfo();
    const alertId = `${runId}:${this.#alerts}`;
    this.show(`**failed**: ${step} (${message})`);
    await surely(() => raiseStepFailure({ ...this.#of, alertId, step, message, workflowId }));
    upsertMemo({ [WAITING_MEMO]: readable({ step, message }) });
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: SAGA_STATUS.waiting }]);
    this.show(
      `**waiting for an operator**: ${step} failed (${message}). Repair the cause, then \`npm run ops -- retry ${workflowId}\``,
    );
    const decision = await this.#decided(step);
    upsertMemo({ [WAITING_MEMO]: null });
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: SAGA_STATUS.running }]);
    return decision;
  }

  async #decided(step: string): Promise<Decision> {
    let decision: Decision | undefined;
    await condition(() => {
      decision = this.#decisions.find((candidate) => candidate.step === step);
      return decision !== undefined;
    });
    return decision as Decision;
  }
}

/** Repeats a transaction that must not be given up, beyond the retries of its own. */
async function surely(run: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await run();
      return;
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      log.error('A failure could not be told and is told again', { cause: rootCause(error) });
      await sleep(TELL_AGAIN_AFTER, { summary: 'telling of the failure again' });
    }
  }
}
