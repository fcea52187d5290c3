/**
 * Sends commands to workflows within the caller's deadline, retrying if the server did not accept them. Engine failures
 * surface as `DomainError`. The commands are in `lifecycle.ts`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, SignalDefinition, UpdateDefinition } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Command } from '../../contracts/machinery/command.ts';
import type { Target } from '../../contracts/machinery/targets.ts';
import { remainingMs } from '../../db/deadline.ts';
import { unknownOutcome } from '../../domain/errors.ts';
import { EngineClient, type UpdateRequest } from '../../providers/engine-client.ts';
import { isUnanswered, logEngineFault } from '../../providers/temporal-errors.ts';
import { engineRefusal, isPassing, unavailable } from './lifecycle-errors.ts';
import type { Availability } from './temporal.ts';

/** Attempts to send a command, and the pause after the first, which grows. */
const ATTEMPTS = 8;
const PAUSE_MS = 100;
/** A command without a response for this long is sent again: it may never have been accepted. */
const SILENCE_MS = 5_000;
/** The engine's share of the caller's remaining time; the rest is for storing the response. */
const SHARE_OF_ENGINE = 0.9;

export interface GatewayOptions {
  client: Client;
  /** Task queue of the lifecycle workflows. */
  taskQueue: string;
  availability: Availability;
  logger: Logger;
}

/** What is sent: the target, and the id if it is a command. */
interface Sending {
  workflowId: string;
  commandId: string | null;
}

/** A command keeps its update id however often it is sent, so sending it twice is harmless. */
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
   * Sends an update to the running workflow; restarts it if it is absent or closed, and then the row decides what is
   * allowed.
   */
  deliver<P, R>(
    target: Target,
    update: UpdateDefinition<R, [Command<P>]>,
    command: Command<P>,
    withinMs: number,
  ): Promise<R> {
    const sending = { workflowId: target.workflowId, commandId: command.commandId };
    return this.#within(withinMs, sending, (isFirst) =>
      this.#engine.deliver(target, requestOf(update, command, isFirst)),
    );
  }

  /** Sends an update, starting the workflow unless it is running. */
  start<P, R>(
    target: Target,
    update: UpdateDefinition<R, [Command<P>]>,
    command: Command<P>,
    withinMs: number,
  ): Promise<R> {
    const sending = { workflowId: target.workflowId, commandId: command.commandId };
    return this.#within(withinMs, sending, (isFirst) =>
      this.#engine.start(target, requestOf(update, command, isFirst)),
    );
  }

  /** Sends a signal to a running workflow; otherwise does nothing. */
  signal(workflowId: string, signal: SignalDefinition, withinMs: number): Promise<void> {
    return this.#within(withinMs, { workflowId, commandId: null }, () => this.#engine.signal(workflowId, signal));
  }

  /** Starts a workflow; does nothing if it is running. */
  ensure(target: Target, withinMs: number): Promise<void> {
    return this.#within(withinMs, { workflowId: target.workflowId, commandId: null }, () =>
      this.#engine.ensure(target),
    );
  }

  /**
   * Within one deadline, resends a command that the server did not accept or has not answered for a while. Its id makes
   * that harmless: a command already in progress is waited for.
   */
  async #within<T>(withinMs: number, sending: Sending, call: (isFirst: boolean) => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + Math.min(withinMs, remainingMs() * SHARE_OF_ENGINE);
    const { commandId } = sending;
    let failures = 0;
    for (let isFirst = true; ; isFirst = false) {
      // Once sent, it may be in progress.
      if (!this.#availability.isUp()) throw isFirst || !commandId ? unavailable() : unknownOutcome(commandId);
      try {
        return await this.#client.withDeadline(Math.min(giveUpAt, Date.now() + SILENCE_MS), () => call(isFirst));
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

function requestOf<P, R>(
  update: UpdateDefinition<R, [Command<P>]>,
  command: Command<P>,
  isFirst: boolean,
): UpdateRequest<R, Command<P>> {
  const argument = isFirst ? command : { ...command, isRepeat: true as const };
  return { update, argument, updateId: command.updateId ?? command.commandId };
}
