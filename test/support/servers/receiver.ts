// A webhook receiver on this machine: keeps what it receives, and answers as the test says.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  body: Buffer;
  event: { id: string; type: string; orgId: string; timestamp: string; data: Record<string, unknown> };
}

export type Answer = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  url: string;
  received: Received[];
  /** The highest number of requests open at the same time. */
  mostAtOnce: () => number;
  answerWith: (answer: Answer) => void;
  close: () => Promise<void>;
}

export const accept: Answer = (response) => response.writeHead(200).end('thanks');

/** Starts a receiver; the caller closes it. */
export async function startReceiver(answer: Answer = accept): Promise<Receiver> {
  const received: Received[] = [];
  const open = { now: 0, most: 0 };
  const state = { answer };
  const server = createServer((request, response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.once('close', () => {
      open.now -= 1;
    });
    void bodyOf(request).then((body) => {
      const one = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body.toString()) };
      received.push(one);
      state.answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    mostAtOnce: () => open.most,
    answerWith: (next) => {
      state.answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
