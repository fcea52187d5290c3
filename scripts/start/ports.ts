// Checks that the parts' ports differ, and that each can be listened on.
import { createServer } from 'node:net';
import type { SupervisorConfig } from '../../config.ts';
import { StartError } from './start-error.ts';

const HOST = '127.0.0.1';

/**
 * Makes sure that no two parts running here share a port: the second would not start, and the first would answer its
 * callers.
 * @throws StartError naming both variables
 */
export function requireDistinctPorts(config: SupervisorConfig): void {
  const ports = {
    PORT: config.port,
    AUTH_PORT: config.authPort,
    WORKER_PORT: config.workerPort,
    BACKGROUND_WORKER_PORT: config.backgroundWorkerPort,
    ...(config.localCardProcessorPort === null ? {} : { CARD_PROCESSOR_PORT: config.localCardProcessorPort }),
    ...(config.databaseUrl === null ? { POSTGRES_PORT: config.postgresPort } : {}),
    ...(config.temporalAddress ? {} : { TEMPORAL_PORT: config.temporalPort, TEMPORAL_UI_PORT: config.temporalUiPort }),
  };
  const users = new Map<number, string>();
  for (const [name, port] of Object.entries(ports)) {
    const other = users.get(port);
    if (other !== undefined) {
      throw new StartError(`${other} and ${name} are both ${port}: set one of them to another free port.`);
    }
    users.set(port, name);
  }
}

/**
 * Makes sure that nothing is listening on a port yet, on the loopback address or on all addresses.
 * @throws StartError naming the part, the port and the variable that changes it
 */
export async function requireFreePort(part: string, port: number, variable: string): Promise<void> {
  const taken = (await isTaken(port)) || (await isTaken(port, '::'));
  if (!taken) return;
  throw new StartError(
    `Port ${port} for ${part} is in use by another program: stop that program, or set ${variable} to a free port.`,
  );
}

/** Whether another program already listens on the port, or this one is not allowed to. */
export async function isTaken(port: number, host: string | undefined = HOST): Promise<boolean> {
  const server = createServer();
  const code = await new Promise<string | null>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, host, () => resolve(null));
  });
  if (code === null) await new Promise((resolve) => server.close(resolve));
  return code === 'EADDRINUSE' || code === 'EACCES';
}
