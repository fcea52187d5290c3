/**
 * Notifies policies of each billing hold change, independently of commands: a hold can be lifted while its policies
 * cannot be notified. Retries until it succeeds or an operator skips it.
 */
import { condition, log, rootCause, setCurrentDetails } from '@temporalio/workflow';
import type { BillingHoldOutcome, BillingHoldWorkflowInput, UnnotifiedHolds } from '../../contracts/billing-hold.ts';
import { BACK_OFF, type BackOff, pauseMs } from '../machinery/back-off.ts';
import { isStepFailure } from '../machinery/failures.ts';
import { isLong } from '../machinery/long-history.ts';
import { Operator, recordSkip, retryOrder } from '../machinery/operator-decision.ts';
import { WAKING } from '../machinery/options.ts';
import { activitiesOn } from '../machinery/queues.ts';
import { inTrace } from '../machinery/trace.ts';

const { notifyDelinquentPolicies } = activitiesOn('batch', WAKING);

/** The step as the operator sees it and decides on it. */
const STEP = 'notifying the policies';
const SKIPPING = 'Skips notifying: each policy reads its holds on its next due day, or by a command.';

export class HoldNotifier {
  readonly #orgId: string;
  readonly #backOff: BackOff;
  readonly #operator: Operator;
  readonly #changes: BillingHoldOutcome[] = [];
  /** Consecutive failures of the oldest change, and the reason of the last. */
  #failures: number;
  #reason: string;
  #latest = Promise.resolve();
  #isPausing = false;

  constructor({ orgId, backOff = BACK_OFF, carried }: BillingHoldWorkflowInput) {
    this.#orgId = orgId;
    this.#backOff = backOff;
    this.#failures = carried?.failures ?? 0;
    this.#reason = carried?.reason ?? '';
    this.#operator = new Operator(SKIPPING, carried ? STEP : null);
    // Memos and details do not outlive the run.
    if (carried) this.#show();
    for (const change of carried?.changes ?? []) this.add(change);
  }

  get isDone(): boolean {
    return this.#changes.length === 0;
  }

  /** Whether the next run may take over: the history is long, nothing is running, and no decision is lost. */
  get canHandOver(): boolean {
    return this.#isPausing && !this.#operator.hasDecided && isLong();
  }

  /** For the next run. */
  get left(): UnnotifiedHolds {
    return { changes: this.#changes, failures: this.#failures, reason: this.#reason };
  }

  add(change: BillingHoldOutcome): void {
    this.#changes.push(change);
    this.#latest = this.#latest.then(inTrace(() => this.#notify(change)));
  }

  async #notify(change: BillingHoldOutcome): Promise<void> {
    while (!(await this.#isNotified(change))) {
      await this.#pause();
      if (await this.#isSkipped(change)) break;
    }
    this.#failures = 0;
    this.#changes.shift();
    this.#operator.goOn();
    setCurrentDetails('');
  }

  async #isNotified({ state }: BillingHoldOutcome): Promise<boolean> {
    try {
      await notifyDelinquentPolicies({ orgId: this.#orgId, state });
      return true;
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      this.#failures += 1;
      this.#reason = rootCause(error) ?? 'unknown';
      const [failures, reason] = [this.#failures, this.#reason];
      log.error('The policies of a billing hold could not be notified, which is tried again', { failures, reason });
      this.#show();
      return false;
    }
  }

  /** Waits until it is time to retry, or an operator has decided. */
  async #pause(): Promise<void> {
    this.#isPausing = true;
    await condition(() => this.#operator.hasDecided, pauseMs(this.#failures, this.#backOff));
    this.#isPausing = false;
  }

  /** A step is skipped only once the decision is on record. */
  async #isSkipped({ holdId }: BillingHoldOutcome): Promise<boolean> {
    const decision = this.#operator.take();
    if (decision?.kind !== 'skip') return false;
    const fault = await recordSkip({ orgId: this.#orgId, entityId: holdId, entityType: 'billing_hold' }, decision);
    return fault === null;
  }

  #show(): void {
    this.#operator.waitAt(STEP, this.#reason);
    const failed = `${STEP} failed (${this.#reason}), ${this.#failures} times in a row`;
    setCurrentDetails(`**waiting**: ${failed}. Retried automatically, or by ${retryOrder()}`);
  }
}
