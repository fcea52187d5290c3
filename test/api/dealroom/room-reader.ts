// A client that reconnects after the last message it has, as docs/deal-rooms.md describes, until it is no longer a
// participant.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { openRoom, type RoomClient } from './room-client.ts';

const NO_LONGER_TAKES_PART = 4403;
const PAUSE_MS = 50;

export interface ReaderOptions {
  room: string;
  /** The last message that it has. */
  last: string;
  /** The addresses of the running API processes, without /v1. */
  urls: () => readonly string[];
  headers: Record<string, string>;
}

export interface ReadMessage {
  id: string;
  body: string;
}

export interface Reader {
  /** Breaks its connection, as a network would; it reconnects. */
  breakOff: () => void;
  /** When it was cut off for no longer being a participant, by `performance.now()`. */
  cutOff: Promise<number>;
  /** Waits for that many messages, and returns all that have come. */
  end: (count: number) => Promise<ReadMessage[]>;
}

/** Opens its first socket, and another one whenever one closes. */
export async function startReader({ room, last: first, urls, headers }: ReaderOptions): Promise<Reader> {
  let last = first;
  const seen: ReadMessage[] = [];
  let socket: RoomClient;
  let isOver = false;
  const keep = ({ frames }: RoomClient) => {
    for (const { message } of frames.splice(0)) {
      seen.push({ id: message.id, body: message.body });
      last = message.id;
    }
  };
  const connect = async () => {
    const all = urls();
    const url = all[randomInt(all.length)] ?? '';
    socket = await openRoom(`${url}/v1/deal-rooms/${room}/ws?after=${last}`, headers);
  };
  const cut = Promise.withResolvers<number>();
  const goOn = async () => {
    while (!isOver) {
      const code = await socket.gone;
      keep(socket);
      if (code === NO_LONGER_TAKES_PART) {
        cut.resolve(performance.now());
        return;
      }
      if (!isOver) await connect().catch(() => delay(PAUSE_MS));
    }
  };
  await connect();
  const gone = goOn();
  return {
    breakOff: () => socket.drop(),
    cutOff: cut.promise,
    end: async (count) => {
      await eventually(() => seen.length + socket.frames.length >= count, { what: `${count} messages in ${room}` });
      isOver = true;
      socket.drop();
      await gone;
      return seen;
    },
  };
}
