// The run's Temporal server behind an entry like a cloud's: mutual TLS. The test sees which key each call carries, and
// can have calls refused with a gRPC code.
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Certified } from '../certificates.ts';

export interface Refusal {
  /** Names of calls, such as `GetSystemInfo`. */
  call: RegExp;
  /** https://grpc.io/docs/guides/status-codes */
  code: number;
  message: string;
}

export interface TemporalDoor {
  /** host:port. */
  address: string;
  /** Each call so far, with `authorization` as it came. */
  calls: { call: string; authorization: string | undefined }[];
  refuse(refusal: Refusal | null): void;
  close(): Promise<void>;
}

export interface DoorOptions {
  /** host:port of the server behind it. */
  behind: string;
  certified: Certified;
  /** Whether callers need a certificate from the same authority. */
  wantsCertificate: boolean;
}

/** Opens the door. */
export async function openTemporalDoor({ behind, certified, wantsCertificate }: DoorOptions): Promise<TemporalDoor> {
  const server = createSecureServer({
    ...{ key: certified.key, cert: certified.certificate, ca: certified.authority },
    ...{ requestCert: wantsCertificate, rejectUnauthorized: wantsCertificate },
  });
  const inside = connect(`http://${behind}`);
  const calls: TemporalDoor['calls'] = [];
  let refusal: Refusal | null = null;
  server.on('stream', (stream, headers) => {
    const call = String(headers[':path']).split('/').at(-1) ?? '';
    calls.push({ call, authorization: headers.authorization });
    stream.on('error', () => {});
    if (refusal?.call.test(call)) refuse(stream, refusal);
    else pass(stream, headers, inside);
  });
  server.on('session', (session) => session.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    refuse: (next) => {
      refusal = next;
    },
    close: async () => {
      inside.destroy();
      server.close();
    },
  };
}

function refuse(stream: ServerHttp2Stream, { code, message }: Refusal): void {
  const answer = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': code, 'grpc-message': message };
  stream.respond(answer, { endStream: true });
}

function pass(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, inside: ClientHttp2Session): void {
  const onward = inside.request({ ...headers, ':scheme': 'http' });
  let trailers: IncomingHttpHeaders = {};
  onward.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  stream.on('close', () => onward.close());
  onward.on('trailers', (last) => {
    trailers = last;
  });
  onward.on('response', (answer, flags) => {
    if (stream.destroyed) return;
    const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(answer, isWhole ? { endStream: true } : { waitForTrailers: true });
    if (isWhole) return;
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    onward.pipe(stream);
  });
  stream.pipe(onward);
}
