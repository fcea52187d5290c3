/**
 * What every long-lived entity workflow has in common: updates go through one queue with one writer, the business clock brings
 * what falls due, the search attribute follows the status, and the history is cut by continue-as-new without losing a command.
 * Which commands and dates there are is the business of `submission.ts` and `policy.ts`.
 */
import type { SearchAttributePair, UpdateDefinition } from '@temporalio/common';
import {
  allHandlersFinished,
  condition,
  log,
  patched,
  rootCause,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import { BusinessClock } from './business-clock.ts';
import { CommandQueue } from './command-queue.ts';
import { advanceClockUpdate, type Command, type Repeatable, rowChangedSignal, SEARCH_ATTRIBUTES } from './contracts.ts';
import { asFailure, isStepFailure } from './failures.ts';

/** Long enough not to flood the history, short enough for an operator's patience. */
const RETRY_STEP_AFTER = '1 minute';
/** Events of a run. Temporal asks for the cut at 4,096, which would be the first history that is longer than that. */
const LONGEST_HISTORY = 2_500;

/** What each step answers: at least the status and the organization's clock. */
export interface EntityState {
  status: string;
  clockOffsetDays: number;
}

/** Something that happens by itself on a business date. */
export interface DueStep<State> {
  on: BusinessDate;
  /** What the operator reads, e.g. `expires`. */
  what: string;
  run: () => Promise<State>;
}

interface EntityRules<State> {
  /** Reads the row; null when there is none. Needed when the workflow starts without being told the state. */
  load: () => Promise<State | null>;
  /** The next thing that happens by itself, or null when nothing is left to come. */
  nextDue: (state: State) => DueStep<State> | null;
  /** Whether no command and no date can change the entity any more. */
  isOver: (state: State) => boolean;
  /** Whether something is missing in what was carried on, so that the row is read once. By default nothing is. */
  isIncomplete?: (state: State) => boolean;
  /** Whether what is known of the row may be out of date, so that it is read before the clock is obeyed. By default it is not. */
  isStale?: (state: State) => boolean;
  /** Search attributes that a start from the row alone does not know; they are added with the first status. */
  attributes?: (state: State) => SearchAttributePair[];
}

interface Acceptance<Arguments, Outcome> {
  description: string;
  /** Refuses at once what the state forbids. Synchronous: a promise would be ignored. @throws DomainError */
  validate: (command: Command<Arguments>) => void;
  /** The local activity that carries the command out. */
  step: (command: Command<Arguments>) => Promise<Repeatable<Outcome>>;
}

/** One entity's workflow. `state` is null until the row has been read or a first command has been carried out. */
export class Entity<State extends EntityState> {
  readonly clock: BusinessClock;
  readonly #commands: CommandQueue;
  readonly #rules: EntityRules<State>;
  #state: State | null;

  constructor(rules: EntityRules<State>, carried?: State & { recentCommandIds: string[] }) {
    this.#rules = rules;
    this.#state = carried ?? null;
    this.clock = new BusinessClock(carried?.clockOffsetDays ?? 0);
    this.#commands = new CommandQueue(carried?.recentCommandIds);
    setHandler(advanceClockUpdate, (advance) => this.#advanceClock(advance.clockOffsetDays), {
      description: 'Takes over the business date of the organization and does what has fallen due by it.',
    });
    setHandler(rowChangedSignal, () => this.afterwards(() => this.#load()), {
      description: 'Reads the row again, which the step of another entity has changed.',
    });
  }

  get state(): State | null {
    return this.#state;
  }

  get recentCommandIds(): string[] {
    return this.#commands.recentIds;
  }

  /** Registers an update: refused by `validate`, else queued, then carried out by `step`, whose outcome becomes the state. */
  accept<Arguments, Outcome extends State>(
    update: UpdateDefinition<Outcome, [Command<Arguments>]>,
    { description, validate, step }: Acceptance<Arguments, Outcome>,
  ): void {
    const carryOut = async (command: Command<Arguments>) => {
      const { repeated, ...kept } = await step(command);
      const outcome = kept as unknown as Outcome;
      // A kept outcome says how the entity stood then.
      if (repeated) await this.#load();
      else this.#become(outcome);
      return outcome;
    };
    const handle = (command: Command<Arguments>) => this.#commands.submit(command.commandId, () => carryOut(command));
    const validator = (command: Command<Arguments>) => {
      // A repeated command is answered by its kept outcome, however the state has moved on.
      if (!this.#commands.hasSeen(command.commandId)) asFailure(() => validate(command));
    };
    setHandler(update, handle, { validator, description });
  }

  /** Does something nobody waits for in its turn: after the command under way has been answered, before the next one. */
  afterwards(work: () => Promise<void>): void {
    void this.#commands.submit(null, work);
  }

  /**
   * Serves until the entity is over, or does not exist, or the history has grown long enough to be cut. When it answers, no handler
   * is under way and no command is waiting.
   */
  async serve(): Promise<'over' | 'absent' | 'continue'> {
    if (this.#state !== null) this.#show(this.#state);
    for (;;) {
      await this.#commands.drain();
      if (this.#state === null || this.#rules.isIncomplete?.(this.#state)) await this.#load();
      const end = this.#end();
      if (end === null) await this.#awaitNext();
      else if (await this.#settle()) return end;
    }
  }

  #end(): 'over' | 'absent' | 'continue' | null {
    if (this.#state === null) return 'absent';
    if (this.#rules.isOver(this.#state)) return 'over';
    return isLong() ? 'continue' : null;
  }

  /** Waits for the handlers to answer their callers; false when a new command has come in meanwhile. */
  async #settle(): Promise<boolean> {
    await condition(() => !this.#commands.isEmpty || allHandlersFinished());
    return this.#commands.isEmpty;
  }

  async #awaitNext(): Promise<void> {
    const interrupted = () => !this.#commands.isEmpty || workflowInfo().continueAsNewSuggested;
    const due = this.#state && this.#rules.nextDue(this.#state);
    if (!due) return condition(interrupted);
    if (await this.clock.until(due.on, interrupted, `${due.what} on ${due.on}`)) await this.#runDue();
  }

  async #advanceClock(offsetDays: number): Promise<void> {
    this.clock.setOffset(offsetDays);
    return this.#commands.submit(null, async () => {
      if (this.#state === null || this.#rules.isStale?.(this.#state)) await this.#load();
      await this.#runDue();
    });
  }

  /** Does everything whose date has come, in the order of the dates. */
  async #runDue(): Promise<void> {
    for (let due = this.#dueNow(); due; ) {
      this.#become(await insist(due.what, due.run));
      const next = this.#dueNow();
      // A rule that asks for a step which the row refuses must not spin.
      if (next?.what === due.what && next.on === due.on)
        await sleep(RETRY_STEP_AFTER, { summary: `${due.what}: not done` });
      due = next;
    }
  }

  #dueNow(): DueStep<State> | null {
    if (this.#state === null || this.#rules.isOver(this.#state)) return null;
    const due = this.#rules.nextDue(this.#state);
    return due && this.clock.hasReached(due.on) ? due : null;
  }

  async #load(): Promise<void> {
    const state = await insist('reading the row', this.#rules.load);
    if (state !== null) this.#become(state);
  }

  #become(state: State): void {
    this.#state = state;
    this.clock.setOffset(state.clockOffsetDays);
    this.#show(state);
  }

  /** Keeps what the operator sees in step with the state; an unchanged status costs nothing. */
  #show(state: State): void {
    const shown = workflowInfo().typedSearchAttributes;
    if (shown.get(SEARCH_ATTRIBUTES.entityStatus) !== state.status) {
      const missing = this.#rules.attributes?.(state).filter(({ key }) => shown.get(key) === undefined) ?? [];
      upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.entityStatus, value: state.status }, ...missing]);
    }
    const due = this.#rules.isOver(state) ? null : this.#rules.nextDue(state);
    setCurrentDetails(due ? `${state.status}, next: ${due.what} on ${due.on}` : state.status);
  }
}

/** Whether the history is to be cut: Temporal asks for it, or would before long. */
function isLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || (historyLength >= LONGEST_HISTORY && patched('history is cut in time'));
}

/**
 * Repeats a step that nobody waits for until it is done: giving up would lose the date. Its own activity retries come first, so
 * whoever reads this in the workflow's details has something to repair.
 */
async function insist<T>(what: string, step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      log.error('A step failed and is tried again', { step: what, cause: rootCause(error) });
      setCurrentDetails(`${what}: failed (${rootCause(error)}), tried again every minute`);
      await sleep(RETRY_STEP_AFTER, { summary: `${what}: next attempt` });
    }
  }
}
