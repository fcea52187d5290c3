// Whether a TCP port can be listened on.
import { createServer } from 'node:net';
import { StartError } from './start-error.ts';

const HOST = '127.0.0.1';

/**
 * Makes sure that nothing listens on a port yet, on the loopback address or on all of them.
 * @throws StartError naming the part, the port and the variable that moves it
 */
export async function requireFreePort(part: string, port: number, variable: string): Promise<void> {
  const taken = (await isTaken(port)) || (await isTaken(port, '::'));
  if (!taken) return;
  throw new StartError(
    `Port ${port} for ${part} is in use by another program: stop that program, or set ${variable} to a free port.`,
  );
}

/** Whether a program listens on the port already, or this one may not. */
export async function isTaken(port: number, host: string | undefined = HOST): Promise<boolean> {
  const server = createServer();
  const code = await new Promise<string | null>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, host, () => resolve(null));
  });
  if (code === null) await new Promise((resolve) => server.close(resolve));
  return code === 'EADDRINUSE' || code === 'EACCES';
}
