// One socket to a deal room: what it has been sent, whether it keeps up, and whether anybody is still there.
import type { WebSocket } from 'ws';
import { CUTS, type Cut, type Receiver } from './rights.ts';

/** What may wait for a slow reader. More is not sent before it has read: the messages are kept in their rows. */
const WAITING_MAX_BYTES = 256 * 1_024;
/** A reader that does not catch up for so long is cut off. */
const STALL_MS = 15_000;
/** An answer to a ping is due before the next one. */
const PING_EVERY_MS = 30_000;
/** Nothing was said on the socket for so long: the client opens it again when it wants to. */
const IDLE_MS = 3_600_000;
/** How long the client has to close its side. */
const CLOSE_WITHIN_MS = 1_000;
/** The socket only sends; a few frames are overlooked, and pings are answered. */
const FRAMES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

export interface Subscription {
  roomId: string;
  receiver: Receiver;
  /** The number of the last message that the client has. */
  position: number;
}

export interface SocketHooks {
  now: () => number;
  /** The reader has caught up with what waited. */
  onDrained: (socket: RoomSocket) => void;
  onEnd: (socket: RoomSocket) => void;
}

export class RoomSocket {
  readonly roomId: string;
  readonly receiver: Receiver;
  position: number;
  readonly #ws: WebSocket;
  readonly #hooks: SocketHooks;
  #pingedAtMs: number;
  #saidAtMs: number;
  #hasAnswered = true;
  #stalledSinceMs: number | null = null;
  #frames = { sinceMs: 0, count: 0 };

  constructor(ws: WebSocket, { roomId, receiver, position }: Subscription, hooks: SocketHooks) {
    this.roomId = roomId;
    this.receiver = receiver;
    this.position = position;
    this.#ws = ws;
    this.#hooks = hooks;
    this.#pingedAtMs = hooks.now();
    this.#saidAtMs = hooks.now();
    ws.on('pong', () => {
      this.#hasAnswered = true;
    });
    ws.on('message', () => this.#hearFrame());
    ws.on('ping', () => this.#hearFrame());
    ws.on('error', () => ws.terminate());
    ws.on('close', () => hooks.onEnd(this));
  }

  /** Whether it can be sent more now. */
  get isReady(): boolean {
    return this.#ws.readyState === this.#ws.OPEN && this.#ws.bufferedAmount <= WAITING_MAX_BYTES;
  }

  /** Moves on past a message; `frame` is null for one that the receiver does not see. */
  pass(sequence: number, frame: string | null): void {
    this.position = sequence;
    if (frame === null) return;
    this.#saidAtMs = this.#hooks.now();
    this.#ws.send(frame, () => {
      if (this.#stalledSinceMs === null || !this.isReady) return;
      this.#stalledSinceMs = null;
      this.#hooks.onDrained(this);
    });
    if (!this.isReady) this.#stalledSinceMs ??= this.#hooks.now();
  }

  /** Closes it when its time is over, and sends a ping when one is due. */
  tick(): void {
    const nowMs = this.#hooks.now();
    const { expiresAtMs } = this.receiver.credential;
    if (expiresAtMs !== null && nowMs >= expiresAtMs) this.cut('credential_ended');
    else if (nowMs - (this.#stalledSinceMs ?? nowMs) > STALL_MS) this.#ws.terminate();
    else if (nowMs - this.#saidAtMs > IDLE_MS) this.cut('idle');
    else if (nowMs - this.#pingedAtMs > PING_EVERY_MS) this.#ping(nowMs);
  }

  #ping(nowMs: number): void {
    if (!this.#hasAnswered) {
      this.#ws.terminate();
      return;
    }
    this.#hasAnswered = false;
    this.#pingedAtMs = nowMs;
    this.#ws.ping();
  }

  /** Closes it; nothing is sent from now on. */
  cut(why: Cut): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    const late = setTimeout(() => this.#ws.terminate(), CLOSE_WITHIN_MS);
    this.#ws.once('close', () => clearTimeout(late));
    this.#ws.close(CUTS[why], why);
  }

  #hearFrame(): void {
    const nowMs = this.#hooks.now();
    if (nowMs - this.#frames.sinceMs > MINUTE_MS) this.#frames = { sinceMs: nowMs, count: 0 };
    this.#frames.count += 1;
    if (this.#frames.count > FRAMES_PER_MINUTE) this.cut('too_many_frames');
  }
}
