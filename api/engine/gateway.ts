/**
 * Sends commands to workflows: an update to a running one, and the start of a missing one. The failures of the
 * engine come out as `DomainError`. What the commands are is in `lifecycle.ts`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  type SignalDefinition,
  type UpdateDefinition,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Logger } from 'pino';
import type { Command } from '../../contracts/command.ts';
import { queueBeside } from '../../contracts/queues.ts';
import { type EntityFacts, startOptions } from '../../contracts/start.ts';
import { logEngineFault } from '../../providers/temporal-errors.ts';
import { isLost, isPassing, refusalOf, unavailable, unknownOutcome } from './lifecycle-errors.ts';
import type { Availability } from './temporal.ts';

/** Sendings of a command in all, and the pause before the second, which grows. */
const ATTEMPTS = 4;
const PAUSE_MS = 100;

/** The workflow a command goes to, and how to start it when it is absent or closed. */
export interface Target {
  type: string;
  workflowId: string;
  input: Record<string, string>;
  facts: EntityFacts;
  /** The queue of batches for what only its opening is waited for; by default that of the entities. */
  queue?: 'lifecycle' | 'batch';
}

export interface GatewayOptions {
  client: Client;
  /** Task queue of the lifecycle workflows. */
  taskQueue: string;
  availability: Availability;
  logger: Logger;
}

/** What is sent: where to, and under which id if it is a command. */
interface Sending {
  workflowId: string;
  commandId: string | null;
}

/** A command has one update id however often it is sent: sending it twice is harmless. */
export class Gateway {
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #availability: Availability;
  readonly #logger: Logger;

  constructor({ client, taskQueue, availability, logger }: GatewayOptions) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#availability = availability;
    this.#logger = logger;
  }

  /**
   * Sends an update to the running workflow; starts it again if it is absent or closed, and then the row decides what
   * is legal.
   */
  deliver<P, R>(
    target: Target,
    update: UpdateDefinition<R, [Command<P>]>,
    command: Command<P>,
    withinMs: number,
  ): Promise<R> {
    const sending = { workflowId: target.workflowId, commandId: command.commandId };
    return this.#within(withinMs, sending, async () => {
      const handle = this.#client.workflow.getHandle(target.workflowId);
      try {
        return await handle.executeUpdate(update, { args: [command], updateId: updateIdOf(command) });
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError) && !isLost(error)) throw error;
        return await this.#updateWithStart(target, update, command);
      }
    });
  }

  /** Sends an update and starts the workflow for it unless it runs. */
  start<P, R>(
    target: Target,
    update: UpdateDefinition<R, [Command<P>]>,
    command: Command<P>,
    withinMs: number,
  ): Promise<R> {
    const sending = { workflowId: target.workflowId, commandId: command.commandId };
    return this.#within(withinMs, sending, async () => {
      try {
        return await this.#updateWithStart(target, update, command);
      } catch (error) {
        if (!isLost(error)) throw error;
        return await this.#updateWithStart(target, update, command);
      }
    });
  }

  /** Sends a signal to a workflow that runs; nothing to one that does not. */
  notify(workflowId: string, signal: SignalDefinition, withinMs: number): Promise<void> {
    return this.#within(withinMs, { workflowId, commandId: null }, async () => {
      try {
        await this.#client.workflow.getHandle(workflowId).signal(signal);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    });
  }

  ensure(target: Target, withinMs: number): Promise<void> {
    return this.#within(withinMs, { workflowId: target.workflowId, commandId: null }, async () => {
      await this.#client.workflow.start(target.type, this.#startOptions(target));
    });
  }

  #updateWithStart<P, R>(target: Target, update: UpdateDefinition<R, [Command<P>]>, command: Command<P>): Promise<R> {
    return this.#client.workflow.executeUpdateWithStart(update, {
      args: [command],
      updateId: updateIdOf(command),
      startWorkflowOperation: new WithStartWorkflowOperation(target.type, this.#startOptions(target)),
    });
  }

  #startOptions({ workflowId, facts, input, queue = 'lifecycle' }: Target) {
    return {
      ...startOptions(workflowId, queue === 'batch' ? 'batch' : 'caller', facts),
      taskQueue: queueBeside(this.#taskQueue, queue),
      args: [input],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
    } as const;
  }

  /** Within one deadline a command that the server did not take is sent again: its id makes that harmless. */
  async #within<T>(withinMs: number, sending: Sending, call: () => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + withinMs;
    const { commandId } = sending;
    for (let attempt = 1; ; attempt += 1) {
      // What has been sent once may be under way.
      if (!this.#availability.isUp()) throw attempt > 1 && commandId ? unknownOutcome(commandId) : unavailable();
      try {
        return await this.#client.withDeadline(giveUpAt, call);
      } catch (error) {
        logEngineFault(this.#logger, error, { ...sending, attempt });
        const isLast = attempt === ATTEMPTS || Date.now() >= giveUpAt;
        if (isLast || !isPassing(error)) throw refusalOf(error, commandId);
        await delay(PAUSE_MS * attempt);
      }
    }
  }
}

function updateIdOf({ updateId, commandId }: Command<unknown>): string {
  return updateId ?? commandId;
}
