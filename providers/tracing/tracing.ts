// Whether there are traces at all: without a collector nothing of OpenTelemetry is loaded.
import type { Logger } from 'pino';
import type { ApiConfig } from '../../config.ts';
import type { Tracing } from './port.ts';

/** Starts tracing; without a configuration there is none, and nothing of it is loaded. */
export async function startTracing(
  config: ApiConfig['tracing'],
  service: string,
  logger: Logger,
): Promise<Tracing | null> {
  if (config === null) return null;
  const { createTracing } = await import('./otlp.ts');
  return createTracing(config, service, logger);
}
