/**
 * Business time inside a workflow: the organization's business date, and waiting for one. A workflow never compares
 * dates with its own clock; the organization's test clock may be ahead of it.
 */
import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import { businessDateAt, startOfDayMs } from '../domain/business-day.ts';
import type { BusinessDate } from '../domain/dates.ts';

interface Alarm {
  dueMs: number;
  scope: CancellationScope;
}

/** The business date of one organization, as far as this workflow has been told. */
export class BusinessClock {
  #offsetDays: number;
  #alarm: Alarm | null = null;

  constructor(offsetDays: number) {
    this.#offsetDays = offsetDays;
  }

  get offsetDays(): number {
    return this.#offsetDays;
  }

  /** The organization's business date at the workflow's time. */
  today(): BusinessDate {
    return businessDateAt(Date.now(), this.#offsetDays);
  }

  hasReached(date: BusinessDate): boolean {
    return this.today() >= date;
  }

  /** Takes over the organization's offset; whoever waits in `until` is woken when his date has come by it. */
  setOffset(offsetDays: number): void {
    this.#offsetDays = offsetDays;
  }

  /**
   * Waits until the business date is `date` or `interrupted` is true; answers whether the date has come.
   * One timer serves successive waits: it is replaced only by an earlier one, so a date that keeps moving away costs nothing.
   */
  async until(date: BusinessDate, interrupted: () => boolean, summary: string): Promise<boolean> {
    while (!this.hasReached(date) && !interrupted()) {
      const dueMs = startOfDayMs(date, this.#offsetDays);
      this.#setAlarm(dueMs, summary);
      const offsetDays = this.#offsetDays;
      await condition(() => this.#alarm === null || this.#offsetDays !== offsetDays || interrupted());
    }
    return this.hasReached(date);
  }

  #setAlarm(dueMs: number, summary: string): void {
    if (this.#alarm !== null && this.#alarm.dueMs <= dueMs) return;
    this.#alarm?.scope.cancel();
    const alarm: Alarm = { dueMs, scope: new CancellationScope() };
    this.#alarm = alarm;
    void this.#ring(alarm, summary);
  }

  async #ring(alarm: Alarm, summary: string): Promise<void> {
    try {
      await alarm.scope.run(() => sleep(Math.max(alarm.dueMs - Date.now(), 1), { summary }));
    } catch (error) {
      if (!isCancellation(error)) throw error;
    }
    if (this.#alarm === alarm) this.#alarm = null;
  }
}
