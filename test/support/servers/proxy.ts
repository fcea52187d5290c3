// A line to a server that a test can cut without a word: what is sent on the connections that stand then is swallowed,
// and they stay open. New ones pass.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** Swallows what both sides send on the connections that are open now; answers how many they are. */
  swallow(): number;
  /** Of the connections that swallow, those that nobody has closed. */
  swallowing(): number;
  close(): void;
}

/** Starts the line to a server on this machine. */
export async function startProxy(port: number): Promise<Proxy> {
  const lines = new Set<{ near: Socket; far: Socket; isSwallowing: boolean }>();
  const server = createServer((near) => {
    const line = { near, far: connect(port, '127.0.0.1'), isSwallowing: false };
    const { far } = line;
    lines.add(line);
    near.on('data', (data) => line.isSwallowing || far.write(data));
    far.on('data', (data) => line.isSwallowing || near.write(data));
    const end = () => {
      lines.delete(line);
      near.destroy();
      far.destroy();
    };
    for (const side of [near, far]) side.on('error', end).on('close', end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const swallowing = () => [...lines].filter(({ isSwallowing }) => isSwallowing).length;
  return {
    port: (server.address() as AddressInfo).port,
    swallow: () => {
      for (const line of lines) line.isSwallowing = true;
      return swallowing();
    },
    swallowing,
    close: () => {
      for (const { near } of lines) near.destroy();
      server.close();
    },
  };
}
