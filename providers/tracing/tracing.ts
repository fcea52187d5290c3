// Turns tracing on or off: without a collector, OpenTelemetry is not loaded at all.
import type { Logger } from 'pino';
import type { ApiConfig } from '../../config.ts';
import type { Tracing } from './port.ts';

/** Starts tracing. Without a configuration, nothing is traced or loaded. */
export async function startTracing(
  config: ApiConfig['tracing'],
  service: string,
  logger: Logger,
): Promise<Tracing | null> {
  if (config === null) return null;
  const { createTracing } = await import('./otlp.ts');
  return createTracing(config, service, logger);
}
