// The part of a trace between us and Temporal: a span for each start, update and signal sent, with its id in the
// header.
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { withTrace } from '../../contracts/machinery/trace.ts';
import type { Tracing } from './port.ts';

/** The interceptors that trace a client's calls. */
export function tracedCalls(tracing: Tracing | null): { workflow: WorkflowClientInterceptor[] } {
  return { workflow: tracing ? [interceptorOf(tracing)] : [] };
}

function interceptorOf(tracing: Tracing): WorkflowClientInterceptor {
  const span = <T>(name: string, workflowId: string, send: (traceparent: string | null) => Promise<T>) =>
    tracing.span({ name, kind: 'client', attributes: { 'temporal.workflow.id': workflowId } }, () =>
      send(tracing.current()),
    );
  return {
    startWithDetails: (input, next) =>
      span(`start ${input.workflowType}`, input.options.workflowId, (traced) =>
        next({ ...input, headers: withTrace(input.headers, traced) }),
      ),
    startUpdate: (input, next) =>
      span(`send ${input.updateName}`, input.workflowExecution.workflowId, (traced) =>
        next({ ...input, headers: withTrace(input.headers, traced) }),
      ),
    startUpdateWithStart: (input, next) =>
      span(`send ${input.updateName}`, input.workflowStartOptions.workflowId, (traced) =>
        next({
          ...input,
          workflowStartHeaders: withTrace(input.workflowStartHeaders, traced),
          updateHeaders: withTrace(input.updateHeaders, traced),
        }),
      ),
    signal: (input, next) =>
      span(`signal ${input.signalName}`, input.workflowExecution.workflowId, (traced) =>
        next({ ...input, headers: withTrace(input.headers, traced) }),
      ),
  };
}
