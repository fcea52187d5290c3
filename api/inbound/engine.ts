// The inbound pipeline's connection to Temporal: one workflow per provider event, and the sender waits for it to end.
import { type Client, WorkflowFailedError } from '@temporalio/client';
import type { Logger } from 'pino';
import { inboundWorkflowId } from '../../contracts/machinery/start.ts';
import type { Target } from '../../contracts/machinery/targets.ts';
import { EngineClient } from '../../providers/engine-client.ts';
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
  const workflows = new EngineClient({ client, taskQueue });
  const run = async (work: InboundWork) => {
    const joined = await workflows.joinUnlessDone(targetOf(work));
    if (joined === null) return 'processed_before';
    if (work.workflow.queued === undefined) await joined.result();
    return 'processed';
  };
  return {
    process: async (work, withinMs) => {
      if (!availability.isUp()) throw unavailable();
      try {
        return await client.withDeadline(Date.now() + withinMs, () => run(work));
      } catch (error) {
        if (error instanceof WorkflowFailedError) throw new ProcessingFailed(reasonOf(error));
        logEngineFault(logger, error, { workflowId: inboundWorkflowId(work.provider, work.eventId) });
        throw engineRefusal(error);
      }
    },
  };
}

function targetOf({ provider, eventId, workflow }: InboundWork): Target {
  const { type, input, facts, summary, queued } = workflow;
  const workflowId = queued?.workflowId ?? inboundWorkflowId(provider, eventId);
  const { queue = 'lifecycle' } = queued ?? {};
  return { type, workflowId, input, facts: { ...facts, summary }, queue, urgency: 'saga' };
}

/** The innermost message: the activity's. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
