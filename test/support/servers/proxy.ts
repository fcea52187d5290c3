// A line to a server on this machine that a test can cut silently. Frozen, nothing passes and nothing is lost, as with
// a stopped server; swallowed, data sent on open connections is lost, as with a network that forgets them.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** Holds all traffic, new connections included, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Swallows what both sides send on the currently open connections, which stay open; returns how many there are. */
  swallow(): number;
  /** How often the near side has waited for the far one: what it sends together counts once. */
  roundTrips(): number;
  /** The swallowed connections that neither side has closed. */
  swallowing(): number;
  close(): void;
}

interface Line {
  near: Socket;
  far: Socket;
  isSwallowing: boolean;
  /** Whether the near side has spoken since the far side last did. */
  isWaiting: boolean;
}

/** Starts the line. */
export async function startProxy(port: number): Promise<Proxy> {
  const lines = new Set<Line>();
  let isFrozen = false;
  let roundTrips = 0;
  const server = createServer((near) => {
    const line = lineTo(port, near, () => {
      roundTrips += 1;
    });
    lines.add(line);
    if (isFrozen) pause(line);
    for (const side of [line.near, line.far]) side.on('close', () => lines.delete(line));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const swallowing = () => [...lines].filter(({ isSwallowing }) => isSwallowing).length;
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      isFrozen = true;
      for (const line of lines) pause(line);
    },
    thaw: () => {
      isFrozen = false;
      for (const { near, far } of lines) {
        near.resume();
        far.resume();
      }
    },
    swallow: () => {
      for (const line of lines) line.isSwallowing = true;
      return swallowing();
    },
    swallowing,
    roundTrips: () => roundTrips,
    close: () => {
      for (const { near } of lines) near.destroy();
      server.close();
    },
  };
}

function lineTo(port: number, near: Socket, onRoundTrip: () => void): Line {
  const far = connect(port, '127.0.0.1');
  const line = { near, far, isSwallowing: false, isWaiting: false };
  near.on('data', (data) => {
    if (!line.isWaiting) onRoundTrip();
    line.isWaiting = true;
    if (!line.isSwallowing) far.write(data);
  });
  far.on('data', (data) => {
    line.isWaiting = false;
    if (!line.isSwallowing) near.write(data);
  });
  for (const [one, other] of [[near, far] as const, [far, near] as const]) {
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }
  return line;
}

function pause({ near, far }: Line): void {
  near.pause();
  far.pause();
}
