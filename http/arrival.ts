// How long the body of a request may take to arrive: a file from a known caller has more time than other bodies.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseLate } from './refused-connections.ts';

const WITH_FILES = new WeakSet<IncomingMessage>();

/** Gives a request the time allowed for a file. Its caller is known, and may send one. */
export function expectFile(request: IncomingMessage): void {
  WITH_FILES.add(request);
}

/** Disconnects a client whose body is not complete in time, unless a file is expected by then. */
export function boundArrival(request: IncomingMessage, response: ServerResponse, mostMs: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return;
  const late = setTimeout(() => {
    if (request.complete || WITH_FILES.has(request)) return;
    if (response.headersSent) request.socket.destroy();
    else refuseLate(request.socket);
  }, mostMs);
  request.once('close', () => clearTimeout(late));
}
