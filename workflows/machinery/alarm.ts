/**
 * The workflow's own time, and one timer that serves successive waits: it is replaced only by an earlier one, so a
 * moment that keeps moving later costs nothing. The only file that reads the time; the SDK returns the same at every
 * replay.
 */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

interface Timer {
  dueMs: number;
  scope: CancellationScope;
}

/** The workflow's time in milliseconds since 1970. */
export const workflowNow = (): number => Date.now();

/** At most one timer at a time; the waiter checks `isSet` and resets it. */
export class Alarm {
  #timer: Timer | null = null;

  /** Whether a timer is running. */
  get isSet(): boolean {
    return this.#timer !== null;
  }

  /** Rings at `dueMs` at the latest: an earlier timer is kept. */
  set(dueMs: number, summary: string): void {
    if (this.#timer !== null && this.#timer.dueMs <= dueMs) return;
    this.#timer?.scope.cancel();
    const timer: Timer = { dueMs, scope: new CancellationScope() };
    this.#timer = timer;
    void this.#ring(timer, summary);
  }

  async #ring(timer: Timer, summary: string): Promise<void> {
    try {
      await timer.scope.run(() => sleep(Math.max(timer.dueMs - workflowNow(), 1), { summary }));
    } catch (error) {
      if (!isCancellation(error)) throw error;
    }
    if (this.#timer === timer) this.#timer = null;
  }
}
