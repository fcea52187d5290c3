// A stand-in for Valkey or Redis that knows the few commands used by the rate counters, and counts as their script
// does. It can be stopped and restarted on its port, and forgets everything in between, as a cache may.
import { createServer, type Server, type Socket } from 'node:net';

export interface KvStandIn {
  url: string;
  stop: () => Promise<void>;
  start: () => Promise<void>;
}

type Count = { consumed: number; endsAtMs: number };

/** Starts it on a free port; the caller stops it. */
export async function startKvStandIn(): Promise<KvStandIn> {
  const counts = new Map<string, Count>();
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let port = 0;
  const start = async () => {
    const made = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => {});
      serve(socket, counts);
    });
    await new Promise<void>((resolve) => made.listen(port, '127.0.0.1', resolve));
    port = (made.address() as { port: number }).port;
    server = made;
  };
  const stop = async () => {
    const running = server;
    server = null;
    counts.clear();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => (running ? running.close(resolve) : resolve(undefined)));
  };
  await start();
  return { url: `redis://127.0.0.1:${port}`, start, stop };
}

function serve(socket: Socket, counts: Map<string, Count>): void {
  let unread = '';
  socket.on('data', (bytes) => {
    unread += bytes.toString('latin1');
    for (let read = nextCommand(unread); read !== null; read = nextCommand(unread)) {
      unread = read.rest;
      socket.write(answerTo(read.words, counts));
    }
  });
}

/** The protocol: an array of texts, each preceded by its length. Null while a command is incomplete. */
function nextCommand(text: string): { words: string[]; rest: string } | null {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (head === null) return null;
  let at = head[0].length;
  const words: string[] = [];
  for (let i = 0; i < Number(head[1]); i += 1) {
    const length = /^\$(\d+)\r\n/.exec(text.slice(at));
    if (length === null) return null;
    const begin = at + length[0].length;
    at = begin + Number(length[1]) + 2;
    if (text.length < at) return null;
    words.push(text.slice(begin, at - 2));
  }
  return { words, rest: text.slice(at) };
}

function answerTo([name = '', ...args]: string[], counts: Map<string, Count>): string {
  switch (name.toLowerCase()) {
    case 'info':
      return '$9\r\nloading:0\r\n';
    case 'evalsha':
      return '-NOSCRIPT No matching script.\r\n';
    case 'eval': {
      const [, , key = '', points, seconds] = args;
      const nowMs = Date.now();
      const known = counts.get(key);
      const isOver = known === undefined || known.endsAtMs <= nowMs;
      const count = isOver ? { consumed: 0, endsAtMs: nowMs + Number(seconds) * 1_000 } : known;
      count.consumed += Number(points);
      counts.set(key, count);
      return `*2\r\n:${count.consumed}\r\n:${count.endsAtMs - nowMs}\r\n`;
    }
    default:
      return '+OK\r\n';
  }
}
