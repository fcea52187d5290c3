// The HTTP server around an application: bounds on slow and idle connections, and an ordered stop.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  /** The actual port. */
  port: number;
  /** Takes no new requests, lets those in flight finish for at most `graceMs`, then closes the rest. */
  stop: (graceMs?: number) => Promise<void>;
}

const STOP_GRACE_MS = 15_000;
const IDLE_SWEEP_MS = 50;
const LIMITS = {
  /** A client that trickles its headers or its body is disconnected. Files of 25 MiB need the longer bound. */
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  /** Longer than the idle time of the usual load balancers (60 s), so that they close first. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
};

export interface ListenOptions {
  port: number;
  host?: string;
  /** How long a request may take to arrive; shorter where no files are sent. */
  requestTimeoutMs?: number;
}

/**
 * Listens for an application.
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<HttpServer> {
  let stopping = false;
  const { requestTimeoutMs = LIMITS.requestTimeout } = options;
  const server = createServer({ ...LIMITS, requestTimeout: requestTimeoutMs }, (request, response) => {
    // A connection left open after the stop would keep its client here.
    if (stopping) response.setHeader('Connection', 'close');
    handler(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: (graceMs = STOP_GRACE_MS) => {
      stopping = true;
      return close(server, graceMs);
    },
  };
}

async function close(server: Server, graceMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // A request in flight leaves its connection idle when it is answered.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
  });
}
