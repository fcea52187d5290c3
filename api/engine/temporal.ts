/**
 * The api's connection to Temporal. It opens lazily, recovers within about a second after an outage, and knows whether
 * the server responds, so that a write is refused immediately instead of after its whole deadline.
 */

import { Client, Connection } from '@temporalio/client';
import { COMMAND_DEADLINE_MS } from '../../domain/limits.ts';
import { connectionOptions, dataConverter, type TemporalSettings } from '../../providers/temporal.ts';
import { tracedCalls } from '../../providers/tracing/client.ts';
import type { Tracing } from '../../providers/tracing/port.ts';
import { Line } from './line.ts';

const PROBE_EVERY_MS = 1_000;

/** The channel's default back-off reconnects half a minute late. */
const CHANNEL_ARGS = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 500 };

export interface LinkSettings extends TemporalSettings {
  /** A server late for as long as a caller would wait is down; a busy one is only sometimes late. */
  commandDeadlineMs?: number;
}

/** Whether Temporal responds: a server that refuses does not; a late one does until no caller would still wait. */
export interface Availability {
  isUp: () => boolean;
}

export interface TemporalLink {
  client: Client;
  availability: Availability;
  close: () => Promise<void>;
}

/**
 * Opens the connection and waits for a first probe, whatever its result: a server that is down does not prevent
 * startup.
 */
export async function connectTemporal(config: LinkSettings, tracing: Tracing | null = null): Promise<TemporalLink> {
  const line = new Line((number) => {
    // Channels with equal arguments share a network connection.
    const options = { ...connectionOptions(config), channelArgs: { ...CHANNEL_ARGS, 'bindery.line': number } };
    return { calls: Connection.lazy(options), probe: Connection.lazy({ ...options, interceptors: [] }) };
  });
  const watcher = await watchAvailability(line, config.commandDeadlineMs ?? COMMAND_DEADLINE_MS);
  return {
    client: new Client({
      connection: line,
      namespace: config.temporalNamespace,
      dataConverter: dataConverter(config),
      interceptors: tracedCalls(tracing),
    }),
    availability: watcher,
    close: async () => {
      watcher.stop();
      await line.close();
    },
  };
}

async function watchAvailability(line: Line, patienceMs: number): Promise<Availability & { stop: () => void }> {
  let up = false;
  let answeredAt = performance.now();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const answer = await line.probe();
    if (answer === 'answered') answeredAt = performance.now();
    up = answer === 'answered' || (answer === 'late' && up && performance.now() - answeredAt < patienceMs);
    if (!stopped) timer = setTimeout(look, PROBE_EVERY_MS).unref();
  };
  await look();
  return {
    isUp: () => up,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
