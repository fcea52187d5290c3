/**
 * Applies to every workflow: its summaries stay readable, and cancel requests are refused unless its type may be
 * cancelled. Both are enforced here, so that no workflow can forget them.
 */
import {
  CancellationScope,
  log,
  upsertMemo,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptorsFactory,
  type WorkflowOutboundCallsInterceptor,
  workflowInfo,
} from '@temporalio/workflow';
import { readable } from '../../contracts/machinery/data-converter.ts';
import { REFUSAL_MEMO } from '../../contracts/machinery/search-attributes.ts';
import { CANCELLABLE_TYPES } from '../../contracts/machinery/start.ts';
import { tracedInbound, tracedSteps } from './trace.ts';

const REFUSAL = 'A request to cancel was refused: the workflow continues. To stop it anyway, terminate it.';

/**
 * A workflow that serves an entity, or that moves money, must never be abandoned: the entity would miss its dates, the
 * money its entries. It runs in a non-cancellable scope, and says so.
 */
const refusing: WorkflowInboundCallsInterceptor = {
  execute: (input, next) => {
    if (CANCELLABLE_TYPES.includes(workflowInfo().workflowType)) return next(input);
    CancellationScope.current().cancelRequested.catch(() => {
      log.warn(REFUSAL);
      upsertMemo({ [REFUSAL_MEMO]: readable(REFUSAL) });
    });
    return CancellationScope.nonCancellable(() => next(input));
  },
};

/** The summaries of activities, timers and children, as an operator reads them in the timeline. */
const summarizing: WorkflowOutboundCallsInterceptor = {
  scheduleActivity: (input, next) => next({ ...input, options: withReadable(input.options, 'summary') }),
  scheduleLocalActivity: (input, next) => next({ ...input, options: withReadable(input.options, 'summary') }),
  startTimer: (input, next) =>
    next(input.options ? { ...input, options: withReadable(input.options, 'summary') } : input),
  startChildWorkflowExecution: (input, next) =>
    next({ ...input, options: withReadable(withReadable(input.options, 'staticSummary'), 'staticDetails') }),
};

function withReadable<Options extends object, Name extends string>(
  options: Options & Partial<Record<Name, string>>,
  name: Name,
): Options {
  const text = options[name];
  // Start options are shared with the client, which has already marked its summary as readable.
  return typeof text === 'string' ? { ...options, [name]: readable(text) } : options;
}

export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [tracedInbound, refusing],
  outbound: [summarizing, tracedSteps],
});
