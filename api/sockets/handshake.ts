// The last step of an upgrade: the request has passed every check, and its connection becomes a WebSocket.
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Upgrade } from '../../http/upgrades.ts';

/** The socket only sends. */
const RECEIVED_MAX_BYTES = 4_096;

/** The library would silently drop a connection with many pings. They are counted with the other frames. */
const UNANSWERED = { maxPendingAutoPongs: 0 };

export type Handshake = (upgrade: Upgrade, begin: (ws: WebSocket) => void) => void;

/** Makes the handshake. Its response carries the same headers as every response. */
export function createHandshake(): Handshake {
  const server = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
    maxPayload: RECEIVED_MAX_BYTES,
    ...UNANSWERED,
  });
  const headersOf = new WeakMap<IncomingMessage, Upgrade['headers']>();
  server.on('headers', (lines, request) => {
    for (const [name, value] of headersOf.get(request) ?? []) lines.push(`${name}: ${value}`);
  });
  return ({ request, socket, head, headers }, begin) => {
    headersOf.set(request, headers);
    server.handleUpgrade(request, socket, head, begin);
  };
}
