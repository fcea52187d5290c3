// A simulated connection, for tests of sockets that need no network.
import { EventEmitter } from 'node:events';

/** A connection whose reader takes nothing until `drain`. */
export class PlayedConnection extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  sent: string[] = [];
  pings = 0;
  end: number | 'terminated' | null = null;
  #waiting: (() => void)[] = [];

  send(frame: string, onSent: () => void): void {
    this.sent.push(frame);
    this.bufferedAmount += frame.length;
    this.#waiting.push(onSent);
  }

  drain(): void {
    this.bufferedAmount = 0;
    for (const onSent of this.#waiting.splice(0)) onSent();
  }

  ping(): void {
    this.pings += 1;
  }

  close(code: number): void {
    this.readyState = 2;
    this.end = code;
    this.emit('close');
  }

  terminate(): void {
    this.readyState = 3;
    this.end = 'terminated';
    this.emit('close');
  }
}
