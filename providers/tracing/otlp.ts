// OpenTelemetry traces, sent in batches as OTLP over HTTP. Loaded only where traces are wanted. Nothing is global:
// the current span is kept here, and code that needs it is given this object.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT_CONTEXT, type Span, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { ApiConfig } from '../../config.ts';
import type { EndedSpan, EndedStatement, SpanFacts, Tracing } from './port.ts';

const SEND_WITHIN_MS = 5_000;
const SEND_EVERY_MS = 2_000;
/** An unreachable collector must not hold up the end of a process. */
const CLOSE_WITHIN_MS = 2_000;
const LONGEST_TEXT = 2_000;
const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
/** Matches an error's code or name, as opposed to a message. */
const CODE = /^[\w.-]{1,64}$/;

/** Starts sending to the collector. An outage is logged once, and the spans of that time are lost. */
export function createTracing(config: NonNullable<ApiConfig['tracing']>, service: string, logger: Logger): Tracing {
  const ids = presetIds();
  const { url, headers } = config;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_WITHIN_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `bindery-${service}` }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.ratio) }),
    spanLimits: { attributeValueLengthLimit: LONGEST_TEXT },
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({ exporter: heard(exporter, logger), scheduledDelayMillis: SEND_EVERY_MS }),
    ],
  });
  const tracer = provider.getTracer('bindery');
  const here = new AsyncLocalStorage<SpanContext>();
  const start = ({ name, kind, attributes = {} }: SpanFacts, parent: SpanContext | null, startTime?: number) => {
    const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    return tracer.startSpan(name, { kind: KINDS[kind], attributes, ...(startTime ? { startTime } : {}) }, context);
  };
  return {
    async span(facts, work, parent) {
      const span = start(facts, contextOf(parent) ?? here.getStore() ?? null);
      const open = {
        name: (name: string) => void span.updateName(name),
        set: (attributes: NonNullable<SpanFacts['attributes']>) => void span.setAttributes(attributes),
        fail: (type: string) => fail(span, type),
      };
      try {
        return await here.run(span.spanContext(), () => work(open));
      } catch (error) {
        fail(span, typeOf(error));
        throw error;
      } finally {
        span.end();
      }
    },
    add({ parent, spanId, name, startedMs, endedMs, isFailed, attributes }: EndedSpan) {
      ids.next(spanId);
      const span = start({ name, kind: 'internal', attributes }, contextOf(parent), startedMs);
      if (isFailed) fail(span, 'workflow');
      span.end(endedMs);
    },
    statement({ text, tookMs, isFailed }: EndedStatement) {
      const parent = here.getStore();
      if (parent === undefined) return;
      const endedMs = Date.now();
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
      const span = start({ name: verbOf(text), kind: 'client', attributes }, parent, endedMs - tookMs);
      if (isFailed) fail(span, 'statement');
      span.end(endedMs);
    },
    current() {
      const context = here.getStore();
      return context === undefined ? null : parentOf(context);
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), delay(CLOSE_WITHIN_MS, undefined, { ref: false })]),
  };
}

/** The first word of a statement, which names what it does. */
function verbOf(text: string): string {
  return /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The code of a refusal, the type of a failure, or the name of an error: its message may name people. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, type, name } = error as Error & { code?: unknown; type?: unknown };
  return (
    ([code, type, name].find((each) => typeof each === 'string' && CODE.test(each)) as string | undefined) ?? 'unknown'
  );
}

function contextOf(parent: string | null | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = PARENT.exec(parent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function parentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** A workflow's span already has its id when it gets here: its children refer to it by that id. */
function presetIds() {
  const random = new RandomIdGenerator();
  let preset: string | null = null;
  return {
    next: (spanId: string) => {
      preset = spanId;
    },
    generateTraceId: () => random.generateTraceId(),
    generateSpanId: () => {
      const id = preset ?? random.generateSpanId();
      preset = null;
      return id;
    },
  };
}

/** Logs when the collector becomes unreachable, and when it is back. */
function heard(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isAway = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isAway) logger.warn({ err: result.error }, 'the collector of traces is unavailable');
        if (!failed && isAway) logger.info('the collector of traces is back');
        isAway = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
