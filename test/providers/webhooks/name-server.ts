// A name server for tests: it answers each query for an address with the next of its answers of that family,
// cyclically, and says that they must not be cached.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const ANSWER_IS_OURS = 0x8580;
const NAME_OF_THE_QUESTION = 0xc00c;
const CLASS_INTERNET = 1;

/** What it says of each family; null is no address. */
export interface Answers {
  ipv4?: readonly (string | null)[];
  ipv6?: readonly (string | null)[];
}

export interface NameServer {
  /** host:port */
  address: string;
  /** How often it was queried for an address of each family. */
  questions: () => { ipv4: number; ipv6: number };
  close: () => void;
}

/** Starts it; the caller closes it. */
export async function startNameServer({ ipv4 = [null], ipv6 = [null] }: Answers): Promise<NameServer> {
  const socket = createSocket('udp4');
  const questions = { ipv4: 0, ipv6: 0 };
  socket.on('message', (message, from) => {
    const question = questionOf(message);
    const isIpv4 = question.readUInt16BE(question.length - 4) === TYPE_A;
    const [family, answers] = isIpv4 ? (['ipv4', ipv4] as const) : (['ipv6', ipv6] as const);
    const answer = answers[questions[family] % answers.length] ?? null;
    questions[family] += 1;
    socket.send(replyTo(message, question, answer), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, questions: () => ({ ...questions }), close: () => socket.close() };
}

/** The name, as labels with their lengths, then type and class. */
function questionOf(message: Buffer): Buffer {
  let end = HEADER_BYTES;
  while (message[end] !== 0) end += (message[end] ?? 0) + 1;
  return message.subarray(HEADER_BYTES, end + 5);
}

function replyTo(message: Buffer, question: Buffer, answer: string | null): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(ANSWER_IS_OURS, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answer === null ? 0 : 1, 6);
  return Buffer.concat([header, question, ...(answer === null ? [] : [recordOf(answer)])]);
}

function recordOf(address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const record = Buffer.alloc(12);
  record.writeUInt16BE(NAME_OF_THE_QUESTION, 0);
  record.writeUInt16BE(bytes.length === 4 ? TYPE_A : TYPE_AAAA, 2);
  record.writeUInt16BE(CLASS_INTERNET, 4);
  record.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([record, bytes]);
}
