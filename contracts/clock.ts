// The business date on the move: the test clock and the workflows it wakes.

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

/** Where the test clock stands after a leg of its way, and whether that is the requested date with all of it done. */
export interface TestClockLeg extends TestClockOutcome {
  isThere: boolean;
}

/**
 * Notifies a sleeping workflow that the organization's business date has moved; answers when all that fell due is done
 * or has failed.
 */
export interface ClockAdvance {
  clockOffsetDays: number;
}

/** Whether all due steps were done; a step that failed, or was skipped, is still due. */
export interface ClockAdvanced {
  isDone: boolean;
}

export const advanceClockUpdate = defineUpdate<ClockAdvanced, [ClockAdvance]>('advanceClock');

export const advanceTestClockUpdate = defineUpdate<TestClockOutcome, [Command<AdvanceTestClock>]>('advance');
