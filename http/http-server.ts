// The HTTP server around an application: limits on slow and idle connections, and an orderly stop.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundArrival } from './arrival.ts';
import { answerBroken } from './refused-connections.ts';
import { answerUpgrades, wantsWebSocket } from './upgrades.ts';

export interface HttpServer {
  /** The actual port. */
  port: number;
  /** Takes no new requests, lets those in flight finish for at most `graceMs`, then closes the rest. */
  stop: (graceMs?: number) => Promise<void>;
}

const STOP_GRACE_MS = 15_000;
const IDLE_SWEEP_MS = 50;
const LIMITS = {
  /** Longer than the idle time of the usual load balancers (60 s), so that they close first. */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
};

/** How long a request may take to arrive, regardless of how long its response takes. */
export interface ArrivalBounds {
  /** From the first byte, or from connecting if none arrives, to the last header. */
  headersMs: number;
  /** To the last byte of a body. */
  requestMs: number;
  /** To the last byte of an expected file. */
  fileMs: number;
  /** How often connections are checked: a slow client is disconnected at most this much later. */
  checkEveryMs: number;
}

/**
 * A client that trickles its headers or its body is disconnected; 1 MiB in this time takes 300 kbit/s, and a file of
 * 25 MiB in its time 700 kbit/s.
 */
export const ARRIVAL: ArrivalBounds = { headersMs: 10_000, requestMs: 30_000, fileMs: 300_000, checkEveryMs: 5_000 };

export interface ListenOptions {
  port: number;
  host?: string;
  /** Default: ARRIVAL. */
  arrival?: ArrivalBounds;
  /** Whether the application's operations may take over WebSockets. Default: upgrades get plain responses. */
  webSockets?: boolean;
}

/**
 * Listens for an application.
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<HttpServer> {
  let stopping = false;
  const { headersMs: headersTimeout, requestMs, fileMs: requestTimeout, checkEveryMs } = options.arrival ?? ARRIVAL;
  const arrival = { headersTimeout, requestTimeout, connectionsCheckingInterval: checkEveryMs };
  const { webSockets = false } = options;
  const shouldUpgradeCallback = (request: IncomingMessage) => webSockets && wantsWebSocket(request);
  const server = createServer({ ...LIMITS, ...arrival, shouldUpgradeCallback }, (request, response) => {
    // A connection left open after the stop would hold its client here.
    if (stopping) response.setHeader('Connection', 'close');
    boundArrival(request, response, requestMs);
    handler(request, response);
  });
  answerBroken(server);
  if (webSockets) answerUpgrades(server, handler);
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
    // A request in flight leaves its connection idle once it is answered.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
  });
}
