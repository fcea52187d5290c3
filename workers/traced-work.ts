/** The part of a trace that lies in a worker: a span for each activity, and those that workflows hand out. */
import type { Context } from '@temporalio/activity';
import type { InjectedSinks, WorkerOptions } from '@temporalio/worker';
import { type TraceSinks, traceIn } from '../contracts/trace.ts';
import type { Tracing } from '../providers/tracing-port.ts';

/** What a worker is given so that its work is traced; without tracing the spans of workflows go nowhere. */
export function tracedWork(tracing: Tracing | null): Pick<WorkerOptions, 'interceptors' | 'sinks'> {
  return { sinks: sinksOf(tracing), ...(tracing ? { interceptors: { activity: [tracedActivity(tracing)] } } : {}) };
}

function sinksOf(tracing: Tracing | null): InjectedSinks<TraceSinks> {
  return {
    trace: {
      ended: {
        fn: ({ workflowId, workflowType, runId }, span) =>
          tracing?.add({
            ...span,
            attributes: {
              'temporal.workflow.id': workflowId,
              'temporal.workflow.type': workflowType,
              'temporal.run.id': runId,
            },
          }),
      },
    },
  };
}

function tracedActivity(tracing: Tracing) {
  return ({ info }: Context) => {
    const facts = {
      name: `activity ${info.activityType}`,
      kind: 'internal',
      attributes: {
        'temporal.workflow.id': info.workflowExecution?.workflowId ?? '',
        'temporal.activity.attempt': info.attempt,
        'temporal.task_queue': info.taskQueue,
      },
    } as const;
    return {
      inbound: {
        execute: <Input extends { headers: Parameters<typeof traceIn>[0] }>(
          input: Input,
          next: (input: Input) => Promise<unknown>,
        ) => tracing.span(facts, () => next(input), traceIn(input.headers)),
      },
    };
  };
}
