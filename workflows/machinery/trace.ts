/**
 * Tracing inside workflows: a span for each update, signal and saga that came with a trace, passed on to whatever it
 * starts. It adds no step, await or randomness to a workflow, so a history replays with and without it.
 */
import {
  AsyncLocalStorage,
  ContinueAsNew,
  proxySinks,
  type WorkflowInboundCallsInterceptor,
  type WorkflowOutboundCallsInterceptor,
  workflowInfo,
} from '@temporalio/workflow';
import { WORKFLOW_TYPES } from '../../contracts/machinery/start.ts';
import { type TraceSinks, traceIn, withTrace } from '../../contracts/machinery/trace.ts';

const here = new AsyncLocalStorage<string>();
const { trace } = proxySinks<TraceSinks>();

/** They live for years: their work belongs to the commands they receive, not to their start. */
const ENTITIES: readonly string[] = [
  WORKFLOW_TYPES.submission,
  WORKFLOW_TYPES.policy,
  WORKFLOW_TYPES.claim,
  WORKFLOW_TYPES.appointment,
  WORKFLOW_TYPES.signingEnvelope,
];

let spans = 0;

/** The same work in the caller's trace, for someone else to do later. */
export function inTrace<T>(work: () => T): () => T {
  const current = here.getStore();
  return current === undefined ? work : () => here.run(current, work);
}

export const tracedInbound: WorkflowInboundCallsInterceptor = {
  execute: (input, next) => {
    const { workflowType } = workflowInfo();
    if (ENTITIES.includes(workflowType)) return next(input);
    return spanned(`workflow ${workflowType}`, traceIn(input.headers), () => next(input));
  },
  handleUpdate: (input, next) => spanned(`update ${input.name}`, traceIn(input.headers), () => next(input)),
  handleSignal: (input, next) => spanned(`signal ${input.signalName}`, traceIn(input.headers), () => next(input)),
};

export const tracedSteps: WorkflowOutboundCallsInterceptor = {
  scheduleActivity: (input, next) => next({ ...input, headers: withTrace(input.headers, here.getStore()) }),
  scheduleLocalActivity: (input, next) => next({ ...input, headers: withTrace(input.headers, here.getStore()) }),
  startChildWorkflowExecution: (input, next) => next({ ...input, headers: withTrace(input.headers, here.getStore()) }),
  signalWorkflow: (input, next) => next({ ...input, headers: withTrace(input.headers, here.getStore()) }),
};

/** Returns the work's own promise: one more await would change the order of concurrent work. */
function spanned<T>(name: string, parent: string | null, work: () => Promise<T>): Promise<T> {
  if (parent === null) return work();
  const { runId, unsafe } = workflowInfo();
  spans += 1;
  const spanId = hash(`${runId}/${spans}`);
  const startedMs = unsafe.now();
  const answer = here.run(`${parent.slice(0, 36)}${spanId}${parent.slice(52)}`, work);
  const end = (isFailed: boolean) => trace.ended({ parent, spanId, name, startedMs, endedMs: unsafe.now(), isFailed });
  answer.then(
    () => end(false),
    (error: unknown) => end(!(error instanceof ContinueAsNew)),
  );
  return answer;
}

/** 16 hexadecimal digits: FNV-1a, twice. A replay gets the same ones, and no random number is consumed. */
function hash(text: string): string {
  const half = (basis: number) => {
    let value = basis;
    for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
    return (value >>> 0).toString(16).padStart(8, '0');
  };
  return `${half(0x811c9dc5)}${half(0x9747b28c)}`;
}
