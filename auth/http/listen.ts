// The HTTP server around the application: bounds on slow and idle connections, and an ordered stop.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  /** The port that is really listened on. */
  port: number;
  /** Takes no new requests, lets those in flight finish for at most `graceMs`, then cuts what is left. */
  stop: (graceMs: number) => Promise<void>;
}

const LIMITS = { headersTimeout: 15_000, requestTimeout: 30_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 };
const IDLE_SWEEP_MS = 50;

/**
 * Listens for an application.
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function listen(handler: RequestListener, port: number): Promise<HttpServer> {
  const server = createServer(LIMITS, handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const stop = (graceMs: number) =>
    new Promise<void>((resolve) => {
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
      server.close(() => {
        clearTimeout(cut);
        clearInterval(sweep);
        resolve();
      });
    });
  return { port: (server.address() as AddressInfo).port, stop };
}
