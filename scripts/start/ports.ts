// Whether a TCP port can be listened on, and which one is free.
import { createServer } from 'node:net';
import { StartError } from './start-error.ts';

const HOST = '127.0.0.1';

/** Finds a free port of the loopback address. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, HOST, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port');
  return address.port;
}

/**
 * Makes sure that nothing listens on a port yet, on the loopback address or on all of them.
 * @throws StartError naming the part, the port and the variable that moves it
 */
export async function requireFreePort(part: string, port: number, variable: string): Promise<void> {
  const taken = (await isTaken(port, HOST)) || (await isTaken(port, undefined));
  if (!taken) return;
  throw new StartError(
    `Port ${port} for ${part} is in use by another program: stop that program, or set ${variable} to a free port.`,
  );
}

async function isTaken(port: number, host: string | undefined): Promise<boolean> {
  const server = createServer();
  const code = await new Promise<string | null>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, host, () => resolve(null));
  });
  if (code === null) await new Promise((resolve) => server.close(resolve));
  return code === 'EADDRINUSE' || code === 'EACCES';
}
