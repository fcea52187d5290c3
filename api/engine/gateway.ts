/**
 * Sends commands to workflows within the caller's deadline, again where the server did not take them. The failures of
 * the engine come out as `DomainError`. What the commands are is in `lifecycle.ts`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, SignalDefinition, UpdateDefinition } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Command } from '../../contracts/machinery/command.ts';
import type { Target } from '../../contracts/machinery/targets.ts';
import { remainingMs } from '../../db/deadline.ts';
import { EngineClient, type UpdateRequest } from '../../providers/engine-client.ts';
import { isUnanswered, logEngineFault } from '../../providers/temporal-errors.ts';
import { engineRefusal, isPassing, unavailable, unknownOutcome } from './lifecycle-errors.ts';
import type { Availability } from './temporal.ts';

/** Sendings of a command that may fail, and the pause after the first, which grows. */
const ATTEMPTS = 8;
const PAUSE_MS = 100;
/** A command without an answer for this long is sent again: it may never have been taken. */
const SILENCE_MS = 5_000;
/** The engine's part of the caller's remaining time; the rest is for keeping the answer. */
const SHARE_OF_ENGINE = 0.9;

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

  /** Sends a signal to a workflow that runs; nothing to one that does not. */
  signal(workflowId: string, signal: SignalDefinition, withinMs: number): Promise<void> {
    return this.#within(withinMs, { workflowId, commandId: null }, () => this.#engine.signal(workflowId, signal));
  }

  /** Starts a workflow; does nothing when it runs. */
  ensure(target: Target, withinMs: number): Promise<void> {
    return this.#within(withinMs, { workflowId: target.workflowId, commandId: null }, () =>
      this.#engine.ensure(target),
    );
  }

  /**
   * Within one deadline a command is sent again that the server did not take, or has not answered for a while: its id
   * makes that harmless, and one that is under way is waited for.
   */
  async #within<T>(withinMs: number, sending: Sending, call: () => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + Math.min(withinMs, remainingMs() * SHARE_OF_ENGINE);
    const { commandId } = sending;
    let failures = 0;
    for (let isFirst = true; ; isFirst = false) {
      // What has been sent once may be under way.
      if (!this.#availability.isUp()) throw isFirst || !commandId ? unavailable() : unknownOutcome(commandId);
      try {
        return await this.#client.withDeadline(Math.min(giveUpAt, Date.now() + SILENCE_MS), call);
      } catch (error) {
        const isOver = Date.now() >= giveUpAt;
        if (isOver || !isUnanswered(error)) {
          failures += 1;
          logEngineFault(this.#logger, error, { ...sending, failures });
          if (isOver || failures === ATTEMPTS || !isPassing(error)) throw engineRefusal(error, commandId);
        }
        await delay(PAUSE_MS * Math.max(1, failures));
      }
    }
  }
}

function requestOf<P, R>(update: UpdateDefinition<R, [Command<P>]>, command: Command<P>): UpdateRequest<R, Command<P>> {
  return { update, argument: command, updateId: command.updateId ?? command.commandId };
}
