/**
 * Business time inside a workflow: the organization's business date, and waiting for one. A workflow never compares
 * dates with its own clock; the organization's test clock may be ahead of it.
 */
import { condition } from '@temporalio/workflow';
import { businessDateAt, startOfDayMs } from '../../domain/business-day.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { Alarm, workflowNow } from './alarm.ts';

/** The business date of one organization, as far as this workflow knows it. */
export class BusinessClock {
  readonly #alarm = new Alarm();
  #offsetDays: number;

  constructor(offsetDays: number) {
    this.#offsetDays = offsetDays;
  }

  get offsetDays(): number {
    return this.#offsetDays;
  }

  /** The organization's business date at the workflow's time. */
  today(): BusinessDate {
    return businessDateAt(workflowNow(), this.#offsetDays);
  }

  hasReached(date: BusinessDate): boolean {
    return this.today() >= date;
  }

  /** Adopts the organization's offset; wakes every waiter in `until` whose date has come. */
  setOffset(offsetDays: number): void {
    this.#offsetDays = offsetDays;
  }

  /** Waits until the business date is `date` or `interrupted` is true. */
  async until(date: BusinessDate, interrupted: () => boolean, summary: string): Promise<void> {
    while (!this.hasReached(date) && !interrupted()) {
      this.#alarm.set(startOfDayMs(date, this.#offsetDays), summary);
      const offsetDays = this.#offsetDays;
      await condition(() => !this.#alarm.isSet || this.#offsetDays !== offsetDays || interrupted());
    }
  }
}
