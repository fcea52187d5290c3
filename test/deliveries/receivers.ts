// Twenty webhook receivers, some of which are slow, hang, refuse, redirect, close the connection or answer with a
// hundred megabytes. Each records the id of every event that reaches it, in order of arrival.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '../support/servers/free-port.ts';

const FLOOD_CHUNK = Buffer.alloc(1_000_000, 'x');
const FLOOD_CHUNKS = 100;
const SLOW_MS = 3_000;
/** Slow or hanging receivers are that way for a few events in a row, and accept the others. */
const SPELL = 10;

type Behaviour = (response: ServerResponse, arrival: number) => void;

const accept: Behaviour = (response) => response.writeHead(200).end();
/** Misbehaves at the end of every `period` events. */
const nowAndThen =
  (period: number, misbehave: Behaviour): Behaviour =>
  (response, arrival) =>
    arrival % period >= period - SPELL ? misbehave(response, arrival) : accept(response, arrival);

const BEHAVIOURS = {
  quick: accept,
  slow: nowAndThen(500, (response) => {
    setTimeout(() => accept(response, 0), SLOW_MS);
  }),
  hanging: nowAndThen(1_000, () => {}),
  gone: (response) => response.writeHead(410).end(),
  redirecting: (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
  closing: (response) => response.destroy(),
  flooding: (response) => flood(response.writeHead(200), FLOOD_CHUNKS),
} as const satisfies Record<string, Behaviour>;

/** Nothing listens at the address of receivers that refuse. */
export type ReceiverKind = keyof typeof BEHAVIOURS | 'refusing';

const HOW_MANY: Readonly<Record<ReceiverKind, number>> = {
  ...{ quick: 7, slow: 2, hanging: 2, gone: 1, redirecting: 2, closing: 2, flooding: 2 },
  refusing: 2,
};

export interface OddReceiver {
  kind: ReceiverKind;
  url: string;
  /** Event ids, one per request. */
  arrivals: string[];
  close: () => void;
}

/** Starts all of them; the caller closes each. */
export function startReceivers(): Promise<OddReceiver[]> {
  const kinds = Object.entries(HOW_MANY).flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
  return Promise.all((kinds as ReceiverKind[]).map((kind) => (kind === 'refusing' ? refusing() : listening(kind))));
}

async function refusing(): Promise<OddReceiver> {
  return { kind: 'refusing', url: `http://127.0.0.1:${await freePort()}/hooks`, arrivals: [], close: () => {} };
}

async function listening(kind: keyof typeof BEHAVIOURS): Promise<OddReceiver> {
  const arrivals: string[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => {});
    void text(request).then((body) => {
      arrivals.push((JSON.parse(body) as { id: string }).id);
      BEHAVIOURS[kind](response, arrivals.length - 1);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { kind, url: `http://127.0.0.1:${port}/hooks`, arrivals, close };
}

function flood(response: ServerResponse, chunks: number): void {
  for (let left = chunks; left > 0; left -= 1) {
    if (response.destroyed) return;
    if (response.write(FLOOD_CHUNK)) continue;
    response.once('drain', () => flood(response, left - 1));
    return;
  }
  response.end();
}
