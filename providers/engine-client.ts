/**
 * Reaches workflows, for both the api and activities: updates, signals and starts. A workflow that is not running is
 * started, and then its row decides what is allowed. Deadlines and failure handling are up to the caller.
 */
import {
  type Client,
  type SignalDefinition,
  type UpdateDefinition,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { startRequest, type Target } from '../contracts/machinery/targets.ts';
import { isLost } from './temporal-errors.ts';

export interface EngineClientOptions {
  client: Client;
  /** Any task queue of the installation; each target names the related queue that it runs on. */
  taskQueue: string;
}

/** An update, its argument, and its id if sending it twice must be harmless. */
export interface UpdateRequest<R, A> {
  update: UpdateDefinition<R, [A]>;
  argument: A;
  updateId?: string;
}

/** A workflow that runs. */
export interface JoinedWorkflow<T> {
  /** Waits for it to end. @throws WorkflowFailedError */
  result: () => Promise<T>;
}

export class EngineClient {
  readonly #client: Client;
  readonly #taskQueue: string;

  constructor({ client, taskQueue }: EngineClientOptions) {
    this.#client = client;
    this.#taskQueue = taskQueue;
  }

  /** Sends an update to the running workflow; starts one if none is running, or if the run ended without responding. */
  async deliver<R, A>(target: Target, request: UpdateRequest<R, A>): Promise<R> {
    const { update, argument, ...id } = request;
    try {
      return await this.#client.workflow
        .getHandle(target.workflowId)
        .executeUpdate(update, { args: [argument], ...id });
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError) && !isLost(error)) throw error;
      return await this.#updateWithStart(target, request);
    }
  }

  /** Sends an update, starting the workflow unless it is running: a single call, for when it usually is not. */
  async start<R, A>(target: Target, request: UpdateRequest<R, A>): Promise<R> {
    try {
      return await this.#updateWithStart(target, request);
    } catch (error) {
      if (!isLost(error)) throw error;
      return await this.#updateWithStart(target, request);
    }
  }

  /** Sends a signal to a running workflow; otherwise does nothing. */
  async signal(workflowId: string, signal: SignalDefinition): Promise<void> {
    try {
      await this.#client.workflow.getHandle(workflowId).signal(signal);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /** Sends a signal, starting the workflow unless it is running. */
  async signalStarting(target: Target, signal: SignalDefinition): Promise<void> {
    await this.#client.workflow.signalWithStart(target.type, { ...startRequest(target, this.#taskQueue), signal });
  }

  /** Starts a workflow; does nothing if it is running. */
  async ensure(target: Target): Promise<void> {
    await this.#client.workflow.start(target.type, startRequest(target, this.#taskQueue));
  }

  /**
   * Starts a workflow that sleeps for `delayMs`, or until an update wakes it, without costing a workflow task. A
   * signal waits until it wakes. Does nothing if the workflow was ever started before.
   */
  async startAsleep(target: Target, delayMs: number): Promise<void> {
    const options = { ...startRequest(target, this.#taskQueue), workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;
    try {
      await this.#client.workflow.start(target.type, { ...options, ...(delayMs > 0 ? { startDelay: delayMs } : {}) });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  /** Starts a workflow and returns whether it did; false if it is already running. */
  async startMissing(target: Target): Promise<boolean> {
    const options = { ...startRequest(target, this.#taskQueue), workflowIdConflictPolicy: 'FAIL' } as const;
    try {
      await this.#client.workflow.start(target.type, options);
      return true;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw error;
    }
  }

  /** Starts a workflow, or joins the running one. */
  async join<T = void>(target: Target): Promise<JoinedWorkflow<T>> {
    return await this.#client.workflow.start(target.type, startRequest(target, this.#taskQueue));
  }

  /** The same for work that is never repeated once it has succeeded; null if it has. */
  async joinUnlessDone<T = void>(target: Target): Promise<JoinedWorkflow<T> | null> {
    const reuse = { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' } as const;
    try {
      return await this.#client.workflow.start(target.type, { ...startRequest(target, this.#taskQueue), ...reuse });
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
      throw error;
    }
  }

  /** Starts a workflow, or joins the running one, and waits for it to end. */
  async run<T = void>(target: Target): Promise<T> {
    return (await this.join<T>(target)).result();
  }

  /** Whether the workflow is running now. */
  async isRunning(workflowId: string): Promise<boolean> {
    try {
      return (await this.#client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  /** Which of these workflows are running, according to the server's list, which lags slightly behind. */
  async listRunning(workflowIds: readonly string[]): Promise<Set<string>> {
    const ids = workflowIds.map((id) => `'${id}'`).join(', ');
    const running = new Set<string>();
    const query = `ExecutionStatus = 'Running' and WorkflowId in (${ids})`;
    for await (const { workflowId } of this.#client.workflow.list({ query })) running.add(workflowId);
    return running;
  }

  #updateWithStart<R, A>(target: Target, { update, argument, ...id }: UpdateRequest<R, A>): Promise<R> {
    const startWorkflowOperation = new WithStartWorkflowOperation(target.type, startRequest(target, this.#taskQueue));
    return this.#client.workflow.executeUpdateWithStart(update, { args: [argument], ...id, startWorkflowOperation });
  }
}
