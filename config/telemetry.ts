// The environment variables about traces: where they go, and how many. The names are those that OpenTelemetry's own
// tools share.
import { z } from 'zod';
import { confidential, isEncryptedOrLocal, webUrl } from './shapes.ts';

const HEADER = /^[\w-]+=[^,\s][^,]*$/;

export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl()
    .optional()
    .describe('Where traces go: a collector that takes OTLP by HTTP, without /v1/traces. Unset: nothing is traced.'),
  OTEL_EXPORTER_OTLP_HEADERS: confidential(
    z
      .string()
      .transform((text) => text.split(',').map((entry) => entry.trim()))
      .refine((entries) => entries.every((entry) => HEADER.test(entry)), 'must be name=value, separated by commas')
      .transform((entries) => Object.fromEntries(entries.map(headerOf)))
      .optional()
      .describe('Headers by which the collector knows us: name=value,…'),
  ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number from 0 to 1')
    .min(0, 'must be a number from 0 to 1')
    .max(1, 'must be a number from 0 to 1')
    .default(1)
    .describe('Which part of the requests is traced, from 0 to 1.'),
} as const;

const schema = z.object(tracingVariables);
type Values = z.infer<typeof schema>;

/** Where traces go. */
export interface TracingConfig {
  url: string;
  headers: Record<string, string>;
  /** From 0 to 1. */
  ratio: number;
}

/** What is wrong with variables that only make sense together, or null; no value is shown. */
export function tracingFault(values: Values): string | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (headers === undefined) return null;
  if (endpoint === undefined) return 'OTEL_EXPORTER_OTLP_ENDPOINT must be set with OTEL_EXPORTER_OTLP_HEADERS';
  if (isEncryptedOrLocal(endpoint)) return null;
  return 'OTEL_EXPORTER_OTLP_ENDPOINT must be an https address: the headers would go in the open';
}

/** Null where nothing is traced. */
export function tracingConfig(values: Values): { tracing: TracingConfig | null } {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = values;
  if (endpoint === undefined) return { tracing: null };
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  return { tracing: { url, headers, ratio: values.OTEL_TRACES_SAMPLER_ARG } };
}

function headerOf(entry: string): [string, string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at), entry.slice(at + 1)];
}
