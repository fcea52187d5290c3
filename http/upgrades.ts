// Connections to be upgraded to WebSockets. The request goes through the application like any other, and is refused
// like any other; only an operation that takes over the connection keeps it.
import { type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that the operation named by its request can take over. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Socket;
  /** What the client sent beyond the request. */
  head: Buffer;
  /** The headers that the application has set so far. */
  headers: readonly (readonly [name: string, value: string])[];
}

interface Pending {
  socket: Socket;
  head: Buffer;
  response: ServerResponse;
}

const PENDING = new WeakMap<IncomingMessage, Pending>();

/** Whether a request wants a WebSocket; any other protocol is treated as a plain request. */
export function wantsWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Has a server's listener handle the requests that `wantsWebSocket` accepts. */
export function answerUpgrades(server: Server, listener: RequestListener): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // A client that leaves before it gets its response.
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => socket.destroySoon());
    PENDING.set(request, { socket, head, response });
    listener(request, response);
  });
}

/** Whether the connection of a request can be taken over. */
export function isUpgrade(request: IncomingMessage): boolean {
  return PENDING.has(request);
}

/** Takes over the connection of a request: its response is then written elsewhere. @throws TypeError if none */
export function takeOver(request: IncomingMessage): Upgrade {
  const pending = PENDING.get(request);
  if (!pending) throw new TypeError('The connection of this request cannot be taken over');
  PENDING.delete(request);
  const { socket, head, response } = pending;
  const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  response.detachSocket(socket);
  return { request, socket, head, headers };
}
