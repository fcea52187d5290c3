/**
 * A saga's steps as an operator sees them. A step that has failed for good raises `financial.operation_failed` once
 * and then waits, with all earlier steps done, until an operator signals to retry or skip it. Nothing is lost
 * meanwhile.
 */
import { rootCause } from '@temporalio/common';
import {
  condition,
  log,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities.ts';
import type { MoneyStep, SkippedStep, StepFailure } from '../../contracts/machinery/saga.ts';
import { SAGA_STATUS, SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { ALERT_BACK_OFF, pauseMs } from './back-off.ts';
import { isStepFailure } from './failures.ts';
import { type Decision, Operator, recordSkip, retryOrder } from './operator-decision.ts';
import { DUE_STEP } from './options.ts';

const { raiseStepFailure } = proxyLocalActivities<Activities>(DUE_STEP);

/** The step shown when a saga's alert could not be raised. */
const ALERT = 'alert';

export class Saga {
  readonly #of: MoneyStep;
  readonly #entityType: SkippedStep['entityType'];
  readonly #operator: Operator;
  readonly #history: string[] = [];
  /** Alerts that could not be raised yet. */
  #unheard: StepFailure[] = [];
  #title = '';
  /** Something has changed that the next failing step may depend on. */
  #isChanged = false;
  #alerts = 0;

  /** `of` is the payment, refund, policy or invoice that the steps belong to. */
  constructor(of: MoneyStep, entityType: SkippedStep['entityType'] = 'payment') {
    this.#of = of;
    this.#entityType = entityType;
    this.#operator = new Operator('Skips the waiting step. Its entries must then be made by hand.');
  }

  /** Sets the heading of the operator's view. */
  entitle(title: string): void {
    this.#title = title;
  }

  /**
   * Carries out a step, with as many tries as it takes. Returns whether it was done; false if an operator skipped it.
   */
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
          this.#note(`**skipped** by ${decision.operator}: ${name}`);
          return false;
        }
        this.#note(`tried again by ${decision.operator}: ${name}`);
      }
    }
  }

  /** Waits until a person has approved or rejected it; operators see this, but have nothing to decide. */
  async waitForApproval(message: string, isDecided: () => boolean): Promise<void> {
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: SAGA_STATUS.awaitingApproval }]);
    this.show(`**waiting for approval**: ${message}`);
    await condition(isDecided);
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: null }]);
    this.#note('done: approval');
  }

  /** Retries the waiting step, or else the next one to fail: what it depends on has changed. */
  tryAgain(): void {
    this.#isChanged = !this.#operator.retry('a change of the row');
  }

  /** Raises the outstanding alerts: a failure without an alert is lost. */
  async close(): Promise<void> {
    if (this.#unheard.length === 0) return;
    this.#waitAt(ALERT, 'It could not be raised.');
    for (;;) {
      await this.#keepRaising();
      if (this.#unheard.length === 0) break;
      const decision = await this.#operator.decided();
      if (decision.kind === 'retry') await this.#raiseAll();
      else if (await this.#isSkipOnRecord(decision)) this.#unheard = [];
    }
    this.#operator.goOn();
  }

  /** Keeps the operator's view in step with the saga. */
  show(status: string): void {
    this.#display([...this.#history, status]);
  }

  #display(lines: readonly string[]): void {
    const heading = this.#title === '' ? [] : [`**${this.#title}**`, ''];
    setCurrentDetails([...heading, ...lines.map((line) => `- ${line}`)].join('\n'));
  }

  #note(line: string): void {
    this.#history.push(line);
    this.#display(this.#history);
  }

  async #decisionOn(step: string, message: string): Promise<Decision> {
    this.#alerts += 1;
    const { workflowId, runId } = workflowInfo();
    this.show(`**failed**: ${step} (${message})`);
    const alertId = `${runId}:${this.#alerts}`;
    this.#unheard.push({ ...this.#of, entityType: this.#entityType, alertId, step, message, workflowId });
    await this.#raiseAll();
    for (let reason = message; ; ) {
      this.#waitAt(step, reason);
      if (this.#isChanged) this.tryAgain();
      await this.#keepRaising();
      const decision = await this.#operator.decided();
      if (decision.kind === 'retry' || (await this.#isSkipOnRecord(decision))) {
        this.#operator.goOn();
        return decision;
      }
      reason = 'The skip could not be recorded.';
    }
  }

  #waitAt(step: string, message: string): void {
    this.#operator.waitAt(step, message);
    this.show(`**waiting for an operator**: ${step} failed (${message}). Repair the cause, then ${retryOrder()}`);
  }

  /** A step is skipped only once the decision is on record. */
  async #isSkipOnRecord(decision: Decision): Promise<boolean> {
    const fault = await recordSkip({ ...this.#of, entityType: this.#entityType }, decision);
    if (fault !== null) log.error(fault, { step: decision.step });
    return fault === null;
  }

  /** Raises the outstanding alerts, with growing pauses, until all are raised or the operator has decided. */
  async #keepRaising(): Promise<void> {
    for (let failures = 1; this.#unheard.length > 0; failures += 1) {
      if (await condition(() => this.#operator.hasDecided, pauseMs(failures, ALERT_BACK_OFF))) return;
      await this.#raiseAll();
    }
  }

  async #raiseAll(): Promise<void> {
    const failures = this.#unheard;
    this.#unheard = [];
    for (const failure of failures) {
      try {
        await raiseStepFailure(failure);
      } catch (error) {
        if (!isStepFailure(error)) throw error;
        log.error('An alert could not be raised and is raised again', { cause: rootCause(error) });
        this.#unheard.push(failure);
      }
    }
  }
}
