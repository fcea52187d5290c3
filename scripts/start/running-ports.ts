// The ports of the platform running on a data folder, for the scripts that use it: they are set once where it is
// started, not again in each terminal.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SupervisorConfig, Variables } from '../../config.ts';
import { runningProcess } from './orphans.ts';

const FILE = 'ports.json';
const SUPERVISOR = 'scripts/start.ts';

/** Records the ports that this start uses. They are valid as long as its process runs. */
export function keepPorts(runFolder: string, config: SupervisorConfig): void {
  const { port, authPort, postgresPort, temporalPort, temporalUiPort, localCardProcessorPort } = config;
  const ports = {
    PORT: port,
    AUTH_PORT: authPort,
    POSTGRES_PORT: postgresPort,
    TEMPORAL_PORT: temporalPort,
    TEMPORAL_UI_PORT: temporalUiPort,
    ...(localCardProcessorPort === null ? {} : { CARD_PROCESSOR_PORT: localCardProcessorPort }),
  };
  writeFileSync(join(runFolder, FILE), `${JSON.stringify(ports)}\n`);
}

/** The ports of the platform running on the data folder, as variables; empty if none is running there. */
export function portsOfRunning(dataDir: string): Variables {
  const runFolder = join(dataDir, 'run');
  const file = join(runFolder, FILE);
  if (runningProcess(join(runFolder, 'supervisor.pid'), SUPERVISOR) === null || !existsSync(file)) return {};
  const ports = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
}
