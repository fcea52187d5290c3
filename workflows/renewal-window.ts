/**
 * A batch's renewals in progress: a limited number of slices, each an activity; the next starts when one is done.
 * Policies that fail for any reason but a refusal are held here until someone decides on them.
 */
import { rootCause } from '@temporalio/common';
import { condition, setCurrentDetails } from '@temporalio/workflow';
import type { BatchRef, RenewalPace } from '../contracts/renewal.ts';
import { addCounts, type BatchCounts } from '../domain/renewal/renewal-batch.ts';
import { isStepFailure } from './machinery/failures.ts';
import { RENEWING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { renewSlice } = activitiesOn('batch', { ...RENEWING, summary: 'renewals, one policy after the other' });

/** A few faults may be due to the policies themselves; more are ours, and the next policies would fare no better. */
const FAULTS_BEFORE_PAUSE = 5;

export interface WindowStart {
  matched: number;
  counts: BatchCounts;
  faultyIds: string[];
  round: number;
}

export class BatchWindow {
  readonly #batch: BatchRef;
  readonly #pace: RenewalPace;
  readonly #matched: number;
  #counts: BatchCounts;
  #faultyIds: string[];
  #round: number;
  #inFlight = 0;
  #stopped: string[] = [];
  #message = 'The step failed.';

  constructor(batch: BatchRef, pace: RenewalPace, { matched, counts, faultyIds, round }: WindowStart) {
    this.#batch = batch;
    this.#pace = pace;
    this.#matched = matched;
    this.#counts = counts;
    this.#faultyIds = faultyIds;
    this.#round = round;
    this.show();
  }

  /** Whether an operator must step in before more starts. */
  get isTroubled(): boolean {
    return this.#stopped.length > 0 || this.#faultyIds.length >= FAULTS_BEFORE_PAUSE;
  }

  /** What the next run needs to know, when nothing is running. */
  get standing(): WindowStart {
    return { matched: this.#matched, counts: this.#counts, faultyIds: this.#faultyIds, round: this.#round };
  }

  /** Why the last one failed. */
  get message(): string {
    return this.#message;
  }

  /** Starts renewing some policies as soon as there is room; none if there is trouble. Returns the number of slices. */
  async begin(policyIds: readonly string[]): Promise<number> {
    const { slice, atOnce } = this.#pace;
    let begun = 0;
    for (let i = 0; i < policyIds.length; i += slice) {
      await condition(() => this.#inFlight < atOnce || this.isTroubled);
      if (this.isTroubled) break;
      this.#inFlight += 1;
      begun += 1;
      void this.#carryOut(policyIds.slice(i, i + slice));
    }
    return begun;
  }

  /** Waits until nothing is running. */
  async drain(): Promise<void> {
    await condition(() => this.#inFlight === 0);
  }

  /** Hands over the policies that have no outcome because of a failure. */
  takeFailed(): string[] {
    const policyIds = [...this.#stopped, ...this.#faultyIds];
    this.#stopped = [];
    this.#faultyIds = [];
    return policyIds;
  }

  /** Counts abandoned policies as failed. */
  giveUp(policyIds: readonly string[]): void {
    this.#counts = addCounts(this.#counts, { renewed: 0, referred: 0, failed: policyIds.length });
  }

  /** From now on renewals use new command ids: the same id would return its earlier failure. */
  beginRound(): void {
    this.#round += 1;
  }

  /** Keeps the operator's view in step; `also` is added to it. */
  show(also = ''): void {
    const { renewed, referred, failed } = this.#counts;
    const done = renewed + referred + failed;
    setCurrentDetails(
      `**${done} of ${this.#matched}**: ${renewed} renewed, ${referred} referred, ${failed} failed${also && `\n\n${also}`}`,
    );
  }

  async #carryOut(policyIds: string[]): Promise<void> {
    try {
      const { counts, faultyIds } = await renewSlice({ ...this.#batch, policyIds, round: this.#round });
      this.#counts = addCounts(this.#counts, counts);
      this.#faultyIds.push(...faultyIds);
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      this.#stopped.push(...policyIds);
      this.#message = rootCause(error) ?? this.#message;
    } finally {
      this.#inFlight -= 1;
      this.show();
    }
  }
}
