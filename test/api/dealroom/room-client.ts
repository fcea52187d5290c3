// A client of a deal room's WebSocket for tests: keeps what it receives, and waits for what is due.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '../../support/eventually.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
type Frame = any;

export interface RoomClient {
  /** The frames in order of arrival. */
  frames: Frame[];
  /** The texts of the messages that have arrived. */
  bodies: () => string[];
  /** Waits until that many frames have arrived. */
  arrived: (count: number) => Promise<void>;
  /** Waits for the close and returns its code. */
  closed: () => Promise<number>;
  /** The same, however long it takes. */
  gone: Promise<number>;
  send: (text: string) => void;
  ping: () => void;
  /** How many pings have been answered. */
  pongs: () => number;
  /** The reason that the server gave for closing the socket. */
  reason: () => string;
  /** Breaks the connection as a network would. */
  drop: () => void;
}

/** Opens a socket; headers may carry the credential. @throws Error `Unexpected server response: 403` and the like */
export async function openRoom(url: string, headers: Record<string, string> = {}): Promise<RoomClient> {
  const ws = new WebSocket(url.replace(/^http/, 'ws'), { headers });
  const frames: Frame[] = [];
  let code: number | null = null;
  let said = '';
  let pongs = 0;
  ws.on('pong', () => {
    pongs += 1;
  });
  ws.on('message', (data) => frames.push(JSON.parse(String(data))));
  const gone = new Promise<number>((resolve) => {
    ws.on('close', (number, reason) => {
      code = number;
      said = String(reason);
      resolve(number);
    });
  });
  await once(ws, 'open');
  ws.on('error', () => {});
  return {
    frames,
    bodies: () => frames.map(({ message }) => message.body),
    arrived: async (count) => void (await eventually(() => frames.length >= count, { what: `${count} messages` })),
    gone,
    closed: () => eventually(() => code, { what: 'the socket to be closed' }),
    send: (text) => ws.send(text),
    ping: () => ws.ping(),
    pongs: () => pongs,
    reason: () => said,
    drop: () => ws.terminate(),
  };
}

/** Opens a socket that is refused, and returns the answer's status. */
export async function refusalOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  try {
    (await openRoom(url, headers)).drop();
    return 101;
  } catch (error) {
    return Number(/server response: (\d+)/.exec(String(error))?.[1]);
  }
}
