/** Tracing inside a worker: a span for each activity, and the spans that workflows hand out. */
import type { Context } from '@temporalio/activity';
import type { InjectedSinks } from '@temporalio/worker';
import { type TraceSinks, traceIn } from '../contracts/machinery/trace.ts';
import type { Tracing } from '../providers/tracing/port.ts';

/** Receives workflows' spans; without tracing they are dropped. */
export function traceSinks(tracing: Tracing | null): InjectedSinks<TraceSinks> {
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

/** The interceptors that trace activities; none without tracing. */
export const tracedActivities = (tracing: Tracing | null) => (tracing ? [tracedActivity(tracing)] : []);

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
