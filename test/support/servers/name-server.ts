// A name server that gives every name the same addresses, as a container network does for a service with several
// containers. RFC 1035, section 4.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const HEADER_BYTES = 12;
const IS_ANSWER = 0x8180;
/** The name in the question: where every answer points. */
const SAME_NAME = 0xc00c;
const IPV4 = 1;
const TTL_SECONDS = 1;

export interface NameServer {
  address: string;
  stop: () => void;
}

/** @param addresses IPv4 addresses */
export async function startNameServer(addresses: readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(answer(query, addresses), from.port, from.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, stop: () => socket.close() };
}

function answer(query: Buffer, addresses: readonly string[]): Buffer {
  const endOfName = query.indexOf(0, HEADER_BYTES) + 1;
  const question = query.subarray(HEADER_BYTES, endOfName + 4);
  const records = query.readUInt16BE(endOfName) === IPV4 ? addresses.map(record) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(IS_ANSWER, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

function record(address: string): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(SAME_NAME, 0);
  head.writeUInt16BE(IPV4, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(TTL_SECONDS, 6);
  head.writeUInt16BE(4, 10);
  return Buffer.concat([head, Buffer.from(address.split('.').map(Number))]);
}
