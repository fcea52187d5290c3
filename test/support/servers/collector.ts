// A trace collector for what our processes send: OTLP over HTTP, in JSON.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  /** The process that sent it. */
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  attributes: Record<string, string | number>;
  startedMs: number;
  endedMs: number;
  isFailed: boolean;
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** Everything received, as sent. */
  bodies: string[];
  stop(): Promise<void>;
}

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: number | string };
}

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes?: KeyValue[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status?: { code?: number };
}

interface Sent {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

const FAILED = 2;
const NANOS = 1_000_000n;

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    bodies.push(JSON.stringify(request.headers), body);
    if (request.url === '/v1/traces') spans.push(...spansIn(JSON.parse(body)));
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansIn({ resourceSpans }: Sent): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(service, span)));
  });
}

function collected(service: string, span: SentSpan): CollectedSpan {
  const { traceId, spanId, parentSpanId, name, attributes = [] } = span;
  return {
    ...{ service, traceId, spanId, name, parentSpanId: parentSpanId ? parentSpanId : null },
    attributes: valuesOf(attributes),
    startedMs: Number(BigInt(span.startTimeUnixNano) / NANOS),
    endedMs: Number(BigInt(span.endTimeUnixNano) / NANOS),
    isFailed: span.status?.code === FAILED,
  };
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? Number.NaN)]),
  );
}
