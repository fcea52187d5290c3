/**
 * How a trace follows a command through the engine: in a header carried by starts, updates, signals and activities. It
 * holds only the ids of a span, in the form of the W3C header `traceparent`.
 */
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { Sinks } from '@temporalio/workflow';

const HEADER = 'traceparent';

/** The headers with the trace in them. */
export function withTrace(headers: Headers, traceparent: string | null | undefined): Headers {
  return traceparent ? { ...headers, [HEADER]: defaultPayloadConverter.toPayload(traceparent) } : headers;
}

/** The trace in the headers. */
export function traceIn(headers: Headers): string | null {
  const payload = headers[HEADER];
  return payload === undefined ? null : defaultPayloadConverter.fromPayload<string>(payload);
}

/** A workflow's span; the worker adds the workflow. Times in milliseconds since 1970. */
export interface WorkflowSpan {
  parent: string;
  spanId: string;
  name: string;
  startedMs: number;
  endedMs: number;
  isFailed: boolean;
}

/** How workflow spans leave the sandbox. */
export interface TraceSinks extends Sinks {
  trace: { ended(span: WorkflowSpan): void };
}
