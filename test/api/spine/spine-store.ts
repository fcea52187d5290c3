// As much of a Valkey server as shared rate counters need, so that two processes can be seen counting together.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export interface CounterStore {
  url: string;
  /** The counters by key. */
  counts: Map<string, number>;
  stop: () => void;
}

const WINDOW_MS = 60_000;

/** Starts a store on a free port. */
export async function startCounterStore(): Promise<CounterStore> {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('data', (data) => {
        for (const command of commandsOf(data.toString())) socket.write(answer(command, counts));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, counts, stop };
}

/** Reads commands in the wire format: `*<parts>`, then `$<length>` and a text for each part. */
function commandsOf(text: string): string[][] {
  return text
    .split(/(?:^|\r\n)\*\d+\r\n/)
    .filter(Boolean)
    .map((part) => part.split('\r\n').filter((_line, i) => i % 2 === 1));
}

function answer([name = '', , , key = '']: string[], counts: Map<string, number>): string {
  if (!/^eval/i.test(name)) return '+OK\r\n';
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return `*2\r\n:${count}\r\n:${WINDOW_MS}\r\n`;
}
