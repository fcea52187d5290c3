// The business date on the move: the test clock and the workflows it wakes.

import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { Command } from './command.ts';

/** The business date that the organization's test clock should reach. */
export interface AdvanceTestClock {
  advanceTo: BusinessDate;
}

export interface TestClockOutcome {
  date: BusinessDate;
}

/** Where the test clock is to go, and whether it passes over what is due today and cannot be done. */
export interface NextTestClockStep extends AdvanceTestClock {
  orgId: string;
  isPassing: boolean;
}

/** One stop of the test clock on its way; `isDue` is false when nothing is left to happen up to the date asked for. */
export interface TestClockStep {
  date: BusinessDate;
  clockOffsetDays: number;
  isDue: boolean;
}

/** How many entities still have something to do that has fallen due: a step failed, or an operator has left it out. */
export interface Woken {
  undone: number;
}

/** Whose workflows are to take over which offset, because something is due by which date. */
export interface WakeCommand {
  orgId: string;
  date: BusinessDate;
  clockOffsetDays: number;
}

/**
 * Tells a sleeping workflow that the organization's business date has moved; answers when all that fell due is done or
 * has failed.
 */
export interface ClockAdvance {
  clockOffsetDays: number;
}

/** Whether everything that has fallen due was done; a step that failed, or was left out, is still due. */
export interface ClockAdvanced {
  isDone: boolean;
}

export const advanceClockUpdate = defineUpdate<ClockAdvanced, [ClockAdvance]>('advanceClock');

export const advanceTestClockUpdate = defineUpdate<TestClockOutcome, [Command<AdvanceTestClock>]>('advance');
