/**
 * Sends commands to workflows within the caller's deadline, again where the server did not take them. The failures of
 * the engine come out as `DomainError`. What the commands are is in `lifecycle.ts`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, UpdateDefinition } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Command } from '../../contracts/command.ts';
import type { Target } from '../../contracts/targets.ts';
import { EngineClient, type UpdateRequest } from '../../providers/engine-client.ts';
import { logEngineFault } from '../../providers/temporal-errors.ts';
import { isPassing, refusalOf, unavailable, unknownOutcome } from './lifecycle-errors.ts';
import type { Availability } from './temporal.ts';

/** Sendings of a command in all, and the pause before the second, which grows. */
const ATTEMPTS = 4;
const PAUSE_MS = 100;

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
  readonly #engine: EngineClient;
  readonly #availability: Availability;
  readonly #logger: Logger;

  constructor({ client, taskQueue, availability, logger }: GatewayOptions) {
    this.#client = client;
    this.#engine = new EngineClient({ client, taskQueue });
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
    return this.#within(withinMs, sending, () => this.#engine.deliver(target, requestOf(update, command)));
  }

  /** Sends an update and starts the workflow for it unless it runs. */
  start<P, R>(
    target: Target,
    update: UpdateDefinition<R, [Command<P>]>,
    command: Command<P>,
    withinMs: number,
  ): Promise<R> {
    const sending = { workflowId: target.workflowId, commandId: command.commandId };
    return this.#within(withinMs, sending, () => this.#engine.start(target, requestOf(update, command)));
  }

  /** Starts a workflow; does nothing when it runs. */
  ensure(target: Target, withinMs: number): Promise<void> {
    return this.#within(withinMs, { workflowId: target.workflowId, commandId: null }, () =>
      this.#engine.ensure(target),
    );
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

function requestOf<P, R>(update: UpdateDefinition<R, [Command<P>]>, command: Command<P>): UpdateRequest<R, Command<P>> {
  return { update, argument: command, updateId: command.updateId ?? command.commandId };
}
