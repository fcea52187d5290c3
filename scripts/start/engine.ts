// The Temporal server of `npm start`: the one at TEMPORAL_ADDRESS, or our own development server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PayloadKey, SupervisorConfig } from '../../config.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/machinery/search-attributes.ts';
import { connectionOptions } from '../../providers/temporal.ts';
import type { Child } from './child.ts';
import { type CodecServer, startCodecServer } from './codec-server.ts';
import { type KeptProgram, keepAlive } from './keep-alive.ts';
import { stopOrphan } from './orphans.ts';
import { requireFreePort } from './ports.ts';
import { report, step } from './progress.ts';
import { StartError } from './start-error.ts';
import { findTemporal } from './temporal/binary.ts';
import { watchTemporal } from './temporal/health.ts';
import { startTemporal, type TemporalOptions, waitForTemporal } from './temporal/server.ts';

export interface EnginePart {
  address: string;
  /** Null if the server is not ours. */
  server: KeptProgram | null;
  /** Decrypts payloads for the web interface; null if the server is not ours. */
  codec: CodecServer | null;
}

/**
 * Provides a Temporal server that answers.
 * @param dataDir absolute
 * @throws StartError if a port is taken, no program is found, or the server does not answer
 */
export async function provideTemporal(
  config: SupervisorConfig,
  dataDir: string,
  payloadKeys: readonly PayloadKey[],
  onLine: (line: string) => void,
): Promise<EnginePart> {
  if (config.temporalAddress) return useTemporal(config, config.temporalAddress);
  const folder = join(dataDir, 'temporal');
  const databaseFile = join(folder, 'temporal.db');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pidFile = join(dataDir, 'run', 'temporal.pid');
  await stopOrphan(pidFile, databaseFile);
  await requireFreePort('Temporal', config.temporalPort, 'TEMPORAL_PORT');
  await requireFreePort("Temporal's web interface", config.temporalUiPort, 'TEMPORAL_UI_PORT');
  const binary = await findTemporal({
    explicitPath: config.temporalCliPath,
    environment: process.env,
    progress: (line) => report('temporal', line),
  });
  const codec = await startCodecServer(payloadKeys, config.temporalUiPort);
  const options = {
    binary,
    port: config.temporalPort,
    uiPort: config.temporalUiPort,
    codecUrl: codec.url,
    namespace: config.temporalNamespace,
    databaseFile,
    searchAttributes: Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name),
    onLine,
  };
  const first = await step('temporal', `starting on port ${config.temporalPort}`, () => launch(options, pidFile));
  const server = keepAlive({
    first,
    again: async (stopping) => {
      const child = await launch({ ...options, stopping }, pidFile);
      report('temporal', 'runs again');
      return child;
    },
    report: (line) => report('temporal', line),
  });
  const address = `127.0.0.1:${config.temporalPort}`;
  return { address, server: watchedServer(server, address, config.temporalNamespace), codec };
}

/** A server that is also restarted if it runs but cannot work; stopping it ends the watch. */
function watchedServer(server: KeptProgram, address: string, namespace: string): KeptProgram {
  const stopping = new AbortController();
  const watched = { server, address, namespace, report: (line: string) => report('temporal', line) };
  void watchTemporal(watched, stopping.signal);
  return {
    ...server,
    stop: (graceMs) => {
      stopping.abort();
      return server.stop(graceMs);
    },
  };
}

async function launch(options: TemporalOptions, pidFile: string): Promise<Child> {
  const child = await startTemporal(options);
  writeFileSync(pidFile, `${child.pid}\n`);
  return child;
}

async function useTemporal(config: SupervisorConfig, address: string): Promise<EnginePart> {
  const connection = connectionOptions({ ...config, temporalAddress: address });
  const answers = await step('temporal', `using ${address}`, () => waitForTemporal(connection));
  if (answers) return { address, server: null, codec: null };
  throw new StartError(
    `No Temporal server answers at ${address}: start it, correct TEMPORAL_ADDRESS, or unset it to run one here.`,
  );
}
