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

/** Where the test clock should go, and whether it passes over due steps that cannot be done today. */
export interface NextTestClockStep extends AdvanceTestClock {
  orgId: string;
  isPassing: boolean;
}

/** One stop of the test clock on its way; `isDue` is false when nothing is left to do up to the requested date. */
export interface TestClockStep {
  date: BusinessDate;
  clockOffsetDays: number;
  isDue: boolean;
}

/** How many entities still have a due step: it failed, or an operator has skipped it. */
export interface Woken {
  undone: number;
}

/** The entities whose workflows take over an offset, and the date by which something is due. */
export interface WakeCommand {
  orgId: string;
  date: BusinessDate;
  clockOffsetDays: number;
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
