/**
 * An entity's failed due step. It backs off for longer each time; the operator sees it and can retry or skip it; the
 * entity keeps serving commands. All of this is carried into the next run.
 */
import { condition, log, setCurrentDetails } from '@temporalio/workflow';
import type { HeldStep, Standing, StepName } from '../../contracts/standing.ts';
import { Alarm, workflowNow } from './alarm.ts';
import { BACK_OFF, type BackOff, pauseMs } from './back-off.ts';
import { Operator, retryOrder } from './operator-decision.ts';

export const isSameStep = (a: StepName, b: StepName): boolean => a.step === b.step && a.on === b.on;

export class StepHolder {
  readonly operator: Operator;
  readonly #alarm = new Alarm();
  readonly #backOff: BackOff;
  #held: HeldStep | null;
  #skipped: StepName[];

  constructor({ held = null, skipped = [] }: Partial<Standing>, backOff: BackOff = BACK_OFF) {
    this.#held = held;
    this.#skipped = skipped;
    this.#backOff = backOff;
    this.operator = new Operator('Skips the waiting step until a command changes the entity.', held?.step);
    // Memos do not outlive the run.
    if (held !== null) this.operator.waitAt(held.step, held.message);
  }

  /** The step that has failed and has not succeeded since. */
  get held(): HeldStep | null {
    return this.#held;
  }

  /** What the next run needs to know. */
  get standing(): Omit<Standing, 'recentCommandIds'> {
    return { held: this.#held, skipped: this.#skipped };
  }

  /** Whether the step has failed and is not yet due for a retry. */
  isResting(step: StepName): boolean {
    return this.#held !== null && isSameStep(this.#held, step) && workflowNow() < this.#held.retryAtMs;
  }

  isSkipped(step: StepName): boolean {
    return this.#skipped.some((skipped) => isSameStep(skipped, step));
  }

  /** Holds a step that has failed; the pause doubles while the same step keeps failing. */
  hold({ step, on }: StepName, message: string): void {
    const isAgain = this.#held !== null && isSameStep(this.#held, { step, on });
    const failures = isAgain ? (this.#held?.failures ?? 0) + 1 : 1;
    const retryAtMs = workflowNow() + pauseMs(failures, this.#backOff);
    log.error('A step failed and is tried again later', { step, failures, reason: message });
    this.#held = { step, on, failures, message, retryAtMs };
    this.operator.waitAt(step, message);
  }

  /** Forgets the failure of a step that has succeeded. */
  done(step: StepName): void {
    if (this.#held !== null && isSameStep(this.#held, step)) this.#held = null;
  }

  /** Forgets the failure unless it belongs to the step wanted now. */
  keepOnly(wanted: StepName | null): void {
    if (this.#held !== null && !(wanted && isSameStep(this.#held, wanted))) this.#held = null;
  }

  /** Lets the step be retried immediately. */
  release(): void {
    if (this.#held !== null) this.#held = { ...this.#held, retryAtMs: 0 };
  }

  /** Skips the held step from now on. */
  skip(): void {
    if (this.#held === null) return;
    const { step, on } = this.#held;
    this.#skipped = [...this.#skipped, { step, on }];
    this.#held = null;
  }

  /** Skipped steps count again: the entity has changed. */
  forgetSkipped(): void {
    this.#skipped = [];
  }

  /** Waits until the held step may be retried or `interrupted` is true. */
  async rest(interrupted: () => boolean): Promise<void> {
    if (this.#held === null) return;
    this.#alarm.set(this.#held.retryAtMs, `${this.#held.step}: next attempt`);
    const isRested = () => this.#held === null || workflowNow() >= this.#held.retryAtMs;
    await condition(() => !this.#alarm.isSet || isRested() || interrupted());
  }

  /** Shows the operator the waiting step. */
  show(): void {
    if (this.#held === null) return;
    const { step, failures, message, retryAtMs } = this.#held;
    const next = new Date(retryAtMs).toISOString();
    setCurrentDetails(
      `**waiting**: ${step} failed (${message}), ${failures} times in a row. Tried again at ${next}, or by ${retryOrder()}`,
    );
  }
}
