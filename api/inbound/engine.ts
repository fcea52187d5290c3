// The inbound pipeline's connection to Temporal: one workflow per provider event, and the sender waits for it to end.
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowFailedError } from '@temporalio/client';
import type { Logger } from 'pino';
import { readable } from '../../contracts/machinery/data-converter.ts';
import { queueBeside } from '../../contracts/machinery/queues.ts';
import { inboundWorkflowId, startOptions } from '../../contracts/machinery/start.ts';
import { logEngineFault } from '../../providers/temporal-errors.ts';
import { engineRefusal, unavailable } from '../engine/lifecycle-errors.ts';
import type { Availability } from '../engine/temporal.ts';
import type { EventWorkflow } from './provider.ts';

/** An event's workflow failed: the sender gets an error, and a redelivery tries again. */
export class ProcessingFailed extends Error {
  override readonly name = 'ProcessingFailed';
}

export interface InboundEngine {
  /**
   * Processes an event and waits for it to finish or, if queued, until it is certain to be processed;
   * `processed_before` means that an earlier delivery had already been processed.
   * @throws ProcessingFailed
   * @throws DomainError service_unavailable if the engine is down or has not finished in time; the work then continues
   * in the background
   */
  process(event: InboundWork, withinMs: number): Promise<'processed' | 'processed_before'>;
}

export interface InboundWork {
  provider: string;
  eventId: string;
  workflow: EventWorkflow;
}

export interface InboundEngineOptions {
  client: Client;
  /** Task queue of the lifecycle workflows: `taskQueue('lifecycle', prefix)`. */
  taskQueue: string;
  availability: Availability;
  logger: Logger;
}

/** Builds the connection. */
export function createInboundEngine(options: InboundEngineOptions): InboundEngine {
  const { client, taskQueue, availability, logger } = options;
  const run = async ({ provider, eventId, workflow }: InboundWork): Promise<void> => {
    const { queued } = workflow;
    const handle = await client.workflow.start(workflow.type, {
      ...startOptions(queued?.workflowId ?? inboundWorkflowId(provider, eventId), 'saga', workflow.facts),
      staticSummary: readable(workflow.summary),
      taskQueue: queueBeside(taskQueue, queued?.queue ?? 'lifecycle'),
      args: [workflow.input],
      // A failed one is retried, a running one is joined, a successful one is never repeated.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
    if (queued === undefined) await handle.result();
  };
  return {
    process: async (work, withinMs) => {
      if (!availability.isUp()) throw unavailable();
      try {
        await client.withDeadline(Date.now() + withinMs, () => run(work));
        return 'processed';
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return 'processed_before';
        if (error instanceof WorkflowFailedError) throw new ProcessingFailed(reasonOf(error));
        logEngineFault(logger, error, { workflowId: inboundWorkflowId(work.provider, work.eventId) });
        throw engineRefusal(error);
      }
    },
  };
}

/** The innermost message: the activity's. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
