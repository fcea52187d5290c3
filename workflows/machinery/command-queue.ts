/**
 * The commands waiting for an entity's main loop, in order of arrival. Update handlers interleave at every await;
 * because only the main loop takes from this queue, an entity has one writer.
 */
import { innerFailure } from './failures.ts';
import { inTrace } from './trace.ts';

/** Enough to cover retries by callers that were cut off, small enough to be carried into the next run. */
const REMEMBERED_COMMANDS = 50;

interface WaitingCommand {
  work: () => Promise<unknown>;
  resolve: (outcome: never) => void;
  reject: (failure: unknown) => void;
}

/** First in, first out; remembers which commands were accepted. */
export class CommandQueue {
  #waiting: WaitingCommand[] = [];
  #recentIds: string[];

  constructor(recentIds: readonly string[] = []) {
    this.#recentIds = [...recentIds];
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Ids of the most recently accepted commands, oldest first. */
  get recentIds(): string[] {
    return this.#recentIds;
  }

  /**
   * Whether the command was already accepted, in this run or an earlier one: then its outcome is stored and can be
   * fetched.
   */
  hasSeen(commandId: string): boolean {
    return this.#recentIds.includes(commandId);
  }

  /**
   * Waits for its turn, then for `work`; returns its result. An activity's failure is thrown as the activity threw it.
   */
  submit<T>(commandId: string | null, work: () => Promise<T>): Promise<T> {
    if (commandId !== null && !this.hasSeen(commandId)) {
      this.#recentIds = [...this.#recentIds, commandId].slice(-REMEMBERED_COMMANDS);
    }
    return new Promise<T>((resolve, reject) => this.#waiting.push({ work: inTrace(work), resolve, reject }));
  }

  /**
   * Runs the waiting commands, one after the other, including those that arrive meanwhile. Called only by the main
   * loop.
   */
  async drain(): Promise<void> {
    for (let command = this.#waiting.shift(); command; command = this.#waiting.shift()) {
      try {
        command.resolve((await command.work()) as never);
      } catch (error) {
        command.reject(innerFailure(error));
      }
    }
  }
}
