/**
 * Composes a running API from its parts: the application over the database, the providers and the line to Temporal, on
 * a port. Both installed processes and tests are composed here.
 */
import type { Logger } from 'pino';
import type { ApiConfig } from '../config.ts';
import { taskQueue } from '../contracts/machinery/queues.ts';
import { listen } from '../http/http-server.ts';
import { type AppParts, createApp } from './app.ts';
import { createLifecycle, type Lifecycle, type LifecycleOptions } from './engine/lifecycle.ts';
import type { TemporalLink } from './engine/temporal.ts';
import { createInboundEngine } from './inbound/engine.ts';

/** Everything an API is made of. The caller opens it, and closes it after the API stops. */
export interface ApiParts extends Omit<AppParts, 'lifecycle' | 'inbound' | 'temporalAvailability'> {
  temporal: TemporalLink;
  port: number;
  /** Default: every address of the machine. */
  host?: string;
}

export interface RunningApi {
  /** The port actually listened on. */
  port: number;
  lifecycle: Lifecycle;
  /** Takes no new requests, lets those in flight finish for at most `graceMs`, then lets background work end. */
  stop: (graceMs?: number) => Promise<void>;
}

/**
 * Starts an API.
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startApi({ temporal, port, host, ...parts }: ApiParts): Promise<RunningApi> {
  const engine = engineOf(parts.config, temporal, parts.logger);
  const lifecycle = createLifecycle(engine);
  const app = createApp({
    ...parts,
    lifecycle,
    inbound: createInboundEngine(engine),
    temporalAvailability: { isAvailable: () => temporal.availability.isUp() },
  });
  const server = await listen(app.callback(), { port, webSockets: true, ...(host === undefined ? {} : { host }) });
  return {
    port: server.port,
    lifecycle,
    stop: async (graceMs) => {
      await Promise.all([server.stop(graceMs), app.endSockets()]);
      await app.close();
    },
  };
}

/** The engine that commands are sent through. */
export function engineOf(
  config: Pick<ApiConfig, 'taskQueuePrefix' | 'commandDeadlineMs'>,
  { client, availability }: TemporalLink,
  logger: Logger,
): LifecycleOptions {
  const { taskQueuePrefix, commandDeadlineMs: deadlineMs } = config;
  return { client, availability, taskQueue: taskQueue('lifecycle', taskQueuePrefix), deadlineMs, logger };
}
