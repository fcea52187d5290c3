// A line to PostgreSQL that a test can cut: connections through it break and new ones are refused until it is restored.
import { createServer, connect as open, type Socket } from 'node:net';
import test from 'ava';
import type { TestDatabase } from './database.ts';
import { overTcp } from './servers.ts';

export interface CuttableLine {
  /** The same database, reached over the line. */
  database: TestDatabase;
  cut: () => void;
  mend: () => void;
  /** Settles when that many connections have been refused since the line was cut. */
  refused: (times: number) => Promise<void>;
}

const closers: (() => void)[] = [];

test.after.always('the lines are closed', () => {
  for (const close of closers) close();
});

/** Opens a line to the server of a test database. */
export async function cuttableLine(database: TestDatabase): Promise<CuttableLine> {
  const { hostname, port } = new URL(database.appUrl);
  const sockets = new Set<Socket>();
  const waiting: { times: number; settle: () => void }[] = [];
  let isCut = false;
  let refusals = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((caller) => {
    keep(caller);
    if (isCut) {
      caller.destroy();
      refusals += 1;
      for (const { times, settle } of waiting) if (refusals >= times) settle();
      return;
    }
    const target = keep(open(Number(port), hostname));
    caller.pipe(target).pipe(caller);
    caller.on('close', () => target.destroy());
    target.on('close', () => caller.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const address = server.address();
  const over = (url: string) => overTcp(url, typeof address === 'object' && address ? address.port : undefined);
  return {
    database: {
      ...{ ...database, appUrl: over(database.appUrl), opsUrl: over(database.opsUrl) },
      authUrl: over(database.authUrl),
    },
    cut: () => {
      isCut = true;
      refusals = 0;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    refused: (times) => new Promise((settle) => waiting.push({ times, settle })),
  };
}
