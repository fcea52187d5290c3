// Moving the business date: the test clock and the workflows it wakes.

import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { Command } from './machinery/command.ts';

/** The business date that the organization's test clock should reach. */
export interface AdvanceTestClock {
  advanceTo: BusinessDate;
}

export interface TestClockOutcome {
  date: BusinessDate;
}

/** The test clock's date after one leg, and whether that is the requested date with all work done. */
export interface TestClockLeg extends TestClockOutcome {
  isThere: boolean;
}

/**
 * Notifies a sleeping workflow that the organization's business date has moved; answers once everything that fell due
 * is done or has failed.
 */
export interface ClockAdvance {
  clockOffsetDays: number;
}

/** Whether all due steps were done; a failed or skipped step is still due. */
export interface ClockAdvanced {
  isDone: boolean;
}

export const advanceClockUpdate = defineUpdate<ClockAdvanced, [ClockAdvance]>('advanceClock');

export const advanceTestClockUpdate = defineUpdate<TestClockOutcome, [Command<AdvanceTestClock>]>('advance');
