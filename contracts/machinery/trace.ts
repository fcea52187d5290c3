/**
 * How a trace follows a command through the engine: in a header that the starts, updates, signals and activities carry.
 * It holds numbers that name a span, in the form of the W3C header `traceparent`, and nothing else.
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

/** A span of a workflow; the worker adds which workflow it was. Times in milliseconds since 1970. */
export interface WorkflowSpan {
  parent: string;
  spanId: string;
  name: string;
  startedMs: number;
  endedMs: number;
  isFailed: boolean;
}

/** The way out of the sandbox for the spans of workflows. */
export interface TraceSinks extends Sinks {
  trace: { ended(span: WorkflowSpan): void };
}
