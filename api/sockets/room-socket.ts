// One socket to a deal room: what it has been sent, whether it keeps up, and whether the client is still there.
import type { WebSocket } from 'ws';
import { CUTS, type Cut, type Receiver } from './rights.ts';

/** How much may be buffered for a slow reader. More is sent only after it has read: the messages stay in their rows. */
const WAITING_MAX_BYTES = 256 * 1_024;
/** A reader that falls behind for this long is cut off. */
const STALL_MS = 15_000;
/** A pong is due before the next ping. */
const PING_EVERY_MS = 30_000;
/** A socket idle for this long is closed; the client may reopen it. */
const IDLE_MS = 3_600_000;
/** How long the client has to close its side. */
const CLOSE_WITHIN_MS = 1_000;
/** The socket only sends; a few incoming frames are ignored, and pings are answered. */
const FRAMES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

export interface Subscription {
  roomId: string;
  receiver: Receiver;
  /** The number of the last message the client has. */
  position: number;
}

export interface SocketHooks {
  now: () => number;
  /** Called when the reader has caught up with the buffer. */
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

  /** Whether more can be sent now. */
  get isReady(): boolean {
    return this.#ws.readyState === this.#ws.OPEN && this.#ws.bufferedAmount <= WAITING_MAX_BYTES;
  }

  /** Moves past a message; `frame` is null for one that the receiver may not see. */
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

  /** Closes it when its time is up, and sends a ping when one is due. */
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

  /** Closes it; nothing more is sent. */
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
