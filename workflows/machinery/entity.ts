/**
 * What all long-lived entity workflows share: updates go through one queue with one writer, the business clock
 * triggers due steps, the search attribute follows the status, and continue-as-new cuts the history without losing a
 * command. The commands and dates themselves are defined in `submission.ts` and `policy.ts`.
 */
import type { SearchAttributePair, UpdateDefinition } from '@temporalio/common';
import {
  allHandlersFinished,
  condition,
  rootCause,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { advanceClockUpdate, type ClockAdvanced } from '../../contracts/clock.ts';
import { type Command, type Repeatable, rowChangedSignal } from '../../contracts/machinery/command.ts';
import type { Standing, StepName } from '../../contracts/standing.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { BackOff } from './back-off.ts';
import { BusinessClock } from './business-clock.ts';
import { CommandQueue } from './command-queue.ts';
import { asFailure, isStepFailure } from './failures.ts';
import { isSameStep, StepHolder } from './held-step.ts';
import { isLong } from './long-history.ts';
import { type Decision, recordSkip } from './operator-decision.ts';

/** The outcome of each step: at least the status and the organization's clock. */
export interface EntityState {
  status: string;
  clockOffsetDays: number;
}

/** A step that runs automatically on a business date. */
export interface DueStep<State> {
  on: BusinessDate;
  /** The operator's name for it, e.g. `expires`. */
  what: string;
  run: () => Promise<State>;
}

interface EntityRules<State> {
  orgId: string;
  entityType: 'submission' | 'policy' | 'claim' | 'appointment';
  entityId: string;
  /** Reads the row; null when there is none. Needed when the workflow starts without knowing the state. */
  load: () => Promise<State | null>;
  /** The automatic steps, earliest first; empty when none is left. */
  dueSteps: (state: State) => DueStep<State>[];
  /** Whether no command or date can change the entity any longer. */
  isOver: (state: State) => boolean;
  /** Whether others also change the row; then it is read again whenever the organization's test clock moves. */
  isChangedByOthers: boolean;
  /** Search attributes unknown when started from the row alone; they are added with the first status. */
  attributes?: (state: State) => SearchAttributePair[];
  /** What an operator sees besides the status and the next step; null for nothing. */
  remark?: (state: State) => string | null;
}

interface EntityStart<State> {
  /** The state handed over by an earlier run or by the creator of the row. */
  carried?: State | undefined;
  standing?: Standing | undefined;
  backOff?: BackOff | undefined;
}

interface Acceptance<Arguments, Outcome> {
  description: string;
  /** Immediately refuses what the state forbids. Synchronous: a promise would be ignored. @throws DomainError */
  validate: (command: Command<Arguments>) => void;
  /** The local activity that carries the command out. */
  step: (command: Command<Arguments>) => Promise<Repeatable<Outcome>>;
}

/** Something to do now, without a command. */
interface Chore extends StepName {
  run: () => Promise<void>;
}

/** One entity's workflow. `state` is null until the row has been read or a first command has been carried out. */
export class Entity<State extends EntityState> {
  readonly clock: BusinessClock;
  readonly #commands: CommandQueue;
  readonly #steps: StepHolder;
  readonly #rules: EntityRules<State>;
  #state: State | null;
  #isAbsent = false;
  #mustRead = false;
  /** Work under way beside the queue. */
  #beside = 0;

  constructor(rules: EntityRules<State>, { carried, standing, backOff }: EntityStart<State>) {
    this.#rules = rules;
    this.#state = carried ?? null;
    this.clock = new BusinessClock(carried?.clockOffsetDays ?? 0);
    this.#commands = new CommandQueue(standing?.recentCommandIds);
    this.#steps = new StepHolder(standing ?? {}, backOff);
    setHandler(advanceClockUpdate, (advance) => this.#advanceClock(advance.clockOffsetDays), {
      description: 'Adopts the business date of the organization and does everything that has fallen due.',
    });
    setHandler(rowChangedSignal, () => this.#readAgain(), {
      description: 'Reads the row again after another workflow has changed it.',
    });
  }

  get state(): State | null {
    return this.#state;
  }

  /** What the next run needs besides the state. */
  get standing(): Standing {
    return { recentCommandIds: this.#commands.recentIds, ...this.#steps.standing };
  }

  /**
   * Registers an update: refused by `validate`, or queued and carried out by `step`, whose outcome becomes the state.
   */
  accept<Arguments, Outcome extends State>(
    update: UpdateDefinition<Outcome, [Command<Arguments>]>,
    { description, validate, step }: Acceptance<Arguments, Outcome>,
  ): void {
    const carryOut = async (command: Command<Arguments>) => {
      const { repeated, ...kept } = await step(command);
      const outcome = kept as unknown as Outcome;
      // A stored outcome has the status as of that time.
      if (repeated) this.#readAgain();
      else this.#changed(outcome);
      return outcome;
    };
    const handle = (command: Command<Arguments>) => this.#commands.submit(command.commandId, () => carryOut(command));
    const validator = (command: Command<Arguments>) => {
      // A repeated command is answered with its stored outcome, however far the state has moved on. Until a changed
      // row is read, only the step knows what it allows.
      const isJudgedByStep = this.#mustRead || command.isRepeat || this.#commands.hasSeen(command.commandId);
      if (!isJudgedByStep) asFailure(() => validate(command));
    };
    setHandler(update, handle, { validator, description });
  }

  /** Does work in its turn without anyone waiting: after the current command has been answered, before the next one. */
  afterwards(work: () => Promise<void>): void {
    void this.#commands.submit(null, work);
  }

  /** Does work that commands need not wait for; the workflow does not end before it. It must not fail. */
  async beside(work: () => Promise<void>): Promise<void> {
    this.#beside += 1;
    await work();
    this.#beside -= 1;
  }

  /**
   * Serves until the entity is over or absent, or the history is long enough to cut. When it returns, no handler or
   * other work is running and no command is waiting.
   */
  async serve(): Promise<'over' | 'absent' | 'continue'> {
    this.#show();
    for (;;) {
      await this.#commands.drain();
      const decision = this.#steps.operator.take();
      if (decision) await this.#obey(decision);
      await this.#doChores();
      const end = this.#end();
      if (end === null) await this.#awaitNext();
      else if (await this.#settle()) return end;
    }
  }

  #end(): 'over' | 'absent' | 'continue' | null {
    if (this.#state === null && this.#isAbsent) return 'absent';
    if (this.#state !== null && this.#rules.isOver(this.#state)) return 'over';
    return isLong() ? 'continue' : null;
  }

  /** Waits for what is under way, such as answers to callers; false if a new command has come in meanwhile. */
  async #settle(): Promise<boolean> {
    await condition(() => !this.#commands.isEmpty || (allHandlersFinished() && this.#beside === 0));
    return this.#commands.isEmpty;
  }

  async #awaitNext(): Promise<void> {
    const chore = this.#chore();
    const interrupted = () =>
      !this.#commands.isEmpty ||
      this.#steps.operator.hasDecided ||
      workflowInfo().continueAsNewSuggested ||
      this.#chore()?.step !== chore?.step;
    if (chore !== null) return this.#steps.rest(interrupted);
    const due = this.#dueSteps()[0];
    if (!due) return condition(interrupted);
    await this.clock.until(due.on, interrupted, `${due.what} on ${due.on}`);
  }

  async #advanceClock(offsetDays: number): Promise<ClockAdvanced> {
    this.clock.setOffset(offsetDays);
    return this.#commands.submit(null, async () => {
      if (this.#rules.isChangedByOthers) this.#readAgain();
      this.#steps.release();
      await this.#doChores();
      return { isDone: !this.#isAnythingDue() };
    });
  }

  /** Makes the next turn read the row, whether or not it could be read the last time. */
  #readAgain(): void {
    this.#mustRead = true;
    if (this.#steps.held?.step === READING) this.#steps.release();
  }

  /**
   * Runs the due steps in order until none is left or one has failed; the steps after a failed one wait.
   */
  async #doChores(): Promise<void> {
    let chore = this.#chore();
    for (; chore && !this.#steps.isResting(chore); chore = this.#chore()) await this.#attempt(chore);
    // A step that is no longer due needs no repair.
    this.#steps.keepOnly(chore);
    this.#show();
  }

  async #attempt(chore: Chore): Promise<void> {
    try {
      await chore.run();
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      return this.#steps.hold(chore, rootCause(error) ?? 'unknown');
    }
    const next = this.#chore();
    // A rule that keeps scheduling a step that the row refuses must not spin.
    if (next && isSameStep(next, chore)) this.#steps.hold(chore, 'The step ran but is still due.');
    else this.#steps.done(chore);
  }

  /**
   * The work to do now: the earliest due step, then reading the row if needed. The row does not say what must follow a
   * step that was committed by a worker that died; the step, taken again, does. A failed step waits until the row is
   * read: it may no longer be due.
   */
  #chore(): Chore | null {
    const due = this.#dueChore();
    const mustRead = this.#mustRead || (this.#state === null && !this.#isAbsent);
    if (!mustRead || (due !== null && this.#steps.held === null)) return due;
    return { step: READING, on: null, run: () => this.#read() };
  }

  #dueChore(): Chore | null {
    const due = this.#dueSteps()[0];
    if (!due || !this.clock.hasReached(due.on)) return null;
    return { step: due.what, on: due.on, run: async () => this.#become(await due.run()) };
  }

  /** The future steps, without those an operator has skipped. */
  #dueSteps(): DueStep<State>[] {
    return this.#allDueSteps().filter(({ what, on }) => !this.#steps.isSkipped({ step: what, on }));
  }

  #allDueSteps(): DueStep<State>[] {
    return this.#state === null || this.#rules.isOver(this.#state) ? [] : this.#rules.dueSteps(this.#state);
  }

  #isAnythingDue(): boolean {
    return this.#mustRead || this.#allDueSteps().some(({ on }) => this.clock.hasReached(on));
  }

  async #read(): Promise<void> {
    const state = await this.#rules.load();
    this.#mustRead = false;
    this.#isAbsent = state === null;
    if (state !== null) this.#become(state);
  }

  /**
   * Carries out the operator's decision about the held step. A step is skipped only once that is on record.
   */
  async #obey(decision: Decision): Promise<void> {
    const { kind, step } = decision;
    const { held } = this.#steps;
    if (held === null || held.step !== step) return;
    if (kind === 'retry') return this.#steps.release();
    const { orgId, entityType, entityId } = this.#rules;
    const fault = await recordSkip({ orgId, entityType, entityId }, decision);
    if (fault !== null) return this.#steps.hold(held, fault);
    this.#steps.skip();
    if (step !== READING) return;
    // Without the row the workflow continues with what it knows, or ends.
    this.#mustRead = false;
    this.#isAbsent = this.#state === null;
  }

  /** A command has changed the entity: previously skipped steps may now be valid. */
  #changed(state: State): void {
    this.#steps.forgetSkipped();
    this.#become(state);
    this.#show();
  }

  #become(state: State): void {
    this.#state = state;
    this.clock.setOffset(state.clockOffsetDays);
  }

  /**
   * Keeps the operator's view in step with the state, including the last one: ended workflows are searched by how they
   * ended. An unchanged value costs nothing.
   */
  #show(): void {
    this.#steps.show();
    if (this.#steps.held !== null || this.#state === null) return;
    const { status } = this.#state;
    const shown = workflowInfo().typedSearchAttributes;
    const missing = this.#rules.attributes?.(this.#state).filter(({ key }) => shown.get(key) === undefined) ?? [];
    this.#steps.operator.goOn(status, missing);
    setCurrentDetails(this.#rules.isOver(this.#state) ? status : this.#outlook(this.#state));
  }

  #outlook(state: State): string {
    const due = this.#dueSteps()[0];
    const next = due ? `next: ${due.what} on ${due.on}` : null;
    return [state.status, next, this.#rules.remark?.(state) ?? null].filter((each) => each !== null).join(', ');
  }
}

/** The step shown when an entity's row could not be read. */
const READING = 'reading the row';
