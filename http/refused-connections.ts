// Requests that never reach the application: malformed, too slow, or with oversized headers. They get the same error
// shape as others, and their connection is closed. Spec 2.10.
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../db/ids.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const BROKEN = refusal('400 Bad Request', 'malformed_request', 'This is not a valid HTTP request.');
const LATE = refusal('408 Request Timeout', 'request_timeout', 'The request took too long to arrive.');
const TOO_LARGE = refusal('413 Payload Too Large', 'payload_too_large', 'A chunk of the body is too large.');
const HEADERS = refusal('431 Request Header Fields Too Large', 'headers_too_large', 'The headers are too large.');

const REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: LATE,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: TOO_LARGE,
  HPE_HEADER_OVERFLOW: HEADERS,
};

interface Refusal {
  statusLine: string;
  error: string;
  message: string;
}

/** Responds to what the server itself refuses, unless another response is already in progress on the connection. */
export function answerBroken(server: Server): void {
  const begun = new WeakMap<Duplex, () => boolean>();
  server.prependListener('request', (request, response) => {
    begun.set(request.socket, () => response.headersSent && !response.writableFinished);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && !begun.get(socket)?.()) refuse(socket, REFUSALS[error.code ?? ''] ?? BROKEN);
    else socket.destroy();
  });
}

/** Responds that a request took too long, and closes its connection. */
export function refuseLate(socket: Duplex): void {
  refuse(socket, LATE);
}

function refuse(socket: Duplex, { statusLine, error, message }: Refusal): void {
  const requestId = newId('request');
  const body = JSON.stringify({ error, message, details: {}, requestId });
  const headers = [
    `HTTP/1.1 ${statusLine}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy();
}

function refusal(statusLine: string, error: string, message: string): Refusal {
  return { statusLine, error, message };
}
