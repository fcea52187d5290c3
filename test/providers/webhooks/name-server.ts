// A name server for tests: it answers each query for an IPv4 address with the next of its answers, cyclically, and
// says that they must not be cached.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const ANSWER_IS_OURS = 0x8580;
const NAME_OF_THE_QUESTION = 0xc00c;
const CLASS_INTERNET = 1;

export interface NameServer {
  /** host:port */
  address: string;
  /** How often it was queried for an IPv4 address. */
  questions: () => number;
  close: () => void;
}

/** Starts it; the caller closes it. */
export async function startNameServer(answers: readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', (message, from) => {
    const question = questionOf(message);
    const isForIpv4 = question.readUInt16BE(question.length - 4) === TYPE_A;
    const answer = isForIpv4 ? (answers[questions % answers.length] ?? null) : null;
    if (isForIpv4) questions += 1;
    socket.send(replyTo(message, question, answer), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, questions: () => questions, close: () => socket.close() };
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
  const record = Buffer.alloc(16);
  record.writeUInt16BE(NAME_OF_THE_QUESTION, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(CLASS_INTERNET, 4);
  record.writeUInt16BE(4, 10);
  Buffer.from(address.split('.').map(Number)).copy(record, 12);
  return record;
}
