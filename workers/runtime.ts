/**
 * The native part of Temporal's SDK, one per process: its log lines go to our log, and its metrics to a loopback port,
 * where the worker's own endpoint fetches them.
 */
import { createServer } from 'node:net';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Another program may take a port after it is chosen. */
const ATTEMPTS = 5;
const FETCH_WITHIN_MS = 2_000;

/** Some of our queues are for activities only: nothing to act on. */
const INTENDED = 'No workflows registered, not polling for workflow tasks';

/** Installs the runtime; returns a function that fetches its metrics in Prometheus format. */
export async function installRuntime(logger: Logger): Promise<() => Promise<string>> {
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' });
  for (let attempt = 1; ; attempt += 1) {
    const bindAddress = `127.0.0.1:${await freePort()}`;
    // Prometheus names and units: `…_seconds`, `…_total`.
    const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
    const metrics = { attachServiceName: false, prometheus: { bindAddress, ...names } };
    const telemetryOptions = { logging: { filter, forward: {} }, metrics };
    try {
      // The process handles signals: the runtime would close the connection before the database.
      Runtime.install({ shutdownSignals: [], logger: temporalLogger(logger), telemetryOptions });
      return () => fetchMetrics(`http://${bindAddress}/metrics`);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** The SDK's log lines in our format. */
export function temporalLogger(logger: Logger): DefaultLogger {
  return new DefaultLogger('INFO', ({ level, message, meta }) => {
    // Under this name the logger writes an error with its message, cause and stack.
    const { error, ...rest } = meta ?? {};
    const fields = error === undefined ? rest : { ...rest, err: error };
    if (level === 'ERROR') logger.error(fields, message);
    else if (level === 'WARN' && message !== INTENDED) logger.warn(fields, message);
    else logger.debug(fields, message);
  });
}

async function fetchMetrics(url: string): Promise<string> {
  return (await fetch(url, { signal: AbortSignal.timeout(FETCH_WITHIN_MS) })).text();
}

/** The SDK does not say which port it was given, so it cannot be left to choose. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port of the loopback interface is free');
  return address.port;
}
